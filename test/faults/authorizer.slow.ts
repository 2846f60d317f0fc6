import { expect, test } from 'vitest';
import { faultyCalls, injectFaults } from '../support/local-run.ts';
import { SCAN, startWithoutCache, testFailingReads } from './failing-reads.ts';
import { expectUnavailable } from './faulty-run.ts';

testFailingReads(['throttled', '5xx', 'executed, but its response is lost', 'late response']);

test('a request with slow clients and a slow table gets a 503 before the gateway stops waiting', async () => {
  const run = await startWithoutCache();
  await injectFaults(run, {
    // The third attempt succeeds.
    clients: [
      { action: SCAN, kind: 'delay', times: 2 },
      { action: SCAN, kind: 'delay', delayMs: 1_500 },
    ],
    dynamodb: [{ kind: 'delay' }],
  });
  // After 29 s, the gateway would respond with 504.
  expectUnavailable(await run.get('purchase-orders'));
  expect(await faultyCalls(run)).toEqual([2, 1, expect.any(Number)]);
});
