import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ReadSnapshot } from '../../storage/snapshot-reader.ts';
import { forgetBatches } from './forget-batches.ts';
import { prependBatches } from './prepend-batches.ts';
import { type Batch, createBalanceWriter, createStatements } from './write-balances.ts';

const toBatch = ({ snapshotId, entries }: ReadSnapshot): Batch => ({
  id: snapshotId,
  balances: entries.map((entry) => ({
    material: entry.MaterialCode,
    value: entry.StockBalance,
    unit: entry.StockBalanceUnit,
    orders: entry.PurchaseOrders.join(' '),
  })),
});
const batchesIn = (snapshots: readonly ReadSnapshot[]) =>
  snapshots.filter(({ damage }) => damage === null).map(toBatch);

/** Batches between others move at most so many newer ones. Otherwise, all batches of the client are read again. */
const MAX_MOVED = 100;

/** Writes batches of a client. Call its functions in a transaction. */
export const createBatchKeeper = (db: DatabaseSync) => {
  const statements = createStatements(db);
  const { run, all } = statements;

  const insertBatch = (client: string, snapshot: ReadSnapshot) => {
    const { snapshotId, receivedAt, requestId, entryCount, parts, expiresAt, damage } = snapshot;
    const times = [receivedAt.toISOString(), requestId, entryCount, parts, expiresAt?.toISOString() ?? null];
    const state = damage === null ? 'loaded' : 'damaged';
    const values = [client, snapshotId, ...times, state, damage];
    return run('INSERT OR IGNORE INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values).changes > 0;
  };
  const loadedIds = (client: string, choice: string, ...values: SQLInputValue[]) =>
    all<{ id: string }>(
      `SELECT id FROM batch WHERE client = ? AND state = 'loaded' ${choice}`,
      client,
      ...values,
    ).map(({ id }) => id);

  const keepAll = (client: string, batches: readonly Batch[]) => {
    const [first] = batches;
    if (!first) return;
    const { append, cut, balancesOf } = createBalanceWriter(statements, client);
    const own = new Set(batches.map(({ id }) => id));
    const newer = loadedIds(client, 'AND id > ? ORDER BY id', first.id).filter((id) => !own.has(id));
    if (newer.length > MAX_MOVED) return forgetBatches(db, client);
    const moved = newer.map((id) => ({ id, balances: balancesOf(id) }));
    const [next] = newer;
    if (next !== undefined) cut(next);
    for (const later of [...batches, ...moved].toSorted((a, b) => (a.id < b.id ? -1 : 1))) append(later);
  };

  /** Writes batches in their order, and returns how many. Most are newer than all that are known. Those that are known stay as they are. */
  const keepNewer = (client: string, snapshots: readonly ReadSnapshot[]): number => {
    const unknown = snapshots.filter((snapshot) => insertBatch(client, snapshot));
    keepAll(client, batchesIn(unknown));
    return unknown.length;
  };

  return {
    keepNewer,

    /** Writes a page of batches, the newest first, and returns how many. Most are older than all that are known. Those that are known stay as they are. */
    keepOlder: (client: string, snapshots: readonly ReadSnapshot[]): number => {
      // If all known batches are damaged, no batch is older.
      const [earliest = ''] = loadedIds(client, 'ORDER BY id LIMIT 1');
      const isOlder = ({ snapshotId }: ReadSnapshot) => snapshotId < earliest;
      const older = snapshots.filter((snapshot) => isOlder(snapshot) && insertBatch(client, snapshot));
      prependBatches(statements, createBalanceWriter(statements, client), {
        client,
        batches: batchesIn(older),
        earliest,
      });
      // A batch may have appeared among the known ones since what is new was read.
      const others = snapshots.filter((snapshot) => !isOlder(snapshot));
      return older.length + keepNewer(client, others.toReversed());
    },
  };
};
