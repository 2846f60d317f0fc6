import { expect, test } from 'vitest';
import { faultyCalls, injectFaults } from '../support/local-run.ts';
import { expectUnavailable, startWithoutCache } from './faulty-run.ts';

test('a request with slow clients and a slow table gets a 503 before the gateway stops waiting', async () => {
  const run = await startWithoutCache();
  const action = 'dynamodb:Scan';
  await injectFaults(run, {
    // The third attempt succeeds.
    clients: [
      { action, kind: 'delay', times: 2 },
      { action, kind: 'delay', delayMs: 1_500 },
    ],
    dynamodb: [{ kind: 'delay' }],
  });
  // After 29 s, the gateway would respond with 504.
  expectUnavailable(await run.get('purchase-orders'));
  expect(await faultyCalls(run)).toEqual([2, 1, expect.any(Number)]);
});
