import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editedAssembly, withoutAuthorizerCache } from '../support/assembly.ts';
import { newTimestamp } from '../support/batches.ts';
import { send } from '../support/http-client.ts';
import {
  disturb,
  disturbedCalls,
  eventually,
  functionProcesses,
  type LocalRun,
  rowsOf,
  startLocal,
} from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';

let run: LocalRun;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly(withoutAuthorizerCache);
  run = await startLocal({ assemblyFolder, args: ['--quiet', '--no-throttle', '--memory'] });
});
beforeEach(() => disturb(run, {}));

const isKept = async (timestamp: string) =>
  (await rowsOf(run, 'ChangeTimestamps')).some(({ Timestamp }) => Timestamp === timestamp);

const put = { action: 'dynamodb:PutItem' };

describe('a table that is disturbed', () => {
  test('for long is a 503 with Retry-After; sent again later, it is kept', async () => {
    const Timestamp = newTimestamp();
    await disturb(run, { dynamodb: [{ ...put, kind: 'error' }] });
    const refused = await run.post('changes', { Timestamp });
    expectProblem(refused, 503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(await isKept(Timestamp)).toBe(false);
    await disturb(run, {});
    expect((await run.post('changes', { Timestamp })).status).toBe(200);
    expect(await isKept(Timestamp)).toBe(true);
  });

  test('by a delay answers late and well', async () => {
    const Timestamp = newTimestamp();
    await disturb(run, { dynamodb: [{ ...put, kind: 'delay', delayMs: 300, times: 1 }] });
    const started = performance.now();
    expect((await run.post('changes', { Timestamp })).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(290);
    expect(await isKept(Timestamp)).toBe(true);
  });

  test('by a delay is not waited for by a run that is asked to end', async () => {
    const ending = await startLocal({ args: ['--quiet'] });
    await disturb(ending, { dynamodb: [{ kind: 'delay', delayMs: 3_600_000 }] });
    const asking = ending.get('material-codes').catch(() => 'cut');
    await eventually(() => functionProcesses(ending, 'GetMaterialCodes').length > 0);
    await ending.stop();
    expect(await asking).toBe('cut');
  });

  test('in one action only serves the others', async () => {
    await disturb(run, { dynamodb: [{ ...put, kind: 'error' }] });
    expect((await run.get('material-codes')).status).toBe(200);
  });
});

describe('the control endpoint', () => {
  test.each([
    ['an unknown path', 'GET', '/', 'application/json'],
    ['a form of a page in a browser', 'POST', '/disturbances', 'text/plain'],
    ['another method', 'DELETE', '/disturbances', 'application/json'],
  ])('answers 404 to %s', async (_, method, path, type) => {
    const answer = await send(`${run.outputs().ControlEndpoint}${path}`, {
      method,
      headers: { 'Content-Type': type },
      body: '{}',
    });
    expect(answer.status).toBe(404);
  });

  test('tells how many calls each disturbance has met, and begins anew with the next ones', async () => {
    const disturbances = [
      { ...put, kind: 'error', times: 1 },
      { ...put, kind: 'cut', times: 1 },
      { action: 'dynamodb:Scan', kind: 'error' },
    ] as const;
    await disturb(run, { dynamodb: [...disturbances], secretsmanager: [{ kind: 'error', after: 1_000 }] });
    expect((await run.post('changes', { Timestamp: newTimestamp() })).status).toBe(200);
    const told = await send(`${run.outputs().ControlEndpoint}/disturbances`);
    expect(told.json()).toEqual({
      dynamodb: [
        { ...disturbances[0], struck: 1 },
        { ...disturbances[1], struck: 1 },
        { ...disturbances[2], struck: 0 },
      ],
      secretsmanager: [{ kind: 'error', after: expect.any(Number), struck: 0 }],
    });
    await disturb(run, { dynamodb: [{ ...put, kind: 'error' }] });
    expect(await disturbedCalls(run)).toEqual([0]);
  });
});
