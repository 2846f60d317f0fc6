import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OperationName, operationNames, operations } from '../../shared/operations.ts';
import { batchOf } from '../support/batches.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { basic, send } from '../support/http-client.ts';
import { functionProcesses, type LocalRun, startLocal } from '../support/local-run.ts';
import { runInBoth } from './run-in-both.ts';

const bodies: Partial<Record<OperationName, object>> = {
  'post-change': { Timestamp: '2026-11-21T06:48:04,123Z' },
  'post-material-stock-balance': batchOf(3),
};

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal();
  // Starts a process of each function.
  for (const name of operationNames) expect((await request(name)).status).toBe(200);
});
afterAll(() => run.stop());

const request = (name: OperationName) => {
  const { method, path } = operations[name];
  const headers = { Authorization: run.authorization(), 'Content-Type': 'application/json' };
  const body = bodies[name] ? { body: JSON.stringify(bodies[name]) } : {};
  return send(run.outputs().BaseUrl + path, { method, headers, ...body });
};

/** The environment that the local run gives to a function. */
const environmentOf = (name: string): Record<string, string> => {
  const inTemplate = name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  const [pid = 0] = functionProcesses(run, inTemplate);
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  const { NODE_CHANNEL_FD, NODE_CHANNEL_SERIALIZATION_MODE, NODE_COMPILE_CACHE, ...environment } =
    Object.fromEntries(
      variables.map((variable) => [variable.replace(/=.*/s, ''), variable.replace(/^.*?=/s, '')]),
    );
  expect(environment['AWS_LAMBDA_FUNCTION_NAME']).toContain(inTemplate);
  return environment;
};

/** No server listens there. */
const NOWHERE = 'http://127.0.0.1:9';

const REQUEST_ID = 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef';

type Circumstances = { endpoint?: string; timeoutMs?: number };

/** Serves two events, and returns the first report and the log. */
const serveIn = async (
  name: string,
  events: readonly unknown[],
  { endpoint, timeoutMs }: Circumstances = {},
) => {
  const services = { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint };
  const environment = { ...environmentOf(name), ...(endpoint ? services : {}) };
  const { reports, lines } = await runInBoth(events, { environment, timeoutMs });
  expect(reports).toHaveLength(2);
  return { report: reports[0], log: lines.map((line) => JSON.parse(line)) };
};

describe.each(operationNames)('%s under both runtimes', (name) => {
  const { method, path } = operations[name];
  const event = {
    httpMethod: method,
    resource: path,
    headers: { 'content-TYPE': 'application/json' },
    body: bodies[name] ? JSON.stringify(bodies[name]) : null,
    isBase64Encoded: false,
    requestContext: { requestId: REQUEST_ID, authorizer: { client: 'warehouse' } },
  };

  test('serves two requests', async () => {
    const { report, log } = await serveIn(name, [event, event]);
    expect(report).toMatchObject({ statusCode: 200 });
    expect(log).toMatchObject([{ code: 'request-served' }, { code: 'request-served' }]);
  });

  test('answers 503 shortly before its timeout', async () => {
    const silent = await startFaultProxy(NOWHERE);
    silent.decide(() => 'silent');
    const { report, log } = await serveIn(name, [event, event], {
      endpoint: silent.endpoint,
      timeoutMs: 1_600,
    });
    await silent.stop();
    expect(report).toMatchObject({ statusCode: 503 });
    expect(log).toMatchObject([
      { error: { message: expect.stringContaining('time') } },
      { code: 'store-unavailable' },
    ]);
  });

  test('reports the error of an event that crashes it, and serves the next event', async () => {
    const { report, log } = await serveIn(name, [null, event]);
    expect(report).toMatchObject({ errorType: 'TypeError' });
    expect(log).toMatchObject([{ message: { errorType: 'TypeError' } }, { code: 'request-served' }]);
  });
});

describe('the authorizer under both runtimes', () => {
  const eventOf = (authorization: string) => ({
    methodArn: 'arn:aws:execute-api:eu-central-1:000000000000:a1b2c3d4e5/live/GET/rest',
    multiValueHeaders: { authorization: [authorization] },
    requestContext: { requestId: REQUEST_ID },
  });
  const policyOf = (Effect: string) => ({ policyDocument: { Statement: [{ Effect }] } });

  test('denies a wrong password', async () => {
    const events = [basic('warehouse', 'wrong'), run.authorization()].map(eventOf);
    const { report, log } = await serveIn('authorizer', events);
    expect(report).toMatchObject(policyOf('Deny'));
    expect(log).toMatchObject([{ code: 'credentials-refused' }]);
  });

  test('reports the error of an event that crashes it, and serves the next event', async () => {
    const { report, log } = await serveIn('authorizer', [null, eventOf(run.authorization())]);
    expect(report).toMatchObject({ errorType: 'TypeError' });
    expect(log).toMatchObject([{ message: { errorType: 'TypeError' } }]);
  });
});
