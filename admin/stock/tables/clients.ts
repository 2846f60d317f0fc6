import type { DatabaseSync } from 'node:sqlite';
import { column } from '../queries/columns.ts';
import { type Filter, withWordsIn } from '../queries/filter.ts';
import { millisecondsOf } from '../queries/lateness.ts';
import type { TableQuery } from '../queries/table-query.ts';
import { clientRows } from './warehouses.ts';

/** A client without an item is damaged, or somebody deleted the item by hand. */
const CURRENT_CLIENTS = `(SELECT id FROM client WHERE item <> '{}' AND item ->> 'RemovedAt' IS NULL)`;

/** `sharers` are the other clients in the same slot. */
const ROWS = `(
  SELECT *, group_concat(name, ' ') OVER (
    PARTITION BY item ->> 'Plan', item ->> 'Slot' ORDER BY id
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW
  ) AS sharers
  FROM ${clientRows(CURRENT_CLIENTS)}
) AS b`;

const ofItem = (name: string) => (row: string) => `${row}.item ->> '${name}'`;
const timeOfItem = (name: string) => (row: string) => millisecondsOf(ofItem(name)(row));
const previousUntil = timeOfItem('PreviousUntil');

/** Each client that is not removed, as it is now. The item has no hashes. */
export const clientsQuery = (_db: DatabaseSync, { search }: Filter): TableQuery => ({
  columns: [
    column('Client', 'Client', 'text', 'name'),
    column('UserName', 'User name', 'text', ofItem('UserName')),
    column('Plan', 'Plan', 'text', ofItem('Plan')),
    column('Slot', 'Slot', 'number', ofItem('Slot')),
    column('SharedWith', 'Shared with', 'texts', 'sharers'),
    column('PasswordChangedAt', 'Password since', 'time', timeOfItem('PasswordChangedAt')),
    column('OwnPassword', 'Own password', 'text', (row) => `iif(${row}.item ->> 'OwnPassword', 'yes', NULL)`),
    column(
      'PreviousUntil',
      'Previous valid until',
      'time',
      (row) => `iif(${previousUntil(row)} > :at, ${previousUntil(row)}, NULL)`,
    ),
    column('LastBatchAt', 'Last batch', 'time', 'last_batch_at'),
    column('LastChangeAt', 'Last change', 'time', 'last_change_at'),
    column('State', 'State', 'text', 'state'),
    column('SilenceHours', 'Late after hours', 'number', ofItem('SilenceHours')),
  ],
  from: ROWS,
  keys: ['b.id'],
  joins: '',
  conditions: [
    { sql: 'TRUE', values: { at: Date.now() } },
    ...withWordsIn(search, `b.folded || char(10) || fold(b.item ->> 'UserName')`),
  ],
  usualSort: 'Client',
});
