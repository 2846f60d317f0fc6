import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ReadSnapshot } from '../../storage/snapshot-reader.ts';
import { type Batch, createRows, createStatements } from './balance-rows.ts';
import { forgetBatches } from './forget-batches.ts';
import { prependBatches } from './prepend-batches.ts';

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

/** A batch between others moves at most so many newer ones. Otherwise, all batches of the client are read again. */
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
      ...[client, ...values],
    ).map(({ id }) => id);

  const keepOne = (client: string, batch: Batch) => {
    const { append, cut, balancesOf } = createRows(statements, client);
    const newer = loadedIds(client, 'AND id > ? ORDER BY id LIMIT ?', batch.id, MAX_MOVED + 1);
    if (newer.length > MAX_MOVED) return forgetBatches(db, client);
    const moved = newer.map((id) => ({ id, balances: balancesOf(id) }));
    const [next] = newer;
    if (next !== undefined) cut(next);
    for (const each of [batch, ...moved]) append(each);
  };

  return {
    /** Writes batches in their order, and returns how many. Most are newer than all that are known. Those that are known stay as they are. */
    keepNewer: (client: string, snapshots: readonly ReadSnapshot[]): number => {
      let written = 0;
      for (const snapshot of snapshots) {
        if (!insertBatch(client, snapshot)) continue;
        written += 1;
        for (const batch of batchesIn([snapshot])) keepOne(client, batch);
      }
      return written;
    },

    /** Writes batches that are older than all that are known, the newest first, and returns how many. Those that are known stay as they are. */
    keepOlder: (client: string, snapshots: readonly ReadSnapshot[]): number => {
      const [earliest] = loadedIds(client, 'ORDER BY id LIMIT 1');
      const unknown = snapshots.filter((snapshot) => insertBatch(client, snapshot));
      const rows = createRows(statements, client);
      const batches = batchesIn(unknown);
      if (earliest !== undefined) prependBatches(statements, rows, { client, batches, earliest });
      // All known batches are damaged.
      else for (const batch of batches.toReversed()) rows.append(batch);
      return unknown.length;
    },
  };
};
