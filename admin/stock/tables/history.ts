import { column, common, differenceColumn, timeColumn } from '../queries/columns.ts';
import { CLIENTS, type Filter, given } from '../queries/filter.ts';
import type { TableDefinition } from '../queries/read-table.ts';

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
