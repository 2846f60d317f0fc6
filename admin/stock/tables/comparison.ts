import type { DatabaseSync } from 'node:sqlite';
import { Failure } from '../../text/failure.ts';
import { batchesSinceColumn, column, common, differenceColumn } from '../queries/columns.ts';
import { CLIENTS, type Filter, given, untilOf } from '../queries/filter.ts';
import { balanceConditions, knownBalances } from '../queries/known-balances.ts';
import { withMaterialAttributes } from '../queries/list-columns.ts';
import { type TableDefinition, whereOf } from '../queries/read-table.ts';
import { exactSum } from './balances.ts';

/** No client name has a comma. */
const AMONG_CLIENTS = `instr(',' || :clients || ',', ',' || b.client || ',')`;

const VALUES = ['b.value_before', 'b.value_after'];

/** Each balance that a warehouse had at one of the two moments. A search does not look into orders. */
const pairsOf = ({ client, clients, unit, search, at, before }: Filter, db: DatabaseSync) => {
  const side = (name: string, balances: string) =>
    `SELECT material, client, unit, decimals, value, '${name}' AS side FROM ${balances}`;
  const valueOn = (name: string) => `max(value) FILTER (WHERE side = '${name}') AS value_${name}`;
  return `(
    SELECT * FROM (
      SELECT material, client, unit, max(decimals) AS decimals, ${valueOn('before')}, ${valueOn('after')},
        '' AS orders
      FROM (
        ${side('before', knownBalances({ client, at: before }, ':before'))}
        UNION ALL ${side('after', knownBalances({ client, at }))}
      ) GROUP BY material, client, unit
    ) AS b ${whereOf([...balanceConditions(db, { client, unit, search }, VALUES), ...given(clients, AMONG_CLIENTS)])}
  ) AS b`;
};

const sumsOf = (keys: readonly string[], filter: Filter, db: DatabaseSync) => {
  const ofSide = (name: string) => `${exactSum(`value_${name}`)} AS value_${name}`;
  return `(
    SELECT ${[...keys, 'unit', ofSide('before'), ofSide('after')].join(', ')}, count(*) AS balances
    FROM ${pairsOf(filter, db)} GROUP BY ${[...keys, 'unit'].join(', ')}
  ) AS b`;
};

/** What is missing at a moment counts as 0, so that the differences add up. */
const sides = [
  column('StockBalanceBefore', 'Before', 'number', 'b.value_before'),
  column('StockBalanceAfter', 'After', 'number', 'b.value_after'),
  differenceColumn('ifnull(b.value_after, 0)', 'ifnull(b.value_before, 0)'),
  common.unit,
];
const balancesColumn = column('Balances', 'Balances', 'number', 'b.balances');

const definitionOf = (
  { before, at, differing }: Filter,
  definition: Omit<TableDefinition, 'conditions'>,
): TableDefinition => {
  if (before !== undefined && at !== undefined && before > at)
    throw new Failure('The earlier time is after the later one. Exchange them.');
  return {
    ...definition,
    conditions: given(differing, 'b.value_before IS NOT b.value_after'),
    values: { before: untilOf(before) },
  };
};

/** The balances of all warehouses at two moments: `before`, and the moment of the filter or now. */
export const comparedQuery = (filter: Filter, db: DatabaseSync) =>
  definitionOf(filter, {
    columns: withMaterialAttributes(
      db,
      filter,
      [common.material, common.client, ...sides],
      [batchesSinceColumn('(b.client)')],
    ),
    from: pairsOf(filter, db),
    keys: ['b.material', 'b.client', 'b.unit'],
    usualSort: 'MaterialCode',
  });

/** The same, added over the warehouses. */
export const comparedMaterialsQuery = (filter: Filter, db: DatabaseSync) =>
  definitionOf(filter, {
    columns: withMaterialAttributes(
      db,
      filter,
      [common.material, ...sides],
      [balancesColumn, batchesSinceColumn(CLIENTS)],
    ),
    from: sumsOf(['material'], filter, db),
    keys: ['b.material', 'b.unit'],
    usualSort: 'MaterialCode',
  });

/** The same, added over all materials of a unit. */
export const comparedUnitsQuery = (filter: Filter, db: DatabaseSync) =>
  definitionOf(filter, {
    columns: [common.unit, ...sides.slice(0, 3), balancesColumn, batchesSinceColumn(CLIENTS)],
    from: sumsOf([], filter, db),
    keys: ['b.unit'],
    usualSort: 'StockBalanceUnit',
  });
