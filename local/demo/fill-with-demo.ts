import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { changeWriter } from '../../shared/storage/change-writer.ts';
import { forEachConcurrently } from '../../shared/storage/concurrency.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { snapshotWriter } from '../../shared/storage/snapshot-writer.ts';
import type { Outputs, StartedRun } from '../run.ts';
import { engineClient, isEmpty } from '../services/tables.ts';
import { materials, orders } from './lists.ts';
import { demoClients, simulateWarehouses, startOfDemo } from './warehouses.ts';

const WRITES_AT_A_TIME = 8;

/**
 * Writes a month of data for each warehouse, and adds each client that does not exist. Returns false and writes nothing
 * if a table other than Clients contains data.
 */
export const fillWithDemo = async (
  { outputs, addClients }: Pick<StartedRun, 'outputs' | 'addClients'>,
  now: Date,
  signal: AbortSignal,
): Promise<boolean> => {
  const dynamodb = engineClient(outputs.DynamoDbEndpoint);
  const { Clients: _, ...tables } = outputs.Tables;
  try {
    const checks = Object.values(tables).map((name) => isEmpty(dynamodb, name));
    if ((await Promise.all(checks)).includes(false)) return false;
    // The watch counts silence only from the time when a client was added. So the clients are older than their data.
    await addClients(demoClients, startOfDemo(now));
    const writes = writesOf(dynamodb, tables, now);
    await forEachConcurrently(WRITES_AT_A_TIME, writes, (write, stopSignal) => write(stopSignal), signal);
    return true;
  } finally {
    dynamodb.destroy();
  }
};

type Write = (signal: AbortSignal) => Promise<unknown>;

function* writesOf(
  dynamodb: ReturnType<typeof engineClient>,
  { MaterialCodes, PurchaseOrders, ChangeTimestamps = '', BalanceSnapshots = '' }: Outputs['Tables'],
  now: Date,
): Generator<Write, undefined> {
  const documents = DynamoDBDocumentClient.from(dynamodb);
  const rows = [
    ...materials.map(({ row }) => ({ TableName: MaterialCodes, Item: row })),
    ...orders.map((row) => ({ TableName: PurchaseOrders, Item: row })),
  ];
  for (const row of rows) yield (abortSignal) => documents.send(new PutCommand(row), { abortSignal });
  const changeTable = changeWriter(dynamodb, ChangeTimestamps);
  const snapshotTable = snapshotWriter(dynamodb, BalanceSnapshots);
  for (const { client, changes, batches } of simulateWarehouses(now)) {
    for (const [index, at] of changes.entries()) {
      const receivedAt = at.toISOString();
      const change = { client, timestamp: receivedAt.replace('.', ','), receivedAt };
      yield (signal) => changeTable.keep({ ...change, requestId: `demo-change-${index}` }, signal);
    }
    for (const [index, { at: receivedAt, entries }] of batches.entries()) {
      const snapshotId = newSnapshotId(receivedAt, `demo${index}`);
      const snapshot = { client, snapshotId, receivedAt, requestId: `demo-${index}`, entries };
      yield (signal) => snapshotTable.keep(snapshot, signal);
    }
  }
}
