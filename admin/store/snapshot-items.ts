import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isRecord } from '../../shared/schemas/json.ts';
import { MOST_PARTS } from '../../shared/schemas/limits.ts';
import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { partKey, type Snapshot } from '../../shared/storage/snapshot.ts';
import { mapStoreErrors } from '../../shared/storage/store-errors.ts';
import { paginate } from './paginate.ts';

/** What stands in the table is nothing that the service can have put there, or a piece of it has gone. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot';
  readonly snapshotId: string;

  constructor(snapshotId: string, message: string) {
    super(message);
    this.snapshotId = snapshotId;
  }
}

/** Whoever reads many decides what a damaged one means to the others. */
export type OnDamaged = (damage: DamagedSnapshot) => void;

export const skipDamaged = async <T>(read: () => T | Promise<T>, onDamaged: OnDamaged) => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DamagedSnapshot)) throw error;
    onDamaged(error);
    return undefined;
  }
};

export const rethrow: OnDamaged = (damage) => {
  throw damage;
};

const Instant = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'This is no time.'),
);

/** What is stored is parsed like what is sent: a table may be edited by hand. */
const StoredHead = v.object({
  SnapshotId: v.string(),
  ReceivedAt: Instant,
  RequestId: v.string(),
  EntryCount: v.number(),
  Parts: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_PARTS)),
  ExpiresAt: v.optional(v.number()),
});

// Not v.record, which passes over keys such as `constructor`; those are codes like any other.
const Balances = v.custom<Record<string, unknown>>(isRecord, 'Balances is no map.');

const StoredBalance = v.object({
  StockBalance: v.number(),
  StockBalanceUnit: v.string(),
  PurchaseOrders: v.array(v.string()),
});

type Item = Record<string, unknown>;

const parsed = <TSchema extends v.GenericSchema>(
  schema: TSchema,
  value: unknown,
  item: Item,
  what = nameOf(item),
) => {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new DamagedSnapshot(
    String(item['SnapshotId']),
    `${what} is damaged: ${[v.getDotPath(issue), issue.message].filter(Boolean).join(': ')}`,
  );
};

const nameOf = (item: Item) => `Snapshot ${item['SnapshotId']} of ${item['Client']}`;

/** A snapshot without its entries. */
export type SnapshotHead = Omit<Snapshot, 'entries'> & { entryCount: number; parts: number };

export const toHead = (client: string, item: Item): SnapshotHead => {
  const head = parsed(StoredHead, item, item);
  return {
    client,
    snapshotId: head.SnapshotId,
    receivedAt: new Date(head.ReceivedAt),
    requestId: head.RequestId,
    entryCount: head.EntryCount,
    parts: head.Parts,
    ...(head.ExpiresAt === undefined ? {} : { expiresAt: new Date(head.ExpiresAt * 1_000) }),
  };
};

export const toEntries = (item: Item): StockBalanceEntry[] =>
  Object.entries(parsed(Balances, item['Balances'] ?? {}, item)).map(([MaterialCode, balance]) => ({
    MaterialCode,
    ...parsed(StoredBalance, balance, item, `${MaterialCode} in ${nameOf(item)}`),
  }));

const HEAD = ['Client', ...Object.keys(StoredHead.entries)];

/** Which attributes: all of them, those that are not balances, or these and the balance of one material. */
type Wanted = 'all' | 'head' | { code: string };

const projection = (wanted: Wanted) => {
  if (wanted === 'all') return {};
  if (wanted === 'head') return { ProjectionExpression: HEAD.join() };
  return {
    ProjectionExpression: [...HEAD, 'Balances.#code'].join(),
    ExpressionAttributeNames: { '#code': wanted.code },
  };
};

export const readPart = async (
  documents: DynamoDBDocumentClient,
  table: string,
  { client, snapshotId, part, wanted }: { client: string; snapshotId: string; part: number; wanted: Wanted },
): Promise<Item | undefined> => {
  const Key = { Client: partKey(client, part), SnapshotId: snapshotId };
  const get = new GetCommand({ TableName: table, Key, ConsistentRead: true, ...projection(wanted) });
  const { Item } = await mapStoreErrors(documents.send(get));
  return Item;
};

/** Which of a client's snapshots; the oldest come first unless told otherwise. */
export type Range = { since?: Date | undefined; newestFirst?: boolean; pageSize?: number | undefined };

/** The items of one part of a client's snapshots, in the order of their receipt. */
export async function* queryParts(
  documents: DynamoDBDocumentClient,
  table: string,
  { client, part, wanted }: { client: string; part: number; wanted: Wanted },
  { since, newestFirst = false, pageSize }: Range,
): AsyncGenerator<Item> {
  const pages = paginateQuery(
    { client: documents, ...(pageSize ? { pageSize } : {}) },
    {
      TableName: table,
      ConsistentRead: true,
      ScanIndexForward: !newestFirst,
      KeyConditionExpression: 'Client = :client AND SnapshotId >= :since',
      // An identifier begins with the time of its receipt; nothing sorts before a space.
      ExpressionAttributeValues: {
        ':client': partKey(client, part),
        ':since': since?.toISOString() ?? ' ',
      },
      ...projection(wanted),
    },
  );
  yield* paginate(pages);
}
