import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OperationName, operationNames, operations } from '../../shared/operations.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { basic } from '../support/http-client.ts';
import { functionProcesses, type LocalRun, postControl, startLocal } from '../support/local-run.ts';
import { bodyFor, functionIdOf, sendRequest } from '../support/operations.ts';
import { runInBoth } from './run-in-both.ts';

/** A Monday morning, when the watch always publishes. */
const WATCH_EVENT = { time: '2026-11-23T06:05:00Z' };

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal();
  // Starts a process of each function.
  for (const name of operationNames) {
    expect((await sendRequest(run, name)).status).toBe(200);
  }
  expect((await postControl(run, '/watch', WATCH_EVENT)).status).toBe(200);
});
afterAll(() => run.stop());

/** The environment that the local run gives to a function. */
const environmentOf = (name: string): Record<string, string> => {
  const inTemplate = functionIdOf(name);
  const [pid = 0] = functionProcesses(run, inTemplate);
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((variable) => /^(?!NODE_)./.test(variable));
  const environment = Object.fromEntries(
    variables.map((variable) => [variable.replace(/=.*/s, ''), variable.replace(/^.*?=/s, '')]),
  );
  expect(environment['AWS_LAMBDA_FUNCTION_NAME']).toContain(inTemplate);
  return environment;
};

/** No server listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const REQUEST_ID = 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef';

/** Serves two events, and returns the first report and the log. */
const serveIn = async (name: string, events: readonly string[], endpoint = '', timeoutMs = 20_000) => {
  const environment = environmentOf(name);
  if (endpoint) environment['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  const outcome = await runInBoth({ environment, events, timeoutMs });
  return { result: outcome?.results[0], log: outcome?.lines };
};

const eventOf = (name: OperationName) =>
  JSON.stringify({
    httpMethod: operations[name].method,
    resource: operations[name].path,
    headers: { 'content-TYPE': 'application/json' },
    body: operations[name].method === 'GET' ? null : JSON.stringify(bodyFor(name)),
    isBase64Encoded: false,
    requestContext: { extendedRequestId: REQUEST_ID, identity: {}, authorizer: { client: 'warehouse' } },
  });

test.each(operationNames)('%s serves two requests', async (name) => {
  const { result, log } = await serveIn(name, [eventOf(name), eventOf(name)]);
  expect(result).toMatchObject({ statusCode: 200 });
  expect(log).toMatchObject([{ code: 'request-served' }, { code: 'request-served' }]);
});

test('a function responds with 503 shortly before its timeout', async () => {
  const hanging = await startFaultProxy(NOWHERE);
  hanging.decide(() => 'hang');
  const event = eventOf('post-change');
  const { result, log } = await serveIn('post-change', [event, event], hanging.endpoint, 1_600);
  await hanging.stop();
  expect(result).toMatchObject({ statusCode: 503 });
  expect(log).toMatchObject([
    { error: { message: expect.stringContaining('time') } },
    { code: 'storage-unavailable' },
  ]);
});

test('a function reports the error of an event that crashes it, and serves the next event', async () => {
  const { result, log } = await serveIn('post-change', ['null', eventOf('post-change')]);
  expect(result).toMatchObject({ errorType: 'TypeError' });
  expect(log).toMatchObject([{ message: { errorType: 'TypeError' } }, { code: 'request-served' }]);
});

test('the authorizer denies a wrong password, and allows the right one', async () => {
  const methodArn = 'arn:aws:execute-api:eu-central-1:000000000000:a1b2c3d4e5/live/GET/rest';
  const requestContext = { extendedRequestId: REQUEST_ID };
  const events = [basic('warehouse', 'wrong'), run.authorization()].map((authorization) =>
    JSON.stringify({ methodArn, multiValueHeaders: { authorization: [authorization] }, requestContext }),
  );
  const { result, log } = await serveIn('authorizer', events);
  expect(result).toMatchObject({ policyDocument: { Statement: [{ Effect: 'Deny' }] } });
  expect(log).toMatchObject([{ code: 'credentials-refused' }]);
});

test('the watch publishes its message', async () => {
  const { result, log } = await serveIn('watch', [JSON.stringify(WATCH_EVENT), JSON.stringify(WATCH_EVENT)]);
  expect([result, log]).toEqual([null, Array(2).fill(expect.objectContaining({ code: 'clients-watched' }))]);
});
