import type { DatabaseSync } from 'node:sqlite';
import { FOREVER, rowsOf } from '../database/rows.ts';
import { millisecondsOf } from '../queries/columns.ts';
import { untilOf } from '../queries/filter.ts';
import { queryRows } from '../queries/read-table.ts';

const isoOf = (ms: number) => new Date(ms).toISOString();

/** When a client was added, or its first batch if that is earlier. */
const BEGIN = `min(ifnull(item ->> 'CreatedAt', ''), ifnull((SELECT min(id) FROM batch WHERE client = name), '~'))`;

type CountOfClient = { client: string; count: number };

/** How many batches and changes each warehouse sent in each interval. An interval ends at the next start, and the last one at the moment, or now. */
export const readArrivals = (
  db: DatabaseSync,
  { at = new Date().toISOString(), starts }: { at?: string | undefined; starts: readonly number[] },
) => {
  const count = (table: 'batch' | 'change', time: string) => {
    const statement = db.prepare(`
      SELECT client, count(*) AS count FROM ${table} WHERE ${time} >= ? AND ${time} < ? AND ${time} <= ? GROUP BY client`);
    return starts.map((start, index) => {
      const end = starts.slice(index + 1, index + 2).map(isoOf)[0] ?? FOREVER;
      const rows = rowsOf<CountOfClient>(statement, isoOf(start), end, untilOf(at));
      return new Map(rows.map(({ client, count }) => [client, count]));
    });
  };
  const [batches, changes] = [count('batch', 'id'), count('change', 'received_at')];
  const countFor = (client: string) => (counts: ReadonlyMap<string, number>) => counts.get(client) ?? 0;
  const begins = queryRows<{ client: string; since: number }>(
    db,
    `SELECT name AS client, ifnull(${millisecondsOf(BEGIN)}, 0) AS since FROM main.client WHERE is_warehouse ORDER BY name`,
    {},
  );
  return begins.map(({ client, since }) => ({
    client,
    since,
    batches: batches.map(countFor(client)),
    changes: changes.map(countFor(client)),
  }));
};
