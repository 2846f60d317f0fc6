import type { DatabaseSync } from 'node:sqlite';
import { readMeta, readVersion } from '../../stock/database/meta.ts';
import { rowsOf } from '../../stock/database/rows.ts';
import { millisecondsOf } from '../../stock/queries/columns.ts';
import type { StockState } from '../api.ts';

type ClientProgress = {
  batches: number;
  unread: number;
  hasAllBatches: number;
  earliest: number | null;
  newestRead: string | null;
  /** The newest unread batch that is older than `newestRead`. A newer unread batch is no gap in the history. */
  newestGap: number | null;
};

/** How many of the service's batches the stock has. A batch that is loaded or damaged is *read*. */
export const readStockState = (db: DatabaseSync): Omit<StockState, 'deploymentName' | 'asOf' | 'failure'> => {
  const clients = rowsOf<ClientProgress>(
    db.prepare(`
      SELECT *, (
        SELECT ${millisecondsOf('max(id)')} FROM batch
        WHERE batch.client = of_client.name AND state = 'unread' AND id < newestRead
      ) AS newestGap
      FROM (
        SELECT client.name, client.has_all_batches AS hasAllBatches,
          count(id) AS batches, count(id) FILTER (WHERE state = 'unread') AS unread,
          ${millisecondsOf('min(id)')} AS earliest, max(id) FILTER (WHERE state <> 'unread') AS newestRead
        FROM client LEFT JOIN batch ON batch.client = client.name
        WHERE is_warehouse GROUP BY client.name
      ) AS of_client`),
  );
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    version: readVersion(db),
    unread: sum(clients.map(({ unread }) => unread)),
    batches: sum(clients.map(({ batches }) => batches)),
    completeSince: findCompleteSince(clients),
    isFirstRead: readMeta(db, 'checked') === undefined,
  };
};

const findCompleteSince = (clients: readonly ClientProgress[]) => {
  const starts = clients.map(startOf);
  if (clients.length === 0 || starts.includes(null)) return null;
  const earliestOfAll = Math.min(...clients.map(({ earliest }) => earliest ?? Number.POSITIVE_INFINITY));
  const since = Math.max(...starts.map(Number), earliestOfAll);
  return Number.isFinite(since) ? since : null;
};

/** The time from which the history has no gap. 0: it has no gap at all, also if the client has no batch. Null: it may have batches, and none has been read. */
const startOf = ({ newestRead, newestGap, hasAllBatches, earliest, batches }: ClientProgress) => {
  if (newestRead === null) return hasAllBatches && batches === 0 ? 0 : null;
  if (newestGap !== null) return newestGap + 1;
  return hasAllBatches ? 0 : earliest;
};
