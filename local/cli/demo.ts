import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { changeStore } from '../../shared/storage/change-store.ts';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { snapshotStore } from '../../shared/storage/snapshot-store.ts';
import type { Outputs } from '../run.ts';
import { adminClient } from '../services/tables.ts';

type Item = Record<string, AttributeValue>;

const materials = ['Болт', 'Гайка', 'Лист', 'Rohr', 'Profil', 'Sheet', 'Śruba', 'Kabel'].flatMap(
  (kind, group) =>
    Array.from({ length: 15 }, (_, index) => ({
      code: `${kind}-${group + 1}/${String(index + 1).padStart(3, '0')}`,
      name: `${kind} ${index + 1}`,
      group: `G${group + 1}`,
    })),
);
const orders = Array.from({ length: 40 }, (_, index) => `OT${4_500_000 + index * 17}`);
const suppliers = ['Nordstahl', 'Уралметалл', 'Fasteners Ltd', 'Kabelwerk'];

const DAY_MS = 86_400_000;
const SNAPSHOT_EVERY_MS = DAY_MS / 8;
const DAYS = 3;

/** Fills the empty tables with a small warehouse's last few days, and returns the names of the other tables. */
export const fillWithDemo = async (outputs: Outputs, now: Date): Promise<string[]> => {
  const leftAlone: string[] = [];
  const client = adminClient(outputs.DynamoDbEndpoint);
  const [name = ''] = outputs.Stack.Outputs['ClientNames']?.split(',') ?? [];
  const fill = async (table: string, items: () => Item[]) => {
    const TableName = outputs.Tables[table];
    if (TableName && (await isEmpty(client, TableName))) await write(client, TableName, items());
    else leftAlone.push(table);
  };
  await fill('MaterialCodes', () =>
    materials.map(({ code, name, group }) => ({
      MaterialCode: { S: code },
      Name: { S: name },
      Group: { S: group },
    })),
  );
  await fill('PurchaseOrders', () =>
    orders.map((order, index) => ({
      PurchaseOrder: { S: order },
      Supplier: { S: suppliers[index % suppliers.length] ?? '' },
      Lines: { N: String(1 + (index % 7)) },
    })),
  );
  const { ChangeTimestamps = '', BalanceSnapshots = '' } = outputs.Tables;
  const areNew = (await isEmpty(client, ChangeTimestamps)) && (await isEmpty(client, BalanceSnapshots));
  if (!areNew) leftAlone.push('ChangeTimestamps', 'BalanceSnapshots');
  for (const [index, at] of (areNew ? reportTimes(now) : []).entries()) {
    await report({ client, name, at, index, ChangeTimestamps, BalanceSnapshots });
  }
  client.destroy();
  return leftAlone;
};

const reportTimes = (now: Date) =>
  Array.from({ length: (DAYS * DAY_MS) / SNAPSHOT_EVERY_MS }, (_, index) => {
    return new Date(now.getTime() - DAYS * DAY_MS + index * SNAPSHOT_EVERY_MS);
  });

type Report = {
  client: DynamoDBClient;
  name: string;
  at: Date;
  index: number;
  ChangeTimestamps: string;
  BalanceSnapshots: string;
};

/** Every few hours, a warehouse reports a change and then all its balances. */
const report = async ({ client, name, at, index, ChangeTimestamps, BalanceSnapshots }: Report) => {
  const { signal } = new AbortController();
  const requestId = `demo-${index}`;
  const timestamp = at.toISOString().replace('.', ',');
  const change = { client: name, timestamp, receivedAt: at.toISOString(), requestId };
  await changeStore(client, ChangeTimestamps).record(change, signal);
  const snapshotId = newSnapshotId(at, `demo${index}`);
  const snapshot = { client: name, snapshotId, receivedAt: at, requestId, entries: balancesAt(index) };
  await snapshotStore(client, BalanceSnapshots).keep(snapshot, signal);
};

/** Most balances change a little. Some codes are not in the list, and some codes of the list have no balance. */
const balancesAt = (report: number) =>
  [...materials.slice(5), { code: 'Unlisted-1' }, { code: 'Unlisted-2' }].map(({ code }, index) => ({
    MaterialCode: code,
    StockBalance: Math.round(1_000 * (100 + 40 * Math.sin(index + report / 6) - (index % 11) * 12)) / 1_000,
    StockBalanceUnit: 'kg',
    PurchaseOrders: orders.slice(index % 40, (index % 40) + (index % 3)),
  }));

const isEmpty = async (client: DynamoDBClient, TableName: string) => {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, Limit: 1 }));
  return Items.length === 0;
};

const BATCH = 25;

const write = async (client: DynamoDBClient, table: string, items: Item[]) => {
  for (let from = 0; from < items.length; from += BATCH) {
    let requests = { [table]: items.slice(from, from + BATCH).map((Item) => ({ PutRequest: { Item } })) };
    while (Object.keys(requests).length > 0) {
      const { UnprocessedItems = {} } = await client.send(
        new BatchWriteItemCommand({ RequestItems: requests }),
      );
      requests = Object(UnprocessedItems);
    }
  }
};
