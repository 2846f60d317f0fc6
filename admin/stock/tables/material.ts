import type { DatabaseSync } from 'node:sqlite';
import { millisecondsOf } from '../queries/columns.ts';
import { type Filter, valuesOf } from '../queries/filter.ts';
import { queryRows, readRows, whereOf } from '../queries/read-table.ts';
import { sumsOf } from './balances.ts';
import { historyConditions } from './history.ts';
import { tableQuery } from './tables.ts';

/** If a history has more points, the chart shows only the last balance of each interval. */
const MOST_POINTS = 3_000;

export const readMaterial = (
  db: DatabaseSync,
  { material, at: moment }: { material: string; at?: string | undefined },
  at = moment ?? new Date().toISOString(),
) => ({
  attributes: attributesOf(db, { id: material, at: moment }),
  totals: totalsOf(db, { material, at }),
  lines: linesOf(db, { material, at }),
});

/** Null if the list does not have the material. */
const attributesOf = (db: DatabaseSync, filter: Filter) => {
  const query = tableQuery(db, 'codes', filter);
  const [row] = readRows(db, query, { limit: 1 });
  if (!row) return null;
  return query.columns.flatMap(({ attribute: name }, index) => {
    const value = row[index] ?? null;
    return name === undefined || value === null ? [] : [{ name, value }];
  });
};

const totalsOf = (db: DatabaseSync, filter: Filter) => {
  const sql = `SELECT unit, value AS total FROM ${sumsOf(filter, db)} ORDER BY unit`;
  return queryRows<{ unit: string; total: number }>(db, sql, valuesOf(filter));
};

type HistoryRow = { client: string; unit: string; at: number; balance: number; endsAt: number | null };

/** One line for each warehouse and unit. A point whose balance is null makes a gap in the line. */
const linesOf = (db: DatabaseSync, filter: Filter) => {
  const points = queryRows<HistoryRow>(
    db,
    `WITH history AS (
         SELECT b.*, ${millisecondsOf('b.begun')} AS at, lead(begun) OVER (PARTITION BY client, unit ORDER BY begun) AS next_in_unit
         FROM period AS b ${whereOf(historyConditions(filter))}
       ), scale AS (
         SELECT max(1, (max(at) - min(at)) * count(DISTINCT client) / ${MOST_POINTS}) AS interval, count(*) AS count FROM history
       )
       SELECT client, unit, max(at) AS at, value AS balance, iif(ended >= :at OR next_in_unit IS ended, NULL, ${millisecondsOf('ended')}) AS endsAt
       FROM history, scale
       GROUP BY client, unit, iif(count > ${MOST_POINTS}, at / interval, at)
       ORDER BY client, unit, at`,
    valuesOf(filter),
  );
  const lines = Map.groupBy(points, ({ client, unit }) => `${client} ${unit}`);
  return [...lines.values()].flatMap((line) =>
    line.slice(0, 1).map(({ client, unit }) => ({ client, unit, points: line.flatMap(toPoints) })),
  );
};

const toPoints = ({ at, balance, endsAt }: HistoryRow) => [
  { at, balance },
  ...(endsAt === null ? [] : [{ at: endsAt, balance: null }]),
];
