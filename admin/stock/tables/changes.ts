import type { DatabaseSync } from 'node:sqlite';
import { clientColumn, column } from '../queries/columns.ts';
import { type Filter, receivedBetween } from '../queries/filter.ts';
import type { TableQuery } from '../queries/table-query.ts';

/** The changes that warehouses sent. */
export const changesQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    column('ReceivedAt', 'Received', 'time', 'received_at'),
    clientColumn,
    column('Timestamp', 'Timestamp', 'text', 'timestamp_text'),
    column('RequestId', 'Request', 'text', 'request_id'),
  ],
  from: 'change AS b',
  keys: ['b.client', 'b.timestamp_text'],
  joins: 'JOIN client ON client.id = shown.client',
  conditions: receivedBetween(filter),
  usualSort: '-ReceivedAt',
});
