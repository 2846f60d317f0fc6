import { beforeAll, describe, expect, test } from 'vitest';
import { editedAssembly } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import {
  disturb,
  disturbedCalls,
  eventually,
  functionProcesses,
  type LocalRun,
  startLocal,
} from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { scriptFunctions } from './scripted-functions.ts';

let run: LocalRun;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((assembly) => {
    scriptFunctions(assembly);
    const reserve = (name: string, executions: number) => {
      const { Properties } = assembly.resource('AWS::Lambda::Function', name);
      Properties['ReservedConcurrentExecutions'] = executions;
    };
    reserve('GetMaterialCodes', 0);
    reserve('PostChange', 1);
  });
  run = await startLocal({ assemblyFolder });
});

const headers = { Authorization: basic('allowed', 'any') };
const get = (path: string) => send(run.url(path), { headers });
const post = (script: object, path = 'changes') =>
  send(run.url(path), { method: 'POST', headers, body: JSON.stringify(script) });

describe('a throttled function', () => {
  test('with a reserved concurrency of 0 answers every request with a 500, and does not start', async () => {
    for (const _ of [1, 2]) expectProblem(await get('material-codes'), 500);
    expect(functionProcesses(run, 'GetMaterialCodes')).toEqual([]);
  });

  test('with a reserved concurrency of 1 answers a second request at once with a 500, until the first has ended', async () => {
    const first = post({ say: 'started', sleepMs: 3_600_000 });
    await eventually(() => run.functionsLog().includes('started'));
    expectProblem(await post({}), 500);
    for (const pid of functionProcesses(run, 'PostChange')) process.kill(pid, 'SIGKILL');
    expectProblem(await first, 502);
    expect((await post({})).status).toBe(200);
  });

  test('by the control server answers the given number of requests with a 500, and then serves again', async () => {
    await disturb(run, { lambda: [{ throttle: 'PostChange', times: 2 }] });
    expect((await get('purchase-orders')).status).toBe(200);
    for (const _ of [1, 2]) expectProblem(await post({}), 500);
    expect((await post({})).status).toBe(200);
    expect(await disturbedCalls(run)).toEqual([2]);
  });
});

test('an answer may have 6,291,556 bytes as JSON, and is a 502 with one more (Lambda quotas)', async () => {
  const frame = JSON.stringify({ statusCode: 200, body: '' }).length;
  const largest = await post({ bytes: 6_291_556 - frame }, 'material-stock-balance');
  expect([largest.status, largest.bytes.byteLength]).toEqual([200, 6_291_556 - frame]);
  expectProblem(await post({ bytes: 6_291_556 - frame + 1 }, 'material-stock-balance'), 502);
  // The message in LocalStack's recording test_lambda_too_large_response.
  const message = 'Response payload size exceeded maximum allowed payload size (6291556 bytes).';
  const error = { errorType: 'Function.ResponseSizeTooLarge', errorMessage: message };
  await eventually(() => run.functionsLog().includes(JSON.stringify(error)));
});

test.each([
  ['an unknown path', 'GET', '/', 'application/json'],
  ['the content type of a form in a browser', 'POST', '/disturbances', 'text/plain'],
  ['another method', 'DELETE', '/disturbances', 'application/json'],
])('the control server answers %s with a 404', async (_, method, path, type) => {
  const url = `${run.outputs().ControlEndpoint}${path}`;
  const answer = await send(url, { method, headers: { 'Content-Type': type }, body: '{}' });
  expect(answer.status).toBe(404);
});
