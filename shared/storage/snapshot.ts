import { MAX_BALANCES_BYTES_PER_ITEM } from '../schemas/limits.ts';
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

/** Sorts by time of receipt. */
export const newSnapshotId = (receivedAt: Date, unique: string) => `${receivedAt.toISOString()}-${unique}`;

type Text = AttributeValue.SMember;
type Digits = AttributeValue.NMember;

/** The document client would build the same from plain values, but several times slower. */
export type SnapshotItem = {
  Client: Text;
  SnapshotId: Text;
  ReceivedAt: Text;
  RequestId: Text;
  EntryCount: Digits;
  Parts: Digits;
  Balances: AttributeValue.MMember;
  ExpiresAt?: Digits;
};

/** No client name contains a colon. */
const PART_SEPARATOR = ':';

/** Every later part has its own key, which spreads the parts over partitions. */
export const partKey = (client: string, part: number) =>
  part === 1 ? client : `${client}${PART_SEPARATOR}${part}`;

const isLaterPart = (key: string) => key.includes(PART_SEPARATOR);

const separatorInKey = { attribute: 'Client', text: PART_SEPARATOR };
/** Later parts first, so that no reader sees a part 1 whose other parts are missing. */
export const restorePasses = [
  { ...separatorInKey, contains: true },
  { ...separatorInKey, contains: false },
] as const;

/** Later parts expire a day after part 1, so that no reader finds a part 1 without them. */
const extraLifetimeSeconds = (key: string) => (isLaterPart(key) ? 86_400 : 0);

const itemExpiry = (key: string, expiresAt: Date) =>
  Math.floor(expiresAt.getTime() / 1_000) + extraLifetimeSeconds(key);

type Expiring = { expiresAt?: Date };

/** DynamoDB may delete an expired item days later. */
export const isExpired = ({ expiresAt }: Expiring, now: Date) => expiresAt !== undefined && expiresAt <= now;

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

/** The keys are material codes, which have no underscore, so none is `__proto__`. */
type Balances = Record<string, AttributeValue>;

const splitIntoParts = (entries: readonly StockBalanceEntry[]) => {
  const parts: Balances[] = [];
  let part: Balances = {};
  let free = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > free) {
      part = {};
      parts.push(part);
      free = MAX_BALANCES_BYTES_PER_ITEM;
    }
    part[entry.MaterialCode] = toBalance(entry);
    free -= size;
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

/** DynamoDB counts three bytes for a map or list, one for each value in it, and the attribute names. */
const FIXED_BYTES =
  1 + 3 + 3 + 'StockBalance'.length + 'StockBalanceUnit'.length + 'PurchaseOrders'.length + 3;
/** A number takes one byte for two digits, and up to two more bytes. A double has at most 17 digits. */
const NUMBER_BYTES = 11;

const sizeOf = ({ MaterialCode, StockBalanceUnit, PurchaseOrders }: StockBalanceEntry) =>
  FIXED_BYTES +
  NUMBER_BYTES +
  Buffer.byteLength(MaterialCode) +
  Buffer.byteLength(StockBalanceUnit) +
  PurchaseOrders.reduce((bytes, order) => bytes + 1 + order.length, 0);
