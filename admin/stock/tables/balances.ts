import type { DatabaseSync } from 'node:sqlite';
import { batchesSinceColumn, column, common, differenceColumn, timeColumn } from '../queries/columns.ts';
import { CLIENTS, type Filter } from '../queries/filter.ts';
import { balanceConditions, knownBalances, newestBatch, VALUE_BEFORE } from '../queries/known-balances.ts';
import { withMaterialAttributes } from '../queries/list-columns.ts';
import { type TableDefinition, whereOf } from '../queries/read-table.ts';

export const balancesQuery = (filter: Filter, db: DatabaseSync): TableDefinition => ({
  columns: withMaterialAttributes(
    db,
    filter,
    [common.material, common.client, common.balance, common.unit],
    [
      differenceColumn('b.value', VALUE_BEFORE),
      common.orders,
      timeColumn('ReceivedAt', 'Received', newestBatch()),
      timeColumn('SinceAtLeast', 'Since at least', 'b.begun'),
      column('SnapshotId', 'Batch', 'text', newestBatch()),
      batchesSinceColumn('(b.client)'),
    ],
  ),
  from: knownBalances(filter),
  keys: ['b.material', 'b.client'],
  conditions: balanceConditions(db, filter),
  usualSort: 'MaterialCode',
});

/** The balances of each material in one unit, added over the warehouses. */
export const totalsQuery = (filter: Filter, db: DatabaseSync): TableDefinition => ({
  columns: withMaterialAttributes(
    db,
    filter,
    [common.material, { ...common.balance, title: 'Total' }, common.unit],
    [column('Warehouses', 'Warehouses', 'number', 'b.warehouses'), batchesSinceColumn(CLIENTS)],
  ),
  from: sumsOf(filter, db),
  conditions: [],
  keys: ['b.material', 'b.unit'],
  usualSort: 'MaterialCode',
});

/** A number has 15 exact digits, so more decimals are not rounded. SQLite would round a sum of very small values to 0. */
const MAX_DECIMALS = 15;

export const exactSum = (value: string) =>
  `iif(max(decimals) > ${MAX_DECIMALS}, sum(${value}), round(sum(${value}), max(decimals)))`;

export const sumsOf = (filter: Filter, db: DatabaseSync) =>
  // With `+`, SQLite reads the balances as they are stored. In the order of an index, it would look up each one.
  `(
      SELECT material, unit, count(*) AS warehouses,
        ${exactSum('value')} AS value
      FROM ${knownBalances(filter)} ${whereOf(balanceConditions(db, filter))} GROUP BY +material, unit
    ) AS b`;
