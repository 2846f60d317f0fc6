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
/** In the order of the codes, because the stored map has no order. */
export type StoredBatch = StoredEntry[];
export type StoredChange = { Client: string; Timestamp: string };

type Item = Record<string, AttributeValue>;
export const keyAttributes = (table: TableName) => {
  const { partitionKey, sortKey } = tableDefinition(table);
  return sortKey ? [partitionKey, sortKey] : [partitionKey];
};

/** Reads the tables of a local run without the readers of the service, as a program of an admin would. */
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

  /** Every snapshot that a reader can see, by its id. Throws if a part belongs to no snapshot. */
  async batches(): Promise<Map<string, StoredBatch>> {
    return batchesIn(await this.rows('BalanceSnapshots'));
  }

  /** The ids of the snapshots that a reader can see. */
  snapshotIds(client: string, after?: string): Promise<string[]> {
    return this.partIds(client, 1, after);
  }

  /** The ids of the snapshots that have this part, even if other parts are missing. */
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

  /** Reads one snapshot by its keys alone, as a reader that knows its id does. */
  async batch(client: string, id: string): Promise<StoredBatch> {
    const part1 = await this.part(client, id);
    const others = Array.from({ length: number(part1['Parts']) - 1 }, (_, index) =>
      this.part(partKey(client, index + 2), id),
    );
    return joinParts(id, [part1, ...(await Promise.all(others))]);
  }

  /** The digits of a balance as they are stored. */
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

  /** Returns all changes and batches, and deletes them. */
  async takeAll() {
    const changes = await this.take('ChangeTimestamps');
    const batches = await this.take('BalanceSnapshots');
    return { changes: changesIn(changes), batches: batchesIn(batches) };
  }

  async clear(...tables: TableName[]) {
    for (const table of tables) await this.take(table);
  }

  private async take(table: TableName): Promise<Item[]> {
    const rows = await this.rows(table);
    const TableName = this.names[table];
    const names = keyAttributes(table);
    const deletions = rows.map((row) => {
      const Key = Object.fromEntries(names.map((name) => [name, requireValue(row[name], 'key')]));
      return this.client.send(new DeleteItemCommand({ TableName, Key }));
    });
    await Promise.all(deletions);
    return rows;
  }

  /** Runs a PartiQL statement, in which braces stand around the name of a table. */
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
  return new Map([...parts].map(([id, items]) => [id, joinParts(id, items)]));
};

const partKey = (client: string, part: number) => (part === 1 ? client : `${client}:${part}`);

const joinParts = (id: string, items: Item[]): StoredBatch => {
  const part1 = items.find(({ Client }) => !text(Client).includes(':'));
  if (!part1) throw new Error(`The snapshot ${id} has no part 1.`);
  const entries = items.flatMap(({ Balances }) => Object.entries(Balances?.M ?? {})).map(storedEntryOf);
  if (items.length !== number(part1['Parts']) || entries.length !== number(part1['EntryCount'])) {
    throw new Error(`The snapshot ${id} is not complete.`);
  }
  return entries.toSorted(byCode);
};

/** Throws for an attribute of another type, such as a number that is stored as a string. */
const storedEntryOf = ([MaterialCode, { M = {} }]: [string, AttributeValue]): StoredEntry => {
  const { StockBalance, StockBalanceUnit, PurchaseOrders, ...others } = M;
  if (Object.keys(others).length > 0) throw new Error(`The entry has other fields: ${Object.keys(others)}`);
  return {
    MaterialCode,
    StockBalance: number(StockBalance),
    StockBalanceUnit: text(StockBalanceUnit),
    PurchaseOrders: list(PurchaseOrders).map(text),
  };
};

const text = (value: AttributeValue | undefined) => requireValue(value?.S, 'string');
const number = (value: AttributeValue | undefined) => Number(requireValue(value?.N, 'number'));
const list = (value: AttributeValue | undefined) => requireValue(value?.L, 'list');

const requireValue = <T>(value: T | undefined, kind: string): T => {
  if (value === undefined) throw new Error(`A stored attribute is missing, or is no ${kind}.`);
  return value;
};
