import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { changesOf, type Session } from '../../deployment/session.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { changeStock, type Stock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import type { LoadedClient } from './load-clients.ts';

/**
 * The table sorts by the clocks of clients, so only a search of all changes finds a new change with an old timestamp. For a client that
 * sends a change every 15 minutes, such a search costs 4 calls and 916 read units for each year. So most searches cover only the last day.
 */
const SEARCH_ALL_EVERY_MS = HOUR_MS;
const SEARCHED_PERIOD_MS = DAY_MS;
/** A search of the last day misses older changes that came late. The next search of all changes goes back this far to find them. */
const OVERLAP_MS = DAY_MS;

const toInstant = (timestamp: string) => Date.parse(timestamp.replace(',', '.'));

type Change = { timestamp: string; receivedAt: number };

/** Copies the new changes from the service. */
export const createChangeLoader = (stock: Stock) => {
  const { db } = stock;
  const findNewest = db.prepare(
    `SELECT timestamp_text AS timestamp, received_at AS receivedAt FROM change
     WHERE client = ? AND received_at <= ? ORDER BY received_at DESC LIMIT 1`,
  );
  const insert = db.prepare('INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM change WHERE client = ?');
  let searchedAllAt = 0;

  const load = async (session: Session, { id, name }: LoadedClient, searchesAll: boolean): Promise<void> => {
    const now = session.now.getTime();
    const [newest] = rowsOf<Change>(findNewest, id, now);
    const since = searchesAll ? undefined : new Date(now - SEARCHED_PERIOD_MS);
    const range = newest && { since, receivedSince: new Date(newest.receivedAt - OVERLAP_MS) };
    const changes = await Array.fromAsync(changesOf(session).iterate(name, range));
    if (newest && searchesAll && !changes.some(({ timestamp }) => timestamp === newest.timestamp)) {
      // The table was replaced, for example because a local run in memory has started again.
      changeStock(stock, () => forget.run(id));
      return load(session, { id, name }, searchesAll);
    }
    changeStock(stock, () => {
      for (const { timestamp, receivedAt, requestId } of changes)
        insert.run(id, timestamp, toInstant(receivedAt || timestamp), requestId);
    });
  };

  return async (session: Session, clients: readonly LoadedClient[]) => {
    const now = session.now.getTime();
    // The clock may have been set back.
    const searchesAll = Math.abs(now - searchedAllAt) >= SEARCH_ALL_EVERY_MS;
    await mapConcurrently(clients, (client) => load(session, client, searchesAll));
    if (searchesAll) searchedAllAt = now;
  };
};
