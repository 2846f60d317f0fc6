import { beforeAll, describe, expect, test } from 'vitest';
import { editedAssembly } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { disturb, disturbedCalls, type LocalRun, startLocal } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { scriptFunctions } from './scripted-functions.ts';

let run: LocalRun;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((assembly) => {
    scriptFunctions(assembly);
  });
  run = await startLocal({ assemblyFolder });
});

const headers = { Authorization: basic('allowed', 'any') };
const get = (path: string) => send(run.url(path), { headers });
const post = (script: object, path = 'changes') =>
  send(run.url(path), { method: 'POST', headers, body: JSON.stringify(script) });

describe('a throttled function', () => {
  test('by the control server answers the given number of requests with a 500, and then serves again', async () => {
    await disturb(run, { lambda: [{ throttle: 'PostChange', times: 2 }] });
    expect((await get('purchase-orders')).status).toBe(200);
    for (const _ of [1, 2]) expectProblem(await post({}), 500);
    expect((await post({})).status).toBe(200);
    expect(await disturbedCalls(run)).toEqual([2]);
  });
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
