import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isRecord } from '../../shared/http/json.ts';
import { MAX_PARTS } from '../../shared/limits.ts';
import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { partKey, type Snapshot } from '../../shared/storage/snapshot.ts';
import { mapStorageErrors } from '../../shared/storage/storage-errors.ts';
import { documentClient, queryItems, queryPages, type Range } from './query-items.ts';

/** The stored snapshot is incomplete, or has values that the service never writes. */
export class DamagedSnapshot extends Error {
  override readonly name = 'DamagedSnapshot';
  readonly snapshotId: string;
  /** From the id, which begins with this time. 1970 if the id is damaged, too. */
  readonly receivedAt: Date;

  constructor(snapshotId: string, message: string) {
    super(message);
    this.snapshotId = snapshotId;
    this.receivedAt = new Date(Date.parse(snapshotId.slice(0, 24)) || 0);
  }
}

export type OnDamaged = (damage: DamagedSnapshot) => void;

/** The text of a time outside these years would not sort as a time. */
const isTime = (ms: number) => ms >= 0 && ms <= Date.parse('9999-12-31T23:59:59.999Z');
const TimeText = v.pipe(
  v.string(),
  v.check((text) => isTime(Date.parse(text)), 'This is not a time.'),
);
const Seconds = v.pipe(
  v.number(),
  v.check((seconds) => isTime(seconds * 1_000), 'This is not a time in seconds.'),
);

/** Stored items are validated like requests, because somebody may edit a table by hand. */
const StoredHeader = v.object({
  SnapshotId: v.string(),
  ReceivedAt: TimeText,
  RequestId: v.string(),
  EntryCount: v.pipe(v.number(), v.integer()),
  Parts: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PARTS)),
  ExpiresAt: v.optional(Seconds),
});

// v.record would skip valid codes such as `constructor`.
const Balances = v.custom<Record<string, unknown>>(isRecord, 'Balances is not a map.');

const StoredBalance = v.object({
  StockBalance: v.number(),
  StockBalanceUnit: v.string(),
  PurchaseOrders: v.array(v.string()),
});

type PlainItem = Record<string, unknown>;

const parse = <TSchema extends v.GenericSchema>(
  schema: TSchema,
  value: unknown,
  item: PlainItem,
  subject = describe(item),
) => {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new DamagedSnapshot(
    String(item['SnapshotId']),
    `${subject} is damaged: ${[v.getDotPath(issue), issue.message].filter(Boolean).join(': ')}`,
  );
};

const describe = (item: PlainItem) => `Snapshot ${item['SnapshotId']} of ${item['Client']}`;

export type SnapshotHeader = Omit<Snapshot, 'entries'> & { entryCount: number; parts: number };

export const toHeader = (client: string, item: PlainItem): SnapshotHeader => {
  const stored = parse(StoredHeader, item, item);
  return {
    client,
    snapshotId: stored.SnapshotId,
    receivedAt: new Date(stored.ReceivedAt),
    requestId: stored.RequestId,
    entryCount: stored.EntryCount,
    parts: stored.Parts,
    ...(stored.ExpiresAt === undefined ? {} : { expiresAt: new Date(stored.ExpiresAt * 1_000) }),
  };
};

export const toEntries = (item: PlainItem): StockBalanceEntry[] =>
  Object.entries(parse(Balances, item['Balances'] ?? {}, item)).map(([MaterialCode, balance]) => ({
    MaterialCode,
    ...parse(StoredBalance, balance, item, `${MaterialCode} in ${describe(item)}`),
  }));

const HEADER = ['Client', ...Object.keys(StoredHeader.entries)];
const headerProjection = { ProjectionExpression: HEADER.join() };

export const snapshotParts = (dynamodb: DynamoDBClient, table: string) => {
  const documents = documentClient(dynamodb);
  const queryOf = (client: string, part: number) => ({
    ...{ table, partition: partKey(client, part), sortKey: 'SnapshotId' },
  });
  const keyOf = (client: string, part: number, snapshotId: string) => ({
    TableName: table,
    Key: { Client: partKey(client, part), SnapshotId: snapshotId },
  });
  const get = async (key: ReturnType<typeof keyOf>, projection = {}): Promise<PlainItem | undefined> => {
    const command = new GetCommand({ ...key, ConsistentRead: true, ...projection });
    return (await mapStorageErrors(documents.send(command))).Item;
  };
  return {
    read: (client: string, part: number, snapshotId: string) => get(keyOf(client, part, snapshotId)),

    exists: async (client: string, part: number, snapshotId: string) =>
      (await get(keyOf(client, part, snapshotId), headerProjection)) !== undefined,

    readPages: (client: string, range: Range) => queryPages(documents, queryOf(client, 1), range),

    /** Reads the headers of snapshots in the order of receipt. Each part repeats the header, so `part` says where to look. Skips damaged headers. */
    async *readHeaders(client: string, part: number, onDamaged: OnDamaged, range: Range = {}) {
      const query = { ...queryOf(client, part), projection: headerProjection };
      for await (const item of queryItems(documents, query, range)) {
        try {
          yield toHeader(client, item);
        } catch (error) {
          if (!(error instanceof DamagedSnapshot)) throw error;
          onDamaged(error);
        }
      }
    },

    remove: async (client: string, part: number, snapshotId: string) => {
      await mapStorageErrors(documents.send(new DeleteCommand(keyOf(client, part, snapshotId))));
    },
  };
};
