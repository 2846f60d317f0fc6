import { HOUR_MS } from '../../../shared/time.ts';
import type { Reach } from '../../cli/terminal.ts';
import type { changeReader } from '../../store/change-reader.ts';
import { mapConcurrently } from '../../store/map-concurrently.ts';
import { createChangeCounts } from './change-counts.ts';
import { LATEST_WRITE_MS } from './read-history.ts';

/** A client's clock may go back this far, for example at the end of daylight saving time. */
const CLOCK_STEP_MS = 2 * HOUR_MS;

/** `timestamp` is on the client's clock, `at` on the service's clock. */
type Change = { timestamp: string; at: number };
type Client = { name: string; last: Change | undefined; recent: ReadonlySet<string> };

type Refresh = { reader: ReturnType<typeof changeReader>; now: Date; until: Date; reach: Reach };

const toInstant = (timestamp: string) => Date.parse(timestamp.replace(',', '.'));

/**
 * Counts changes by their time of receipt. First reads all changes, because the table sorts by the client's clock, which
 * may be slow. Later reads only changes around the last received one.
 */
export const createChangeReading = (names: readonly string[], since: Date) => {
  const counts = createChangeCounts(names.length, since.getTime());
  const clients = names.map((name): Client => ({ name, last: undefined, recent: new Set() }));
  let settledAt = Number.NEGATIVE_INFINITY;
  let known = 0;

  const listNew = async ({ name, last, recent }: Client, { reader, until, reach }: Refresh) => {
    const changes: Change[] = [];
    const from = last && { since: new Date(toInstant(last.timestamp) - CLOCK_STEP_MS) };
    for await (const { timestamp, receivedAt } of reader.iterate(name, from)) {
      const at = toInstant(receivedAt || timestamp);
      const isNew = at >= settledAt && at <= until.getTime() && !recent.has(timestamp);
      if (isNew) changes.push({ timestamp, at });
      reach();
    }
    return changes;
  };

  const add = (index: number, client: Client, changes: readonly Change[], settling: number) => {
    for (const change of changes) {
      counts.add(index, change.at);
      if (change.at >= (client.last?.at ?? 0)) client.last = change;
    }
    const recent = changes.filter(({ at }) => at >= settling).map(({ timestamp }) => timestamp);
    client.recent = new Set([...client.recent, ...recent]);
    known += changes.length;
  };

  return {
    /** Returns the number of known changes. */
    refresh: async (refresh: Refresh): Promise<number> => {
      if (settledAt > refresh.until.getTime()) return known;
      const settling = refresh.now.getTime() - LATEST_WRITE_MS;
      const lists = await mapConcurrently(clients, (client) => listNew(client, refresh));
      for (const [index, client] of clients.entries()) add(index, client, lists[index] ?? [], settling);
      settledAt = settling;
      return known;
    },

    columns: counts.columns,
  };
};
