import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../database/rows.ts';
import { balanceConditions, findWords, knownAtOfMaterial } from '../queries/balance-conditions.ts';
import { beginning } from '../queries/columns.ts';
import type { Filter } from '../queries/filter.ts';
import { type Condition, selectWindow, valuesOf, whereOf } from '../queries/table-query.ts';
import { historyConditions, ROWS_OF_HISTORY } from './history.ts';
import { listQuery } from './lists.ts';
import { sumsOf } from './totals.ts';

/** If a history has more points, the chart shows only the last balance of each interval. */
const MOST_POINTS = 3_000;

/** What the page of a material shows beside its tables. */
export const readMaterial = (db: DatabaseSync, material: string, at: number) => ({
  attributes: attributesOf(db, material),
  totals: totalsOf(db, { material, at }),
  lines: linesOf(db, historyConditions({ material, at })),
});

/** Null if the list does not have the material. */
const attributesOf = (db: DatabaseSync, material: string) => {
  const query = listQuery(db, 'MaterialCodes', { id: material });
  const [row] = selectWindow(db, query, { limit: 1 });
  if (!row) return null;
  return query.columns.flatMap(({ attribute: name }, index) => {
    const value = row.cells[index] ?? null;
    return name === undefined || value === null ? [] : [{ name, value }];
  });
};

const totalsOf = (db: DatabaseSync, filter: Filter) => {
  const conditions = balanceConditions(filter, findWords(db, undefined));
  return rowsOf<{ unit: string; total: string }>(
    db.prepare(
      `SELECT unit.name AS unit, digits AS total FROM (${sumsOf(knownAtOfMaterial(filter), conditions)}) AS sums
       JOIN unit ON unit.id = sums.unit ORDER BY unit.id`,
    ),
    valuesOf(conditions),
  );
};

type HistoryRow = { client: string; unit: string; at: number; balance: number; endsAt: number | null };

/** One line for each warehouse and unit. A point whose balance is null makes a gap in the line. */
const linesOf = (db: DatabaseSync, conditions: readonly Condition[]) => {
  const points = rowsOf<HistoryRow>(
    db.prepare(
      `WITH history AS (
         SELECT b.*, ${beginning('b')} AS beginning FROM ${ROWS_OF_HISTORY} ${whereOf(conditions)}
       ), scale AS (
         SELECT max(1, (max(beginning) - min(beginning)) * count(DISTINCT client) / ${MOST_POINTS}) AS interval, count(*) AS count FROM history
       )
       SELECT client.name AS client, unit.name AS unit, max(beginning) AS at, value AS balance, iif(ended > :at OR EXISTS (
         SELECT 1 FROM balance AS next INDEXED BY balance_of_material WHERE next.client = history.client
         AND next.material = history.material AND next.begun = history.ended AND next.unit = history.unit
       ), NULL, ended) AS endsAt
       FROM history, scale JOIN client ON client.id = history.client JOIN unit ON unit.id = history.unit
       GROUP BY client.id, unit.id, iif(count > ${MOST_POINTS}, beginning / interval, beginning)
       ORDER BY client.id, unit.id, at`,
    ),
    valuesOf(conditions),
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
