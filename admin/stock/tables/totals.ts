import type { DatabaseSync } from 'node:sqlite';
import { readVersion } from '../database/meta.ts';
import { rowsOf } from '../database/rows.ts';
import {
  balanceConditions,
  findWords,
  knownAt,
  knownAtOfMaterial,
  narrowToNextMaterials,
  withName,
} from '../queries/balance-conditions.ts';
import { column, materialColumn, unitColumn, withMaterialAttributes } from '../queries/columns.ts';
import { type Filter, given } from '../queries/filter.ts';
import { type Condition, type TableQuery, valuesOf, whereOf } from '../queries/table-query.ts';

/** The balances of each material in one unit, added over the warehouses. */
export const totalsQuery = (db: DatabaseSync, filter: Filter): TableQuery => {
  if (areKept(db, filter)) return keptTotals(db, filter);
  const searchWords = findWords(db, filter.search);
  const conditions = balanceConditions(filter, searchWords);
  const from = filter.material === undefined ? knownAt(filter) : knownAtOfMaterial(filter);
  const narrow = narrowToNextMaterials(db, filter, searchWords, 100_000, (range) =>
    nextTotals(db, knownAtOfMaterial(filter), [...conditions, range]),
  );
  const counted = isOnly(filter, 'at') ? knownTotals(filter, conditions) : undefined;
  return { ...addedTotals(db, from, conditions), narrow, counted };
};

/** Whether no filter except `names` is given. */
const isOnly = (filter: Filter, ...names: (keyof Filter)[]) =>
  Object.keys(filter).every((name) => names.some((allowed) => allowed === name));

/** It is faster to find one balance of each material and unit than to add all balances. */
const knownTotals = (filter: Filter, conditions: readonly Condition[]) => ({
  from: 'total AS kept',
  conditions: [
    {
      sql: `EXISTS (
        SELECT 1 FROM ${knownAtOfMaterial(filter)} AND b.material = kept.material WHERE b.unit = kept.unit
      )`,
      values: valuesOf(conditions),
    },
  ],
});

/** Whether the table `total` has the sums. The table adds all balances, also of clients that are no warehouses any more. */
const areKept = (db: DatabaseSync, filter: Filter) =>
  isOnly(filter, 'material', 'unit') &&
  rowsOf(
    db.prepare(
      'SELECT 1 FROM client WHERE NOT is_warehouse AND EXISTS (SELECT 1 FROM balance WHERE client = id)',
    ),
  ).length === 0;

const keptTotals = (db: DatabaseSync, filter: Filter): TableQuery => ({
  ...tableOfTotals(db),
  from: 'total AS b',
  conditions: [
    { sql: 'b.warehouses > 0', values: {} },
    ...given(filter.material, (code) => withName('material', code)),
    ...given(filter.unit, (unit) => withName('unit', unit)),
  ],
});

const addedTotals = (db: DatabaseSync, from: string, conditions: readonly Condition[]): TableQuery => ({
  ...tableOfTotals(db),
  from: 'temp.added_total AS b',
  conditions: [],
  prepare: () => keepAdded(db, sumsOf(from, conditions), valuesOf(conditions)),
});

const lastAdded = new WeakMap<DatabaseSync, string>();

/** A sort of totals needs all sums. The connection keeps them until it needs other sums, so the next pages come at once. */
const keepAdded = (db: DatabaseSync, sums: string, values: Condition['values']) => {
  const added = JSON.stringify([readVersion(db), sums, values]);
  if (lastAdded.get(db) === added) return;
  lastAdded.delete(db);
  db.exec('DROP TABLE IF EXISTS temp.added_total');
  db.prepare(`CREATE TEMP TABLE added_total AS ${sums}`).run(values);
  lastAdded.set(db, added);
};

const nextTotals = (db: DatabaseSync, from: string, conditions: readonly Condition[]): TableQuery => ({
  ...tableOfTotals(db),
  from: `(${sumsOf(from, conditions)}) AS b`,
  conditions: conditions.map(({ values }) => ({ sql: 'TRUE', values })),
});

/** SQLite adds the mantissas of each exponent, as billions and rest, which fit its integers. `exact_total` adds these few sums. */
export const sumsOf = (from: string, conditions: readonly Condition[]) => `
  SELECT material, unit, sum(balances) AS warehouses, exact_total(billions, rest, exponent) AS digits FROM (
    SELECT b.material, b.unit, b.exponent, count(*) AS balances,
      sum(b.mantissa / 1000000000) AS billions, sum(b.mantissa % 1000000000) AS rest
    FROM ${from} ${whereOf(conditions)} GROUP BY b.material, b.unit, b.exponent
  ) GROUP BY material, unit`;

const tableOfTotals = (db: DatabaseSync) => ({
  columns: withMaterialAttributes(
    db,
    materialColumn,
    {
      ...{ name: 'StockBalance', title: 'Total', kind: 'number' },
      ...{ sql: 'shown.digits', sortSql: 'CAST(b.digits AS REAL)' },
    } as const,
    unitColumn,
    column('Warehouses', 'Warehouses', 'number', 'warehouses'),
  ),
  keys: ['b.material', 'b.unit'],
  joins: 'JOIN material ON material.id = shown.material JOIN unit ON unit.id = shown.unit',
  usualSort: 'MaterialCode',
});
