import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { changesOf, type Session } from '../../deployment/session.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { changeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';

/**
 * The table sorts by the clocks of clients, so only a search of all changes finds a new change with an old timestamp. For a client that
 * sends a change every 15 minutes, such a search costs 4 calls and 916 read units for each year. So most searches cover only the last day.
 */
const SEARCH_ALL_EVERY_MS = HOUR_MS;
const SEARCHED_PERIOD_MS = DAY_MS;
/** A search of the last day misses older changes that came late. The next search of all changes goes back this far to find them. */
const OVERLAP_MS = DAY_MS;

type Change = { timestamp: string; receivedAt: string };

export const createChangeLoader = (db: DatabaseSync) => {
  const selectNewest = db.prepare(
    `SELECT timestamp, received_at AS receivedAt FROM change
     WHERE client = ? AND received_at <= ? ORDER BY received_at DESC LIMIT 1`,
  );
  const insert = db.prepare('INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM change WHERE client = ?');
  let searchedAllAt = 0;

  const load = async (session: Session, name: string, searchesAll: boolean): Promise<void> => {
    const findNewest = () => rowsOf<Change>(selectNewest, name, session.now.toISOString())[0];
    const newest = findNewest();
    const since = searchesAll ? undefined : new Date(session.now.getTime() - SEARCHED_PERIOD_MS);
    const range = newest && { since, receivedSince: new Date(Date.parse(newest.receivedAt) - OVERLAP_MS) };
    const changes = await Array.fromAsync(changesOf(session).iterate(name, range));
    if (newest && searchesAll && !changes.some(({ timestamp }) => timestamp === newest.timestamp)) {
      // The table was replaced, for example because a local run in memory has started again.
      changeStock(db, () => forget.run(name));
      return load(session, name, searchesAll);
    }
    const isWritten = changeStock(db, () => {
      // Another process may have removed the changes that this read builds on.
      if (findNewest()?.timestamp !== newest?.timestamp) return false;
      for (const { timestamp, receivedAt, requestId } of changes)
        insert.run(name, timestamp, receivedAt || timestamp.replace(',', '.'), requestId);
      return true;
    });
    return isWritten ? undefined : load(session, name, searchesAll);
  };

  return async (session: Session, clients: readonly string[]) => {
    const now = session.now.getTime();
    // The clock may have been set back.
    const searchesAll = Math.abs(now - searchedAllAt) >= SEARCH_ALL_EVERY_MS;
    await mapConcurrently(clients, (client) => load(session, client, searchesAll));
    if (searchesAll) searchedAllAt = now;
  };
};
