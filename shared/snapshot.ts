import { MAX_BALANCES_BYTES_PER_ITEM } from './limits.ts';
import type { StockBalanceEntry } from './stock-balance.ts';

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

export type SnapshotItem = {
  Client: string;
  SnapshotId: string;
  ReceivedAt: string;
  RequestId: string;
  EntryCount: number;
  Parts: number;
  /** A Map, since a code may be any word, and some words mean something on an object (`constructor`). */
  Balances: ReadonlyMap<string, Omit<StockBalanceEntry, 'MaterialCode'>>;
  ExpiresAt?: number;
};

/** Part 1 under the client's own name; the others under keys that no client can have, spread over partitions. */
export const partKey = (client: string, part: number) => (part === 1 ? client : `${client}:${part}`);

/** The items of a snapshot, part 1 first. It is the commit, so it is written last. */
export const toSnapshotItems = (snapshot: Snapshot): SnapshotItem[] => {
  const parts = inParts(snapshot.entries);
  return parts.map((entries, index) => ({
    Client: partKey(snapshot.client, index + 1),
    SnapshotId: snapshot.snapshotId,
    ReceivedAt: snapshot.receivedAt.toISOString(),
    RequestId: snapshot.requestId,
    EntryCount: snapshot.entries.length,
    Parts: parts.length,
    Balances: new Map(entries.map(({ MaterialCode, ...balance }) => [MaterialCode, balance])),
    ...(snapshot.expiresAt ? { ExpiresAt: expiry(snapshot.expiresAt, index) } : {}),
  }));
};

/** The other parts go a day after part 1, so that no reader finds a first part whose others have gone. */
export const PARTS_OUTLIVE_SECONDS = 86_400;

const expiry = (expiresAt: Date, index: number) =>
  Math.floor(expiresAt.getTime() / 1_000) + (index === 0 ? 0 : PARTS_OUTLIVE_SECONDS);

const inParts = (entries: readonly StockBalanceEntry[]) => {
  const parts: StockBalanceEntry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > room) {
      parts.push([]);
      room = MAX_BALANCES_BYTES_PER_ITEM;
    }
    parts.at(-1)?.push(entry);
    room -= size;
  }
  return parts;
};

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
