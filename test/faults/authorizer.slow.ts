import { describe, expect, test } from 'vitest';
import { disturb, disturbedCalls, forgetSecrets } from '../support/local-run.ts';
import { GET_SECRET, startWithChangedPassword, testFailingReads } from './failing-reads.ts';
import { expectOk, expectUnavailable } from './faulty-run.ts';

describe('reads that wait', () => testFailingReads(['throttled', 'answered too late']));

test('a request with slow secrets and a slow table gets a 503 before the gateway stops waiting', async () => {
  const { run, getOrders } = await startWithChangedPassword();
  // Two reads are enough for a client, and none are needed while the cached copies are fresh.
  await forgetSecrets(run);
  await disturb(run, { secretsmanager: [{ action: GET_SECRET, kind: 'error', after: 2 }] });
  for (const _ of [1, 2]) expectOk(await getOrders());
  expect(await disturbedCalls(run)).toEqual([0]);

  await forgetSecrets(run);
  const late = { action: GET_SECRET, kind: 'delay', times: 2 } as const;
  const inTime = { action: GET_SECRET, kind: 'delay', delayMs: 700, times: 1 } as const;
  await disturb(run, {
    // Each of the two passwords is read at the third attempt.
    secretsmanager: [late, inTime, late, inTime],
    dynamodb: [{ kind: 'delay' }],
  });
  // After 29 s, the gateway would answer 504.
  expectUnavailable(await getOrders());
});
