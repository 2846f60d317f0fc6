import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../shared/time.ts';
import { rowsOf } from '../database/rows.ts';
import { countRows } from '../queries/table-query.ts';
import { warehousesQuery } from './warehouses.ts';

const BATCH_PERIOD_MS = 30 * DAY_MS;
const WAREHOUSES = '(SELECT id FROM client WHERE is_warehouse)';

/** The figures of a moment. `batches` counts the batches of the 30 days before it. Call `showFindings` first: it fills the table `finding` for this moment. */
export const readOverview = (db: DatabaseSync, at: number) => {
  const [counts = { warehouses: 0, batches: 0, materials: 0, error: 0, warning: 0, note: 0 }] = rowsOf<
    Record<'warehouses' | 'batches' | 'materials' | 'error' | 'warning' | 'note', number>
  >(
    db.prepare(`SELECT
      (SELECT count(*) FROM client WHERE is_warehouse) AS warehouses,
      (SELECT count(*) FROM batch WHERE instant > ?2 AND instant <= ?1 AND client IN ${WAREHOUSES}) AS batches,
      (
        SELECT count(*) FROM material WHERE EXISTS (
          SELECT 1 FROM (
            SELECT DISTINCT client FROM batch WHERE state = 'loaded' AND instant <= ?1 AND client IN ${WAREHOUSES}
          ) AS c CROSS JOIN balance INDEXED BY balance_of_material
          ON balance.client = c.client AND balance.material = material.id AND balance.begun <= ?1
        )
      ) AS materials,
      ${['error', 'warning', 'note'].map(
        (severity) =>
          `(SELECT ifnull(sum(count), 0) FROM finding WHERE severity = '${severity}') AS ${severity}`,
      )}`),
    at,
    at - BATCH_PERIOD_MS,
  );
  const { error, warning, note, ...others } = counts;
  const late = countRows(db, warehousesQuery(db, { at, late: 'yes' }));
  return { ...others, late, findings: { error, warning, note } };
};

type CountOfClient = { client: string; count: number };

/** How many batches and changes each warehouse sent in each interval. An interval ends at the next start, the last interval at `at`. */
export const readArrivals = (db: DatabaseSync, { at, starts }: { at: number; starts: readonly number[] }) => {
  const count = (table: 'batch' | 'change', time: string) => {
    const statement = db.prepare(`
      SELECT name AS client, count(*) AS count FROM ${table} JOIN client ON client.id = ${table}.client
      WHERE ${time} >= ? AND ${time} < ? AND ${time} <= ? GROUP BY client.id`);
    return starts.map((start, index) => {
      const end = starts[index + 1] ?? Number.MAX_SAFE_INTEGER;
      const rows = rowsOf<CountOfClient>(statement, start, end, at);
      return new Map(rows.map(({ client, count }) => [client, count]));
    });
  };
  const [batches, changes] = [count('batch', 'instant'), count('change', 'received_at')];
  const countFor = (client: string) => (counts: ReadonlyMap<string, number>) => counts.get(client) ?? 0;
  return {
    rows: warehousesOf(db).map((client) => ({
      client,
      batches: batches.map(countFor(client)),
      changes: changes.map(countFor(client)),
    })),
  };
};

const namesIn = (db: DatabaseSync, from: string) =>
  rowsOf<{ name: string }>(db.prepare(`SELECT name FROM ${from} ORDER BY id`)).map(({ name }) => name);

const warehousesOf = (db: DatabaseSync) => namesIn(db, 'client WHERE is_warehouse');

/** What a person can choose in the filters. */
export const readChoices = (db: DatabaseSync) => ({
  warehouses: warehousesOf(db),
  units: namesIn(db, 'unit'),
  kinds: rowsOf<{ kind: string; severity: string; count: number }>(
    db.prepare(
      'SELECT kind, severity, sum(count) AS count FROM finding GROUP BY kind, severity ORDER BY min(id)',
    ),
  ),
});
