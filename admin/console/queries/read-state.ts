import type { DatabaseSync } from 'node:sqlite';
import { readVersion } from '../../stock/database/meta.ts';
import { rowsOf } from '../../stock/database/rows.ts';
import type { StockState } from '../api.ts';

type ReadOfClient = {
  batches: number;
  missing: number;
  isSettled: number;
  earliest: number | null;
  newestRead: number | null;
  /** Of those that are older than a batch that was read: the newest new one is no gap in the history. */
  newestMissing: number | null;
};

/** How far the stock has been read. */
export const readStockState = (
  db: DatabaseSync,
): Pick<StockState, 'missing' | 'batches' | 'completeSince'> & { version: number } => {
  const clients = rowsOf<ReadOfClient>(
    db.prepare(`
      SELECT *, (
        SELECT max(position) FROM batch
        WHERE batch.client = of_client.id AND state = 'unread' AND position < newestRead
      ) AS newestMissing
      FROM (
        SELECT client.id, client.is_settled AS isSettled,
          count(position) AS batches, count(position) FILTER (WHERE state = 'unread') AS missing,
          min(position) AS earliest, max(position) FILTER (WHERE state <> 'unread') AS newestRead
        FROM client LEFT JOIN batch ON batch.client = client.id
        WHERE is_warehouse GROUP BY client.id
      ) AS of_client`),
  );
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    version: readVersion(db),
    missing: sum(clients.map(({ missing }) => missing)),
    batches: sum(clients.map(({ batches }) => batches)),
    completeSince: completeSince(clients),
  };
};

const completeSince = (clients: readonly ReadOfClient[]) => {
  const starts = clients.map(startOf);
  if (clients.length === 0 || starts.includes(null)) return null;
  const earliest = Math.min(...clients.map(({ earliest }) => earliest ?? Number.POSITIVE_INFINITY));
  const since = Math.max(...starts.map(Number), earliest);
  return Number.isFinite(since) ? since : null;
};

/** 0 if all batches of the client are read. Null before the first. */
const startOf = ({ newestRead, newestMissing, isSettled, earliest, batches }: ReadOfClient) => {
  if (newestRead === null) return isSettled && batches === 0 ? 0 : null;
  if (newestMissing !== null) return newestMissing + 1;
  return isSettled ? 0 : earliest;
};
