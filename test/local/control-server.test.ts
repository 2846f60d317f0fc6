import { beforeAll, expect, test } from 'vitest';
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

/** test/faults has the outcomes of all kinds of disturbances. */

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal({ args: ['--quiet', '--no-throttle', '--memory'] });
});

const put = { action: 'dynamodb:PutItem' };

test.each([
  ['an unknown path', 'GET', '/', 'application/json'],
  ['the content type of a form in a browser', 'POST', '/disturbances', 'text/plain'],
  ['another method', 'DELETE', '/disturbances', 'application/json'],
])('%s is a 404', async (_, method, path, type) => {
  const headers = { 'Content-Type': type };
  const answer = await send(`${run.outputs().ControlEndpoint}${path}`, { method, headers, body: '{}' });
  expect(answer.status).toBe(404);
});

test('GET /disturbances counts the disturbed calls, from 0 after each POST /disturbances', async () => {
  const disturbances = [
    { ...put, kind: 'error', times: 1 },
    { ...put, kind: 'cut', times: 1 },
    { action: 'dynamodb:Scan', kind: 'error' },
  ] as const;
  await disturb(run, { dynamodb: [...disturbances], secretsmanager: [{ kind: 'error', after: 1_000 }] });
  expect((await run.post('changes', { Timestamp: newTimestamp() })).status).toBe(200);
  const counted = await send(`${run.outputs().ControlEndpoint}/disturbances`);
  expect(counted.json()).toEqual({
    dynamodb: [
      { ...disturbances[0], struck: 1 },
      { ...disturbances[1], struck: 1 },
      { ...disturbances[2], struck: 0 },
    ],
    secretsmanager: [{ kind: 'error', after: expect.any(Number), struck: 0 }],
  });
  await disturb(run, { dynamodb: [{ ...put, kind: 'error' }] });
  expect(await disturbedCalls(run)).toEqual([0]);
  expect((await run.get('material-codes')).status).toBe(200);
});

test('a short delay makes an answer late, and the change is kept', async () => {
  const Timestamp = newTimestamp();
  await disturb(run, { dynamodb: [{ ...put, kind: 'delay', delayMs: 300, times: 1 }] });
  const started = performance.now();
  expect((await run.post('changes', { Timestamp })).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(290);
  expect(await rowsOf(run, 'ChangeTimestamps')).toContainEqual(expect.objectContaining({ Timestamp }));
});

// The last test, since it ends the run.
test('a run ends without waiting for a delayed call', async () => {
  await disturb(run, { dynamodb: [{ kind: 'delay', delayMs: 3_600_000 }] });
  const request = run.get('purchase-orders').catch(() => 'cut');
  await eventually(() => functionProcesses(run, 'GetPurchaseOrders').length > 0);
  await run.stop();
  expect(await request).toBe('cut');
});
