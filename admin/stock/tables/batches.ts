import { column, common, timeColumn } from '../queries/columns.ts';
import { type Filter, given, receivedBetween, withWordsIn } from '../queries/filter.ts';
import type { TableDefinition } from '../queries/read-table.ts';

/** A column of the previous batch of the client. Damaged batches do not count. */
const previous = (column: string, row: string) => `(
  SELECT previous.${column} FROM batch AS previous
  WHERE previous.client = ${row}.client AND previous.id < ${row}.id AND previous.state = 'loaded'
  ORDER BY previous.id DESC LIMIT 1
)`;

export const differenceOf = (row: string) =>
  `iif(${row}.state = 'damaged', NULL, ${row}.entries - ${previous('entries', row)})`;

export const batchesQuery = (filter: Filter): TableDefinition => ({
  columns: [
    { ...timeColumn('ReceivedAt', 'Received', 'b.received_at'), sortSql: 'b.id' },
    common.client,
    column('EntryCount', 'Entries', 'number', 'b.entries'),
    column('Difference', 'Difference', 'number', differenceOf('b')),
    column('SnapshotId', 'Batch', 'text', 'b.id'),
    column('PreviousId', 'Previous', 'text', previous('id', 'b')),
    column('Parts', 'Parts', 'number', 'b.parts'),
    column('RequestId', 'Request', 'text', 'b.request_id'),
    column('State', 'State', 'text', 'b.state'),
  ],
  from: `batch AS b`,
  keys: ['b.id', 'b.client'],
  conditions: [
    ...receivedBetween(filter),
    ...given(filter.id, 'b.id = :id'),
    // Ids of snapshots and requests have only Latin letters and digits, so `upper` is enough to fold them.
    ...withWordsIn(
      filter.search,
      `fold(b.client) || char(10) || upper(b.id) || char(10) || upper(b.request_id)`,
    ),
  ],
  usualSort: '-ReceivedAt',
});

/** The balances of a batch. A damaged batch has none. `client` and `id` are names of values. */
export const entriesOf = (client: string, id: string) => `
  SELECT client, material, value, unit, orders FROM period
  WHERE client = ${client} AND begun <= ${id} AND ended > ${id}
  AND EXISTS (SELECT 1 FROM batch WHERE batch.client = ${client} AND batch.id = ${id} AND state = 'loaded')`;

const WORDS = `(SELECT folded FROM word WHERE kind = 'material' AND text = b.material) || char(10)
  || (SELECT folded FROM word WHERE kind = 'orders' AND text = b.orders)`;

export const entriesQuery = (filter: Filter): TableDefinition => ({
  columns: [common.material, common.balance, common.unit, common.orders],
  from: `(${entriesOf(':client', ':id')}) AS b`,
  keys: ['b.material'],
  conditions: withWordsIn(filter.search, WORDS, 'b.value'),
  usualSort: 'MaterialCode',
});
