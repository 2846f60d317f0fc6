import { test } from 'vitest';
import { basic } from '../support/http-client.ts';
import { forgetClients, injectFaults, rowsOf } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { testFailingReads } from './failing-reads.ts';
import { expectOk, expectUnavailable } from './faulty-run.ts';

/* test/functions/time-limits.test.ts has every fault of this read, in the process of the test. */
const runOfReads = testFailingReads(['disconnected before it runs']);

test('an empty table Clients causes a 503, also for a wrong password, until there is a client', async () => {
  const run = runOfReads();
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
