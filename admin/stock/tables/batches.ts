import type { DatabaseSync } from 'node:sqlite';
import { sortKeyOf } from '../database/dictionary.ts';
import {
  balanceColumn,
  clientColumn,
  column,
  materialColumn,
  NAMES,
  ordersColumn,
  unitColumn,
} from '../queries/columns.ts';
import { type Filter, given, receivedBetween, withWordsIn } from '../queries/filter.ts';
import type { TableQuery } from '../queries/table-query.ts';

/** A column of the previous batch of the client. Damaged batches do not count. */
const previous = (column: string, row: string) => `(
  SELECT previous.${column} FROM batch AS previous
  WHERE previous.client = ${row}.client AND previous.instant < ${row}.instant AND previous.state <> 'damaged'
  ORDER BY previous.instant DESC LIMIT 1
)`;

/** How many more entries a batch has than the previous batch. */
export const differenceOf = (row: string) =>
  `iif(${row}.state = 'damaged', NULL, ${row}.entries - ${previous('entries', row)})`;

export const batchesQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    { ...column('ReceivedAt', 'Received', 'time', 'received_at'), sortSql: 'b.instant' },
    clientColumn,
    column('EntryCount', 'Entries', 'number', 'entries'),
    column('Difference', 'Difference', 'number', differenceOf),
    column('SnapshotId', 'Batch', 'text', 'snapshot_id'),
    column('PreviousId', 'Previous', 'text', (row) => previous('snapshot_id', row)),
    column('Parts', 'Parts', 'number', 'parts'),
    column('RequestId', 'Request', 'text', 'request_id'),
    column('State', 'State', 'text', 'state'),
  ],
  from: `batch AS b`,
  keys: ['b.instant', 'b.client'],
  joins: 'JOIN client ON client.id = shown.client',
  conditions: [
    ...receivedBetween(filter),
    ...given(filter.id, (id) => ({ sql: 'b.snapshot_id = :id', values: { id } })),
    // Ids of snapshots and requests have only Latin letters and digits, so `upper` is enough to fold them.
    ...withWordsIn(
      filter.search,
      `(SELECT folded FROM client WHERE id = b.client) || char(10) || upper(b.snapshot_id) || char(10) || upper(b.request_id)`,
    ),
  ],
  usualSort: '-ReceivedAt',
});

/** The balances of one batch. */
export const entriesQuery = (_db: DatabaseSync, { client = '', id = '', search }: Filter): TableQuery => ({
  columns: [materialColumn, balanceColumn, unitColumn, ordersColumn],
  from: entriesOf(':client', ':id'),
  keys: ['b.material'],
  joins: NAMES,
  conditions: [
    { sql: 'TRUE', values: { client: sortKeyOf(client), id } },
    ...withWordsIn(
      search,
      `(SELECT folded FROM material WHERE id = b.material) || char(10) || (SELECT folded FROM orders WHERE id = b.orders)`,
    ),
  ],
  usualSort: 'MaterialCode',
});

/** The balances of a batch. An unread or damaged batch has none. */
export const entriesOf = (client: string, id: string) =>
  `${loadedBatch(client, id)} AS c CROSS JOIN balance AS b ON b.superseded > c.instant AND ${isIn('c')}`;

export const loadedBatch = (client: string, id: string) => `(
  SELECT batch.client AS client_id, batch.instant FROM batch
  WHERE batch.client = (SELECT id FROM client WHERE sort_key = ${client}) AND snapshot_id = ${id} AND state = 'loaded'
)`;

/** The condition that a batch has the balance `b`. */
export const isIn = (batch: string) =>
  `b.client = ${batch}.client_id AND b.begun <= ${batch}.instant AND b.ended > ${batch}.instant`;
