import { expect, test } from 'vitest';
import { disturb, disturbedCalls } from '../support/local-run.ts';
import { SCAN, startWithoutCache, testFailingReads } from './failing-reads.ts';
import { expectUnavailable } from './faulty-run.ts';

testFailingReads(['throttled', 'answered with a 5xx', 'executed with a lost answer', 'answered too late']);

test('a request with slow clients and a slow table gets a 503 before the gateway stops waiting', async () => {
  const run = await startWithoutCache();
  await disturb(run, {
    // The third attempt succeeds.
    clients: [
      { action: SCAN, kind: 'delay', times: 2 },
      { action: SCAN, kind: 'delay', delayMs: 1_500 },
    ],
    dynamodb: [{ kind: 'delay' }],
  });
  // After 29 s, the gateway would answer 504.
  expectUnavailable(await run.get('purchase-orders'));
  expect(await disturbedCalls(run)).toEqual([2, 1, expect.any(Number)]);
});
