import type { DatabaseSync } from 'node:sqlite';
import { withName } from '../queries/balance-conditions.ts';
import {
  balanceColumn,
  beginning,
  clientColumn,
  column,
  NAMES,
  ofBatch,
  ordersColumn,
  unitColumn,
} from '../queries/columns.ts';
import { CLIENTS, type Filter, given, momentAndClient } from '../queries/filter.ts';
import type { Condition, TableQuery } from '../queries/table-query.ts';

const CLIENTS_OF_HISTORY = `(
  SELECT id AS client_id, (
    SELECT min(instant) FROM batch WHERE batch.client = client.id AND state = 'loaded'
  ) AS earliest FROM client WHERE id IN ${CLIENTS}
) AS c`;

export const ROWS_OF_HISTORY = `${CLIENTS_OF_HISTORY}
  CROSS JOIN balance AS b INDEXED BY balance_of_material ON b.client = c.client_id AND ${beginning('b')} <= :at`;

export const historyConditions = (filter: Filter, time = beginning('b')): Condition[] => [
  momentAndClient(filter),
  withName('material', filter.material ?? ''),
  ...given(filter.since, (since) => ({ sql: `${time} >= :since`, values: { since } })),
];

/** Selects an expression of `previous`, the row of the same client and material that ends where `row` begins. */
export const fromPrevious = (row: 'b' | 'shown', result: string) => `(
  SELECT ${result} FROM main.balance AS previous
  WHERE previous.client = ${row}.client AND previous.superseded = ${row}.begun AND previous.material = ${row}.material
)`;

/** The balances of one material, each with the batch that brought it. */
export const historyQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    column('ReceivedAt', 'Received', 'time', beginning),
    clientColumn,
    balanceColumn,
    unitColumn,
    {
      name: 'Difference',
      title: 'Difference',
      kind: 'number',
      sql: fromPrevious(
        'shown',
        'iif(previous.unit = shown.unit, exact_difference(shown.value, previous.value), NULL)',
      ),
      sortSql: fromPrevious('b', 'iif(previous.unit = b.unit, b.value - previous.value, NULL)'),
    },
    ordersColumn,
    column('Until', 'Until', 'time', (row) => `iif(${row}.ended > :at, NULL, ${row}.ended)`),
    column('SnapshotId', 'Batch', 'text', (row) => ofBatch('snapshot_id', `${row}.client`, beginning(row))),
  ],
  from: ROWS_OF_HISTORY,
  keys: [beginning('b'), 'b.client'],
  joins: NAMES,
  conditions: historyConditions(filter),
  usualSort: '-ReceivedAt',
});

/** The balance of one material in each batch. */
export const sentBalancesQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    {
      name: 'ReceivedAt',
      title: 'Received',
      kind: 'time',
      sql: 'shown.received_at',
      sortSql: 'r.received_at',
    },
    clientColumn,
    balanceColumn,
    unitColumn,
    ordersColumn,
    { name: 'SnapshotId', title: 'Batch', kind: 'text', sql: 'shown.snapshot_id', sortSql: 'r.snapshot_id' },
  ],
  from: `${ROWS_OF_HISTORY} JOIN batch AS r ON r.client = c.client_id AND r.state = 'loaded'
    AND r.instant >= b.begun AND r.instant < b.ended AND r.instant <= :at`,
  keys: ['r.instant', 'c.client_id'],
  joins: NAMES,
  conditions: historyConditions(filter, 'r.received_at'),
  usualSort: '-ReceivedAt',
});
