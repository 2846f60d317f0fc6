import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../database/rows.ts';
import {
  balanceConditions,
  findWords,
  isNamed,
  knownAt,
  knownAtOfMaterial,
  narrowerOf,
} from '../queries/balance-conditions.ts';
import { column, materialColumn, unitColumn, withMaterialAttributes } from '../queries/columns.ts';
import { type Filter, given } from '../queries/filter.ts';
import { type Condition, type TableQuery, valuesOf, whereOf } from '../queries/table-query.ts';

/** The balances of each material in one unit, added over the warehouses. */
export const totalsQuery = (db: DatabaseSync, filter: Filter): TableQuery => {
  if (areKept(db, filter)) return keptTotals(db, filter);
  const words = findWords(db, filter.search);
  const conditions = balanceConditions(filter, words);
  const from = filter.material === undefined ? knownAt(filter) : knownAtOfMaterial(filter);
  const narrow = narrowerOf(db, filter, words, 100_000, (range) =>
    exactTotals(db, knownAtOfMaterial(filter), [...conditions, range]),
  );
  const counted = isOnly(filter, 'at') ? knownTotals(filter, conditions) : undefined;
  return { ...addedTotals(db, filter, from, conditions), narrow, counted };
};

/** Whether nothing else is asked for. */
const isOnly = (filter: Filter, ...names: (keyof Filter)[]) =>
  Object.entries(filter).every(([name, value]) => names.some((own) => own === name) || !value);

/** One balance of each material and unit is found sooner than all are added. */
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

/** The table `total` has all balances, also of a client that is no warehouse any more. */
const areKept = (db: DatabaseSync, filter: Filter) =>
  isOnly(filter, 'material', 'unit') &&
  rowsOf(
    db.prepare(
      'SELECT 1 FROM client WHERE NOT is_warehouse AND EXISTS (SELECT 1 FROM balance WHERE client = id)',
    ),
  ).length === 0;

const keptTotals = (db: DatabaseSync, filter: Filter): TableQuery => ({
  ...columnsOf(db, 'shown.digits', 'CAST(b.digits AS REAL)'),
  from: 'total AS b',
  conditions: [
    { sql: 'b.warehouses > 0', values: {} },
    ...given(filter.material, (code) => isNamed('material', code)),
    ...given(filter.unit, (unit) => isNamed('unit', unit)),
  ],
});

/** Adding doubles could add digits, so the shown totals of many are added again as decimals. */
const addedTotals = (
  db: DatabaseSync,
  filter: Filter,
  from: string,
  conditions: readonly Condition[],
): TableQuery => ({
  ...columnsOf(
    db,
    `(SELECT exact_total(mantissa, exponent) FROM ${knownAtOfMaterial(filter)} ${whereOf(conditions)}
      AND b.material = shown.material AND b.unit = shown.unit)`,
    'b.total',
  ),
  ...grouped('sum(b.value) AS total', from, conditions),
});

const exactTotals = (db: DatabaseSync, from: string, conditions: readonly Condition[]): TableQuery => ({
  ...columnsOf(db, 'shown.digits', 'CAST(b.digits AS REAL)'),
  ...grouped('exact_total(b.mantissa, b.exponent) AS digits', from, conditions),
});

const grouped = (total: string, from: string, conditions: readonly Condition[]) => ({
  from: `(
    SELECT b.material, b.unit, count(*) AS warehouses, ${total}
    FROM ${from} ${whereOf(conditions)} GROUP BY b.material, b.unit
  ) AS b`,
  conditions: conditions.map(({ values }) => ({ sql: 'TRUE', values })),
});

const columnsOf = (db: DatabaseSync, sql: string, sortSql: string) => ({
  columns: withMaterialAttributes(
    db,
    materialColumn,
    { name: 'StockBalance', title: 'Total', kind: 'number', sql, sortSql } as const,
    unitColumn,
    column('Warehouses', 'Warehouses', 'number', 'warehouses'),
  ),
  keys: ['b.material', 'b.unit'],
  joins: 'JOIN material ON material.id = shown.material JOIN unit ON unit.id = shown.unit',
  usualSort: 'MaterialCode',
});
