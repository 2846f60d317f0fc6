import type { DatabaseSync } from 'node:sqlite';
import { readVersion } from '../../stock/database/meta.ts';
import { rowsOf } from '../../stock/database/rows.ts';
import type { StockState } from '../api.ts';

type ClientProgress = {
  batches: number;
  unread: number;
  isSettled: number;
  earliest: number | null;
  newestRead: number | null;
  /** Of the unread batches that are older than a read batch. A newer unread batch is no gap in the history. */
  newestUnread: number | null;
};

/** How far the stock has been read. */
export const readStockState = (
  db: DatabaseSync,
): Pick<StockState, 'version' | 'unread' | 'batches' | 'completeSince'> => {
  const clients = rowsOf<ClientProgress>(
    db.prepare(`
      SELECT *, (
        SELECT max(position) FROM batch
        WHERE batch.client = of_client.id AND state = 'unread' AND position < newestRead
      ) AS newestUnread
      FROM (
        SELECT client.id, client.is_settled AS isSettled,
          count(position) AS batches, count(position) FILTER (WHERE state = 'unread') AS unread,
          min(position) AS earliest, max(position) FILTER (WHERE state <> 'unread') AS newestRead
        FROM client LEFT JOIN batch ON batch.client = client.id
        WHERE is_warehouse GROUP BY client.id
      ) AS of_client`),
  );
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    version: readVersion(db),
    unread: sum(clients.map(({ unread }) => unread)),
    batches: sum(clients.map(({ batches }) => batches)),
    completeSince: findCompleteSince(clients),
  };
};

const findCompleteSince = (clients: readonly ClientProgress[]) => {
  const starts = clients.map(startOf);
  if (clients.length === 0 || starts.includes(null)) return null;
  const earliestOfAll = Math.min(...clients.map(({ earliest }) => earliest ?? Number.POSITIVE_INFINITY));
  const since = Math.max(...starts.map(Number), earliestOfAll);
  return Number.isFinite(since) ? since : null;
};

/** Every batch of the client from this time on has been read. 0 if no batch is unread, null if no batch has been read. */
const startOf = ({
  newestRead,
  newestUnread: newestMissing,
  isSettled,
  earliest,
  batches,
}: ClientProgress) => {
  if (newestRead === null) return isSettled && batches === 0 ? 0 : null;
  if (newestMissing !== null) return newestMissing + 1;
  return isSettled ? 0 : earliest;
};
