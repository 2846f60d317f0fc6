import { MAX_BALANCES_BYTES_PER_ITEM } from '../schemas/limits.ts';
import type { StockBalanceEntry } from '../schemas/stock-balance.ts';
import type { AttributeValue } from './attribute-json.ts';

/** A batch as it is kept: one immutable snapshot of a warehouse's balances. */
export type Snapshot = {
  client: string;
  snapshotId: string;
  receivedAt: Date;
  requestId: string;
  entries: readonly StockBalanceEntry[];
  /** Absent where snapshots are kept for ever. */
  expiresAt?: Date;
};

/** Sorts by time of receipt, is legible to whoever reads the table, and is met once however many batches arrive. */
export const newSnapshotId = (receivedAt: Date, unique: string) => `${receivedAt.toISOString()}-${unique}`;

type Text = AttributeValue.SMember;
type Digits = AttributeValue.NMember;

/** As the table takes it: the document client would make the same of plain values, at several times the cost. */
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

/** No client's name has it. */
const PART_SIGN = ':';

/** Part 1 under the client's own name; the others under keys that no client can have, spread over partitions. */
export const partKey = (client: string, part: number) =>
  part === 1 ? client : `${client}${PART_SIGN}${part}`;

const isLaterPart = (key: string) => key.includes(PART_SIGN);

const inKey = { attribute: 'Client', text: PART_SIGN };
/** Which items to write one after the other, so that no reader sees a part 1 before its others stand. */
export const restorePasses = [
  { ...inKey, contains: true },
  { ...inKey, contains: false },
] as const;

/** The other parts go a day after part 1, so that no reader finds a first part whose others have gone. */
const outlivesBySeconds = (key: string) => (isLaterPart(key) ? 86_400 : 0);

const itemExpiry = (key: string, expiresAt: Date) =>
  Math.floor(expiresAt.getTime() / 1_000) + outlivesBySeconds(key);

type Expiring = { expiresAt?: Date };

/** The platform removes an expired item within days, not at once. */
export const isExpired = ({ expiresAt }: Expiring, now: Date) => expiresAt !== undefined && expiresAt <= now;

/** Whether the snapshot has expired that an item lies in; what the other parts say of themselves comes true a day later. */
export const belongsToExpired = (key: string, item: Expiring, now: Date) =>
  isExpired(item, new Date(now.getTime() + outlivesBySeconds(key) * 1_000));

/** The items of a snapshot, part 1 first. It is the commit, so it is written last. */
export const toSnapshotItems = (snapshot: Snapshot): SnapshotItem[] => {
  const parts = inParts(snapshot.entries);
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

/** By code; that no code is a name which means something on every object follows from its signs. */
type Balances = Record<string, AttributeValue>;

const inParts = (entries: readonly StockBalanceEntry[]) => {
  const parts: Balances[] = [];
  let part: Balances = {};
  let room = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > room) {
      part = {};
      parts.push(part);
      room = MAX_BALANCES_BYTES_PER_ITEM;
    }
    part[entry.MaterialCode] = toBalance(entry);
    room -= size;
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

/** Three bytes for a map or a list, one for each thing within, and the names of the three attributes. */
const FIXED_BYTES =
  1 + 3 + 3 + 'StockBalance'.length + 'StockBalanceUnit'.length + 'PurchaseOrders'.length + 3;
/** A number takes a byte for two digits and up to two more; a double has 17 digits at the most. */
const NUMBER_BYTES = 11;

/** What DynamoDB counts for an entry, or a few bytes more. */
const sizeOf = ({ MaterialCode, StockBalanceUnit, PurchaseOrders }: StockBalanceEntry) =>
  FIXED_BYTES +
  NUMBER_BYTES +
  Buffer.byteLength(MaterialCode) +
  Buffer.byteLength(StockBalanceUnit) +
  PurchaseOrders.reduce((bytes, order) => bytes + 1 + order.length, 0);
