import { test } from 'vitest';
import { largeBatch } from '../support/batches.ts';
import { basic } from '../support/http-client.ts';
import { forgetClients, injectFaults, type LocalRun, rowsOf } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { testFailingCalls } from './failing-calls.ts';
import { startWithoutCache, testFailingReads } from './failing-reads.ts';
import { expectOk, expectUnavailable } from './faulty-run.ts';

let started: Promise<LocalRun> | undefined;
const start = () => {
  started ??= startWithoutCache();
  return started;
};

/*
 * An error of the first call of every operation, and a lost response of the last call of a batch.
 * test/shared/storage/faults.test.ts has the other faults, in the process of the test.
 */
testFailingCalls(
  [
    ['5xx', 0],
    ['executed, but its response is lost', 2],
  ],
  start,
  { body: largeBatch(), parts: 3 },
);

/* test/functions/time-limits.test.ts has every fault of this read, in the process of the test. */
testFailingReads(['disconnected before it runs'], start);

test('an empty table Clients causes a 503, also for a wrong password, until there is a client', async () => {
  const run = await start();
  await injectFaults(run, {});
  await forgetClients(run);
  const tables = new TableReader(run.outputs());
  const [client = {}] = await rowsOf(run, 'Clients');
  await tables.clear('Clients');
  for (const authorization of [run.authorization(), basic('warehouse', 'wrong')])
    expectUnavailable(await run.get('purchase-orders', authorization));
  await tables.put('Clients', client);
  await forgetClients(run);
  expectOk(await run.get('purchase-orders'));
});
