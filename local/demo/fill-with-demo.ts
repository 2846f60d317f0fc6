import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { toChangeItem } from '../../shared/storage/change-store.ts';
import { forEachConcurrently, runConcurrently } from '../../shared/storage/concurrency.ts';
import { newSnapshotId, toSnapshotItems } from '../../shared/storage/snapshot.ts';
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
    await writeAll(client, writesTo(outputs, now));
    return true;
  } finally {
    client.destroy();
  }
};

const isEmpty = async (client: DynamoDBClient, TableName: string) => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  return Items.length === 0;
};

type Write = { table: string; items: Item[] };

const writesTo = ({ Tables, Stack }: Outputs, now: Date): Write[] => {
  const clients = Stack.Outputs['ClientNames']?.split(',') ?? [];
  const warehouses = simulateWarehouses(clients, now);
  const items = {
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
    ChangeTimestamps: warehouses.flatMap(changeItemsOf),
    BalanceSnapshots: warehouses.flatMap(snapshotItemsOf),
  };
  return Object.entries(items).map(([name, items]) => ({ table: Tables[name] ?? '', items }));
};

const changeItemsOf = ({ client, changes }: Warehouse) =>
  changes.map((at, index) => {
    const receivedAt = at.toISOString();
    const timestamp = receivedAt.replace('.', ',');
    return toChangeItem({ client, timestamp, receivedAt, requestId: `demo-change-${index}` });
  });

const snapshotItemsOf = ({ client, batches }: Warehouse) =>
  batches.flatMap(({ at, entries }, index) => {
    const snapshotId = newSnapshotId(at, `demo${index}`);
    return toSnapshotItems({ client, snapshotId, receivedAt: at, requestId: `demo-${index}`, entries });
  });

/** The most that one call writes. */
const ITEMS_PER_CALL = 25;
const CALLS_AT_A_TIME = 4;

const writeAll = async (client: DynamoDBClient, writes: readonly Write[]) => {
  const calls = writes.flatMap(({ table, items }) =>
    Array.from({ length: Math.ceil(items.length / ITEMS_PER_CALL) }, (_, index) => ({
      table,
      items: items.slice(index * ITEMS_PER_CALL, (index + 1) * ITEMS_PER_CALL),
    })),
  );
  const { signal } = new AbortController();
  await runConcurrently(signal, (signal) =>
    forEachConcurrently(CALLS_AT_A_TIME, calls.values(), (call) => write(client, call, signal)),
  );
};

const write = async (client: DynamoDBClient, { table, items }: Write, abortSignal: AbortSignal) => {
  let requests = { [table]: items.map((Item) => ({ PutRequest: { Item } })) };
  while (Object.keys(requests).length > 0) {
    const batch = new BatchWriteItemCommand({ RequestItems: requests });
    const { UnprocessedItems = {} } = await client.send(batch, { abortSignal });
    requests = Object(UnprocessedItems);
  }
};
