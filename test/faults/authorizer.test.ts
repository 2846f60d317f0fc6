import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assembly } from '../support/assembly.ts';
import { basic } from '../support/http-client.ts';
import { forgetClients, rowsOf } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { startWithoutCache, testFailingReads } from './failing-reads.ts';
import { expectOk, expectUnavailable } from './faulty-run.ts';

/* time-limits.test.ts has every fault of this read, in process. */
testFailingReads(['disconnected before it runs']);

test('an empty table Clients causes a 503, also for a wrong password, until there is a client', async () => {
  const run = await startWithoutCache();
  const tables = new TableReader(run.outputs());
  const [client = {}] = await rowsOf(run, 'Clients');
  await tables.clear('Clients');
  for (const authorization of [run.authorization(), basic('warehouse', 'wrong')])
    expectUnavailable(await run.get('purchase-orders', authorization));
  await tables.put('Clients', client);
  await forgetClients(run);
  expectOk(await run.get('purchase-orders'));
});

test('the authorizer and a function together end before the gateway stops waiting', async () => {
  type Resource = { Type: string; Properties: { Timeout?: number; Handler?: string } };
  const template = readFileSync(join(await assembly(), 'WarehouseControl.template.json'), 'utf8');
  const { Resources }: { Resources: Record<string, Resource> } = JSON.parse(template);
  // The gateway does not call the watch.
  const functions = Object.entries(Resources).filter(
    ([id, { Type }]) => Type === 'AWS::Lambda::Function' && !id.startsWith('Watch'),
  );
  const timeoutOf = (wanted: (id: string) => boolean) =>
    Math.max(...functions.filter(([id]) => wanted(id)).map(([, { Properties }]) => Properties.Timeout ?? 0));
  const isAuthorizer = (id: string) => id.startsWith('Authorizer');
  expect(timeoutOf(isAuthorizer) + timeoutOf((id) => !isAuthorizer(id))).toBeLessThan(29);
});
