import { HOUR_MS } from '../../../shared/time.ts';
import { changesOf, type Session } from '../../deployment/session.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { type Stock, writeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import type { LoadedClient } from './load-clients.ts';

/** A client's clock may go back this far, for example at the end of daylight saving time. */
const CLOCK_STEP_MS = 2 * HOUR_MS;

const toInstant = (timestamp: string) => Date.parse(timestamp.replace(',', '.'));

/**
 * Writes the changes that are new. The table sorts by the client's clock, so this reads those around the one that was received last.
 * Returns whether there are any.
 */
export const loadChanges = async (stock: Stock, session: Session, clients: readonly LoadedClient[]) => {
  const { db } = stock;
  const findLast = db.prepare(
    'SELECT timestamp_text AS timestamp FROM change WHERE client = ? ORDER BY received_at DESC LIMIT 1',
  );
  const insert = db.prepare('INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?)');
  const forget = db.prepare('DELETE FROM change WHERE client = ?');

  const load = async ({ id, name }: LoadedClient): Promise<number> => {
    const [last] = rowsOf<{ timestamp: string }>(findLast, id);
    const from = last && { since: new Date(toInstant(last.timestamp) - CLOCK_STEP_MS) };
    const changes = await Array.fromAsync(changesOf(session).iterate(name, from));
    if (last && !changes.some(({ timestamp }) => timestamp === last.timestamp)) {
      // The table was replaced, for example because a local run in memory has started again.
      writeStock(stock, () => forget.run(id));
      return 1 + (await load({ id, name }));
    }
    return writeStock(stock, () =>
      changes.reduce((count, { timestamp, receivedAt, requestId }) => {
        const at = toInstant(receivedAt || timestamp);
        return count + Number(insert.run(id, timestamp, at, requestId).changes);
      }, 0),
    );
  };
  const counts = await mapConcurrently(clients, load);
  return counts.some((count) => count > 0);
};
