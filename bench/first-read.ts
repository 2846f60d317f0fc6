import { fork } from 'node:child_process';
import { once } from 'node:events';
import { BatchWriteItemCommand, CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../local/services/engine.ts';
import { engineClient } from '../local/services/tables.ts';
import { toItem } from '../shared/clients/client.ts';
import { newClient } from '../shared/clients/new-client.ts';
import { generatePassword } from '../shared/clients/password.ts';
import type { Item } from '../shared/storage/attribute-json.ts';
import { toSnapshotItems } from '../shared/storage/snapshot.ts';
import { tableDefinition, tableNames } from '../shared/tables.ts';
import { DAY_MS } from '../shared/time.ts';
import { createBatches, nameOf } from './console/make-batches.ts';
import type { FirstRead } from './first-read-process.ts';

const BATCHES_A_DAY = 96;
export const FIRST_READ_SIZE = { warehouses: 30, balances: 200, everyMs: DAY_MS / BATCHES_A_DAY };

/** Fills the local run's engine with batches of so many days, and reads them in a process as an admin's machine does for the first time. */
export const measureFirstRead = async (
  days: number,
  warehouses = FIRST_READ_SIZE.warehouses,
): Promise<FirstRead> => {
  const engine = await startEngine();
  const dynamodb = engineClient(engine.endpoint);
  try {
    for (const name of tableNames) {
      const { partitionKey, sortKey } = tableDefinition(name);
      const keys = [partitionKey, sortKey].filter((key) => key !== undefined);
      await dynamodb.send(
        new CreateTableCommand({
          TableName: name,
          KeySchema: keys.map((AttributeName, index) => ({
            AttributeName,
            KeyType: index ? 'RANGE' : 'HASH',
          })),
          AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
          BillingMode: 'PAY_PER_REQUEST',
        }),
      );
    }
    const write = async (table: string, items: readonly Item[]) => {
      const puts = items.map((Item) => ({ PutRequest: { Item } }));
      await dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
    };
    for (let index = 0; index < warehouses; index += 1)
      await write('Clients', [clientItem(nameOf(index), index + 1)]);
    for (const group of inGroups(
      createBatches({ ...FIRST_READ_SIZE, warehouses, batches: Math.ceil(days * BATCHES_A_DAY) }).all(),
      25,
    ))
      await write('BalanceSnapshots', group.flatMap(toSnapshotItems));
    const child = fork(new URL('first-read-process.ts', import.meta.url), [engine.endpoint]);
    const [figures] = await once(child, 'message');
    return figures;
  } finally {
    dynamodb.destroy();
    await engine.stop();
  }
};

const clientItem = (name: string, slot: number) => {
  const client = newClient({ name, password: generatePassword(), plan: 'standard', slot, now: new Date() });
  return toItem({ ...client, ChangedBy: 'bench', Version: 1 });
};

function* inGroups<T>(all: Iterable<T>, size: number) {
  let group: T[] = [];
  for (const each of all) {
    group.push(each);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
