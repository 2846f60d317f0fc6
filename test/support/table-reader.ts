import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Outputs } from '../../local/run.ts';
import { type TableName, tableDefinition } from '../../shared/tables.ts';
import { type asStored, byCode } from './batches.ts';

type StoredEntry = ReturnType<typeof asStored>;
/** In the order of the codes, since a map has none. */
export type StoredBatch = StoredEntry[];
export type StoredChange = { Client: string; Timestamp: string };

type Item = Record<string, AttributeValue>;
export const keyAttributes = (table: TableName) => {
  const { partitionKey, sortKey } = tableDefinition(table);
  return sortKey ? [partitionKey, sortKey] : [partitionKey];
};

/** What the tables of a local run hold, read as an admin's program would, without the service's readers. */
export class TableReader {
  readonly names: Record<string, string>;
  readonly client: DynamoDBClient;

  constructor({ Tables, DynamoDbEndpoint, Region }: Pick<Outputs, 'Tables' | 'DynamoDbEndpoint' | 'Region'>) {
    this.names = Tables;
    this.client = new DynamoDBClient({
      endpoint: DynamoDbEndpoint,
      region: Region,
      credentials: { accessKeyId: 'admin', secretAccessKey: 'admin' },
    });
  }

  async rows(table: TableName): Promise<Item[]> {
    const scan = { TableName: this.names[table], ConsistentRead: true };
    const pages = await Array.fromAsync(paginateScan({ client: this.client }, scan));
    return pages.flatMap(({ Items = [] }) => Items);
  }

  async changes(): Promise<StoredChange[]> {
    return changesIn(await this.rows('ChangeTimestamps'));
  }

  /** Every snapshot that a reader can see, by its id. A part that belongs to none is an error. */
  async batches(): Promise<Map<string, StoredBatch>> {
    return batchesIn(await this.rows('BalanceSnapshots'));
  }

  /** The snapshots that a reader can see. */
  snapshotIds(client: string, after?: string): Promise<string[]> {
    return this.partIds(client, 1, after);
  }

  /** The snapshots that have this part, be they whole or not. */
  async partIds(client: string, part: number, after = ' '): Promise<string[]> {
    const query = {
      TableName: this.names['BalanceSnapshots'],
      ConsistentRead: true,
      KeyConditionExpression: 'Client = :client AND SnapshotId > :after',
      ExpressionAttributeValues: { ':client': { S: partKey(client, part) }, ':after': { S: after } },
      ProjectionExpression: 'SnapshotId',
    };
    const pages = await Array.fromAsync(paginateQuery({ client: this.client }, query));
    return pages.flatMap(({ Items = [] }) => Items.map(({ SnapshotId }) => text(SnapshotId)));
  }

  /** One snapshot, read by its keys alone, as a reader does who knows its id. */
  async batch(client: string, id: string): Promise<StoredBatch> {
    const first = await this.part(client, id);
    const others = Array.from({ length: number(first['Parts']) - 1 }, (_, index) =>
      this.part(partKey(client, index + 2), id),
    );
    return whole(id, [first, ...(await Promise.all(others))]);
  }

  /** The number as it is stored. */
  async balance(client: string, id: string, code: string): Promise<string | undefined> {
    const { Balances } = await this.part(client, id);
    return Balances?.M?.[code]?.M?.['StockBalance']?.N;
  }

  private async part(Client: string, SnapshotId: string): Promise<Item> {
    const Key = { Client: { S: Client }, SnapshotId: { S: SnapshotId } };
    const get = new GetItemCommand({ TableName: this.names['BalanceSnapshots'], Key, ConsistentRead: true });
    const { Item } = await this.client.send(get);
    if (!Item) throw new Error(`There is no ${SnapshotId} of ${Client}.`);
    return Item;
  }

  async put(table: TableName, row: Record<string, unknown>) {
    const put = new PutCommand({ TableName: this.names[table], Item: row });
    await DynamoDBDocumentClient.from(this.client).send(put);
  }

  /** All changes and batches, which are then deleted. */
  async takeAll() {
    const changes = await this.take('ChangeTimestamps');
    const batches = await this.take('BalanceSnapshots');
    return { changes: changesIn(changes), batches: batchesIn(batches) };
  }

  async clear(...cleared: TableName[]) {
    for (const table of cleared) await this.take(table);
  }

  private async take(table: TableName): Promise<Item[]> {
    const rows = await this.rows(table);
    const TableName = this.names[table];
    const names = keyAttributes(table);
    const deleted = rows.map((row) => {
      const Key = Object.fromEntries(names.map((name) => [name, typed(row[name], 'key')]));
      return this.client.send(new DeleteItemCommand({ TableName, Key }));
    });
    await Promise.all(deleted);
    return rows;
  }

  /** A statement as it is typed into the console, with the name of a table in braces. */
  async select(statement: string): Promise<Item[]> {
    const Statement = statement.replace(/\{(\w+)\}/, (_, table) => `"${this.names[table]}"`);
    const { Items = [] } = await this.client.send(new ExecuteStatementCommand({ Statement }));
    return Items;
  }
}

const changesIn = (rows: Item[]): StoredChange[] =>
  rows.map(({ Client, Timestamp }) => ({ Client: text(Client), Timestamp: text(Timestamp) }));

const batchesIn = (rows: Item[]): Map<string, StoredBatch> => {
  const parts = Map.groupBy(rows, ({ SnapshotId }) => text(SnapshotId));
  return new Map([...parts].map(([id, items]) => [id, whole(id, items)]));
};

const partKey = (client: string, part: number) => (part === 1 ? client : `${client}:${part}`);

const whole = (id: string, items: Item[]): StoredBatch => {
  const first = items.find(({ Client }) => !text(Client).includes(':'));
  if (!first) throw new Error(`There are parts of ${id}, and none is the first.`);
  const entries = items.flatMap(({ Balances }) => Object.entries(Balances?.M ?? {})).map(entryOf);
  if (items.length !== number(first['Parts']) || entries.length !== number(first['EntryCount'])) {
    throw new Error(`The snapshot ${id} is not whole.`);
  }
  return entries.toSorted(byCode);
};

/** Strict about types, so that a number that is kept as a string is found. */
const entryOf = ([MaterialCode, { M = {} }]: [string, AttributeValue]): StoredEntry => {
  const { StockBalance, StockBalanceUnit, PurchaseOrders, ...others } = M;
  if (Object.keys(others).length > 0) throw new Error(`There is more: ${Object.keys(others)}`);
  return {
    MaterialCode,
    StockBalance: number(StockBalance),
    StockBalanceUnit: text(StockBalanceUnit),
    PurchaseOrders: list(PurchaseOrders).map(text),
  };
};

const text = (value: AttributeValue | undefined) => typed(value?.S, 'string');
const number = (value: AttributeValue | undefined) => Number(typed(value?.N, 'number'));
const list = (value: AttributeValue | undefined) => typed(value?.L, 'list');

const typed = <T>(value: T | undefined, kind: string): T => {
  if (value === undefined) throw new Error(`There is no ${kind} where one is stored.`);
  return value;
};
