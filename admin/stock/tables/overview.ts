import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../shared/time.ts';
import { FOREVER, rowsOf } from '../database/rows.ts';
import { millisecondsOf } from '../queries/columns.ts';
import { type Filter, untilOf, valuesOf, WAREHOUSES } from '../queries/filter.ts';
import { knownBalances } from '../queries/known-balances.ts';
import { countRows, queryRows } from '../queries/read-table.ts';
import { tableQuery } from './tables.ts';

const BATCH_PERIOD_MS = 30 * DAY_MS;
const isoOf = (ms: number) => new Date(ms).toISOString();

/** The figures of a moment, or of the latest stock. `batches` counts the batches of the 30 days before it. */
export const readOverview = (db: DatabaseSync, filter: Pick<Filter, 'at'>) => {
  const at = filter.at ?? new Date().toISOString();
  const [counts = { warehouses: 0, batches: 0, materials: 0 }] = queryRows<
    Record<'warehouses' | 'batches' | 'materials', number>
  >(
    db,
    `SELECT
      (SELECT count(*) FROM ${WAREHOUSES}) AS warehouses,
      (SELECT count(*) FROM batch WHERE id > :since AND id <= :at AND client IN ${WAREHOUSES}) AS batches,
      (SELECT count(DISTINCT material) FROM ${knownBalances(filter)}) AS materials`,
    { ...valuesOf({ at }), since: untilOf(isoOf(Date.parse(at) - BATCH_PERIOD_MS)) },
  );
  return { ...counts, late: countRows(db, tableQuery(db, 'warehouses', { at, late: 'yes' })) };
};

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
  return {
    rows: begins.map(({ client, since }) => ({
      client,
      since,
      batches: batches.map(countFor(client)),
      changes: changes.map(countFor(client)),
    })),
  };
};
