import { MAX_BALANCES_BYTES_PER_PART } from '../limits.ts';
import type { StockBalanceEntry } from '../schemas/stock-balance.ts';
import type { AttributeValue } from './attribute-json.ts';

export type Snapshot = {
  client: string;
  snapshotId: string;
  receivedAt: Date;
  requestId: string;
  entries: readonly StockBalanceEntry[];
  expiresAt?: Date;
};

/** Starts with the time of receipt, so that sorted ids are in the order of receipt. */
export const newSnapshotId = (receivedAt: Date, suffix: string) => `${receivedAt.toISOString()}-${suffix}`;

type StringValue = AttributeValue.SMember;
type NumberValue = AttributeValue.NMember;

/** Built by hand, because the SDK's document client is several times slower. */
export type SnapshotItem = {
  Client: StringValue;
  SnapshotId: StringValue;
  ReceivedAt: StringValue;
  RequestId: StringValue;
  EntryCount: NumberValue;
  Parts: NumberValue;
  Balances: AttributeValue.MMember;
  ExpiresAt?: NumberValue;
};

/** A client name cannot contain a colon. */
const PART_SEPARATOR = ':';

/** Each later part has its own partition key, so that DynamoDB spreads the parts over partitions. */
export const partKey = (client: string, part: number) =>
  part === 1 ? client : `${client}${PART_SEPARATOR}${part}`;

const isLaterPart = (key: string) => key.includes(PART_SEPARATOR);

/** A restore copies the later parts first, so that no reader sees a part 1, or the head of a record, whose parts are missing. */
export const restorePasses = (partitionKey: string) =>
  [true, false].map((contains) => ({ attribute: partitionKey, text: PART_SEPARATOR, contains }));

/** Later parts expire a day after part 1, so that no reader sees a part 1 whose later parts are missing. */
const extraLifetimeSeconds = (key: string) => (isLaterPart(key) ? 86_400 : 0);

const itemExpiry = (key: string, expiresAt: Date) =>
  Math.floor(expiresAt.getTime() / 1_000) + extraLifetimeSeconds(key);

type Expiring = { expiresAt?: Date };

/** DynamoDB may delete an item days after it has expired, so readers check the expiry too. */
export const isExpired = ({ expiresAt }: Expiring, now: Date) => expiresAt !== undefined && expiresAt <= now;

/** Whether the snapshot of an item has expired. A later part expires a day after its snapshot, so it is compared with the time a day later. */
export const isOfExpiredSnapshot = (key: string, item: Expiring, now: Date) =>
  isExpired(item, new Date(now.getTime() + extraLifetimeSeconds(key) * 1_000));

export const toSnapshotItems = (snapshot: Snapshot): SnapshotItem[] => {
  const parts = splitIntoParts(snapshot.entries);
  return parts.map((balances, index) => {
    const key = partKey(snapshot.client, index + 1);
    return {
      Client: { S: key },
      SnapshotId: { S: snapshot.snapshotId },
      ReceivedAt: { S: snapshot.receivedAt.toISOString() },
      RequestId: { S: snapshot.requestId },
      EntryCount: { N: String(snapshot.entries.length) },
      Parts: { N: String(parts.length) },
      Balances: { M: balances },
      ...(snapshot.expiresAt ? { ExpiresAt: { N: String(itemExpiry(key, snapshot.expiresAt)) } } : {}),
    };
  });
};

/** The keys are material codes. A code cannot contain an underscore, so it is never `__proto__`. */
type Balances = Record<string, AttributeValue>;

const splitIntoParts = (entries: readonly StockBalanceEntry[]) => {
  const parts: Balances[] = [];
  let part: Balances = {};
  let freeBytes = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > freeBytes) {
      part = {};
      parts.push(part);
      freeBytes = MAX_BALANCES_BYTES_PER_PART;
    }
    part[entry.MaterialCode] = toBalance(entry);
    freeBytes -= size;
  }
  return parts;
};

const toBalance = ({
  StockBalance,
  StockBalanceUnit,
  PurchaseOrders,
}: StockBalanceEntry): AttributeValue => ({
  M: {
    StockBalance: { N: String(StockBalance) },
    StockBalanceUnit: { S: StockBalanceUnit },
    PurchaseOrders: { L: PurchaseOrders.map((order) => ({ S: order })) },
  },
});

/** DynamoDB counts 3 bytes for a map or a list, and 1 byte for each value. In a map, it also counts the names. */
const CONTAINER_BYTES = 3;
const BYTES_PER_VALUE = 1;
const FIELDS_BYTES = ['StockBalance', 'StockBalanceUnit', 'PurchaseOrders']
  .map((name) => name.length + BYTES_PER_VALUE)
  .reduce((sum, bytes) => sum + bytes);
const ENTRY_MAP_BYTES = BYTES_PER_VALUE + CONTAINER_BYTES + FIELDS_BYTES;
/** DynamoDB stores two digits in a byte. A double has at most 17 digits: 9 bytes, and up to 2 bytes more. */
const NUMBER_BYTES = 11;

const sizeOf = ({ MaterialCode, StockBalanceUnit, PurchaseOrders }: StockBalanceEntry) =>
  ENTRY_MAP_BYTES +
  NUMBER_BYTES +
  Buffer.byteLength(MaterialCode) +
  Buffer.byteLength(StockBalanceUnit) +
  CONTAINER_BYTES +
  PurchaseOrders.reduce((bytes, order) => bytes + BYTES_PER_VALUE + order.length, 0);
