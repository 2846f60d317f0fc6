import type { DatabaseSync } from 'node:sqlite';
import { clientColumn, column, timeColumn } from '../queries/columns.ts';
import { type Filter, receivedBetween, valuesOf } from '../queries/filter.ts';
import type { TableQuery } from '../queries/read-table.ts';

/** The changes that warehouses sent. */
export const changesQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    timeColumn('ReceivedAt', 'Received', 'b.received_at'),
    clientColumn,
    column('Timestamp', 'Timestamp', 'text', 'b.timestamp'),
    column('RequestId', 'Request', 'text', 'b.request_id'),
  ],
  from: 'change AS b',
  keys: ['b.client', 'b.timestamp'],
  conditions: receivedBetween(filter),
  values: valuesOf(filter),
  usualSort: '-ReceivedAt',
});
