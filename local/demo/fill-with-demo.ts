import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { toChangeItem } from '../../shared/storage/change-store.ts';
import { forEachConcurrently, runConcurrently } from '../../shared/storage/concurrency.ts';
import { newSnapshotId, type Snapshot } from '../../shared/storage/snapshot.ts';
import { snapshotStore } from '../../shared/storage/snapshot-store.ts';
import type { Outputs } from '../run.ts';
import { adminClient } from '../services/tables.ts';
import { materials, orders } from './lists.ts';
import { simulateWarehouses, type Warehouse } from './warehouses.ts';

type Item = Record<string, AttributeValue>;

/** Fills the tables with a month of four warehouses. Writes nothing, and returns false, if a table holds data. */
export const fillWithDemo = async (outputs: Outputs, now: Date): Promise<boolean> => {
  const client = adminClient(outputs.DynamoDbEndpoint);
  try {
    const areEmpty = await Promise.all(Object.values(outputs.Tables).map((table) => isEmpty(client, table)));
    if (areEmpty.includes(false)) return false;
    await writeAll(client, outputs, now);
    return true;
  } finally {
    client.destroy();
  }
};

const isEmpty = async (client: DynamoDBClient, TableName: string) => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  return Items.length === 0;
};

const WRITES_AT_A_TIME = 8;

const writeAll = async (client: DynamoDBClient, { Tables, Stack }: Outputs, now: Date) => {
  const warehouses = simulateWarehouses(Stack.Outputs['ClientNames']?.split(',') ?? [], now);
  const { BalanceSnapshots = '', ...others } = Tables;
  const snapshots = snapshotStore(client, BalanceSnapshots);
  await runConcurrently(new AbortController().signal, (signal) => {
    const ofOthers = Object.entries(toItems(warehouses)).flatMap(([name, items]) =>
      toBatches(items).map((batch) => () => writeBatch(client, others[name] ?? '', batch, signal)),
    );
    const ofSnapshots = warehouses
      .flatMap(toSnapshots)
      .map((snapshot) => () => snapshots.keep(snapshot, signal));
    const writes = [...ofOthers, ...ofSnapshots].values();
    return forEachConcurrently(WRITES_AT_A_TIME, writes, (write) => write());
  });
};

const toItems = (warehouses: readonly Warehouse[]): Record<string, Item[]> => ({
  MaterialCodes: materials.map(({ code, name, group, unit, weight }) => ({
    MaterialCode: { S: code },
    Name: { S: name },
    Group: { S: group },
    Unit: { S: unit },
    Weight: { N: String(weight) },
  })),
  PurchaseOrders: orders.map(({ order, supplier, lines }) => ({
    PurchaseOrder: { S: order },
    Supplier: { S: supplier },
    Lines: { N: String(lines) },
  })),
  ChangeTimestamps: warehouses.flatMap(({ client, changes }) =>
    changes.map((at, index) => {
      const receivedAt = at.toISOString();
      const timestamp = receivedAt.replace('.', ',');
      return toChangeItem({ client, timestamp, receivedAt, requestId: `demo-change-${index}` });
    }),
  ),
});

const toSnapshots = ({ client, batches }: Warehouse): Snapshot[] =>
  batches.map(({ at, entries }, index) => {
    const snapshotId = newSnapshotId(at, `demo${index}`);
    return { client, snapshotId, receivedAt: at, requestId: `demo-${index}`, entries };
  });

/** The most that one call writes. */
const BATCH = 25;

const toBatches = (items: readonly Item[]) =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );

const writeBatch = async (
  client: DynamoDBClient,
  table: string,
  items: readonly Item[],
  abortSignal: AbortSignal,
) => {
  let requests = { [table]: items.map((Item) => ({ PutRequest: { Item } })) };
  while (Object.keys(requests).length > 0) {
    const batch = new BatchWriteItemCommand({ RequestItems: requests });
    const { UnprocessedItems = {} } = await client.send(batch, { abortSignal });
    requests = Object(UnprocessedItems);
  }
};
