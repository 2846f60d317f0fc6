import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { changeStore } from '../../shared/storage/change-store.ts';
import { forEachConcurrently } from '../../shared/storage/concurrency.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { snapshotStore } from '../../shared/storage/snapshot-store.ts';
import type { Outputs } from '../run.ts';
import { engineClient } from '../services/tables.ts';
import { materials, orders } from './lists.ts';
import { simulateWarehouses } from './warehouses.ts';

const WRITES_AT_A_TIME = 8;

/** Writes a month of data for each warehouse. Returns false and writes nothing if a table contains data. */
export const fillWithDemo = async (
  { DynamoDbEndpoint, Tables, Stack }: Outputs,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> => {
  const client = engineClient(DynamoDbEndpoint);
  const isEmpty = async (TableName: string) =>
    (await client.send(new ScanCommand({ TableName, Limit: 1 }))).Items?.length === 0;
  try {
    if ((await Promise.all(Object.values(Tables).map(isEmpty))).includes(false)) return false;
    const clients = Stack.Outputs['ClientNames']?.split(',') ?? [];
    const writes = writesOf(client, Tables, clients, now);
    await forEachConcurrently(WRITES_AT_A_TIME, writes, (write, ending) => write(ending), signal);
    return true;
  } finally {
    client.destroy();
  }
};

type Write = (signal: AbortSignal) => Promise<unknown>;

function* writesOf(
  client: ReturnType<typeof engineClient>,
  { MaterialCodes, PurchaseOrders, ChangeTimestamps = '', BalanceSnapshots = '' }: Outputs['Tables'],
  clients: readonly string[],
  now: Date,
): Generator<Write, undefined> {
  const documents = DynamoDBDocumentClient.from(client);
  const rows = [
    ...materials.map(({ row }) => ({ TableName: MaterialCodes, Item: row })),
    ...orders.map((row) => ({ TableName: PurchaseOrders, Item: row })),
  ];
  for (const row of rows) yield (abortSignal) => documents.send(new PutCommand(row), { abortSignal });
  const changeTable = changeStore(client, ChangeTimestamps);
  const snapshotTable = snapshotStore(client, BalanceSnapshots);
  for (const { client, changes, batches } of simulateWarehouses(clients, now)) {
    for (const [index, at] of changes.entries()) {
      const receivedAt = at.toISOString();
      const change = { client, timestamp: receivedAt.replace('.', ','), receivedAt };
      yield (signal) => changeTable.record({ ...change, requestId: `demo-change-${index}` }, signal);
    }
    for (const [index, { at: receivedAt, entries }] of batches.entries()) {
      const snapshotId = newSnapshotId(receivedAt, `demo${index}`);
      const snapshot = { client, snapshotId, receivedAt, requestId: `demo-${index}`, entries };
      yield (signal) => snapshotTable.keep(snapshot, signal);
    }
  }
}
