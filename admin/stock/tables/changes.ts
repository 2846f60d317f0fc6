import { column, common, timeColumn } from '../queries/columns.ts';
import { type Filter, receivedBetween } from '../queries/filter.ts';
import type { TableDefinition } from '../queries/read-table.ts';

export const changesQuery = (filter: Filter): TableDefinition => ({
  columns: [
    timeColumn('ReceivedAt', 'Received', 'b.received_at'),
    common.client,
    column('Timestamp', 'Timestamp', 'text', 'b.timestamp'),
    column('RequestId', 'Request', 'text', 'b.request_id'),
  ],
  from: 'change AS b',
  keys: ['b.client', 'b.timestamp'],
  conditions: receivedBetween(filter),
  usualSort: '-ReceivedAt',
});
