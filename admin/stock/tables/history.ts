import type { DatabaseSync } from 'node:sqlite';
import { column, common, differenceColumn, timeColumn } from '../queries/columns.ts';
import { CLIENTS, type Filter, given } from '../queries/filter.ts';
import { balanceConditions } from '../queries/known-balances.ts';
import { type TableDefinition, whereOf } from '../queries/read-table.ts';

export const historyConditions = ({ since }: Filter, id = 'b.begun') => [
  `b.material = :material AND b.client IN ${CLIENTS} AND ${id} <= :at`,
  ...given(since, `${id} >= :since`),
];

/** Selects an expression of `previous`, the row of the same client and material before the row `b`. */
export const fromPrevious = (result: string) => `(
  SELECT ${result} FROM main.past AS previous
  WHERE previous.client = b.client AND previous.material = b.material AND previous.superseded = b.begun
)`;

/** The batch that changed or left out the balance until the moment. */
export const endedBy = (until = ':at') => `iif(b.ended >= ${until}, NULL, b.ended)`;

/** The balances of one material, each with the batch that brought it. */
export const historyQuery = (filter: Filter): TableDefinition => ({
  columns: [
    timeColumn('ReceivedAt', 'Received', 'b.begun'),
    ...[common.client, common.balance, common.unit],
    differenceColumn('b.value', fromPrevious('iif(previous.unit = b.unit, previous.value, NULL)')),
    common.orders,
    timeColumn('Until', 'Until', endedBy()),
    column('SnapshotId', 'Batch', 'text', 'b.begun'),
  ],
  from: 'period AS b',
  keys: ['b.begun', 'b.client'],
  conditions: historyConditions(filter),
  usualSort: '-ReceivedAt',
});

/** Where purchase orders are and were used: the last balance of each material in each warehouse that names an order of the filter. */
export const orderUsesQuery = (filter: Filter, db: DatabaseSync): TableDefinition => ({
  columns: [
    ...[common.material, common.client, common.orders],
    timeColumn('SinceAtLeast', 'Since at least', 'b.first'),
    timeColumn('Until', 'Until', `nullif(min(b.ended, b.superseded, :at), :at)`),
    ...[common.balance, common.unit],
    column('SnapshotId', 'Batch', 'text', 'b.begun'),
  ],
  from: `(
    SELECT * FROM (
      SELECT *, min(begun) OVER of_material AS first, row_number() OVER (of_material ORDER BY begun DESC) AS place
      FROM period AS b ${whereOf([
        `b.orders <> '' AND b.client IN ${CLIENTS} AND b.begun <= :at`,
        ...balanceConditions(db, { ...filter, since: undefined }),
      ])} WINDOW of_material AS (PARTITION BY client, material)
    ) WHERE place = 1
  ) AS b`,
  keys: ['b.material', 'b.client'],
  conditions: [],
  usualSort: 'MaterialCode',
});

export const sentBalancesQuery = (filter: Filter): TableDefinition => ({
  columns: [
    { ...timeColumn('ReceivedAt', 'Received', 'b.received_at'), sortSql: 'b.id' },
    ...[common.client, common.balance, common.unit, common.orders],
    column('SnapshotId', 'Batch', 'text', 'b.id'),
  ],
  from: `(
    SELECT period.*, id, received_at FROM period JOIN batch ON batch.client = period.client
    AND state = 'loaded' AND batch.id >= begun AND batch.id < ended
  ) AS b`,
  keys: ['b.id', 'b.client'],
  conditions: historyConditions(filter, 'b.id'),
  usualSort: '-ReceivedAt',
});
