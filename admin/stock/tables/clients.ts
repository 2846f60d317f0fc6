import { column, millisecondsOf, timeColumn } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import type { TableDefinition } from '../queries/read-table.ts';
import { atMoment, clientRows } from './warehouses.ts';

/** A client without an item is damaged, or somebody deleted the item by hand. */
const CURRENT_CLIENTS = `(SELECT name FROM client WHERE item <> '{}' AND item ->> 'RemovedAt' IS NULL)`;

/** `sharers` are the other clients in the same slot. */
const ROWS = `(
  SELECT *, group_concat(name, ' ') OVER (
    PARTITION BY item ->> 'Plan', item ->> 'Slot' ORDER BY name
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW
  ) AS sharers
  FROM ${clientRows(CURRENT_CLIENTS)}
) AS b`;

const ofItem = (name: string) => `b.item ->> '${name}'`;
const previousUntil = millisecondsOf(ofItem('PreviousUntil'));

/** Each client that is not removed, as it is now. The item has no hashes. */
export const clientsQuery = (filter: Filter): TableDefinition => ({
  columns: [
    column('Client', 'Client', 'text', 'b.name'),
    column('UserName', 'User name', 'text', ofItem('UserName')),
    column('Plan', 'Plan', 'text', ofItem('Plan')),
    column('Slot', 'Slot', 'number', ofItem('Slot')),
    column('SharedWith', 'Shared with', 'texts', 'b.sharers'),
    timeColumn('PasswordChangedAt', 'Password since', ofItem('PasswordChangedAt')),
    column('OwnPassword', 'Own password', 'text', `iif(${ofItem('OwnPassword')}, 'yes', NULL)`),
    column(
      'PreviousUntil',
      'Previous valid until',
      'time',
      `iif(${previousUntil} > :now, ${previousUntil}, NULL)`,
    ),
    timeColumn('LastBatchAt', 'Last batch', 'b.last_batch_at'),
    timeColumn('LastChangeAt', 'Last change', 'b.last_change_at'),
    column('State', 'State', 'text', 'b.state'),
    column('SilenceHours', 'Late after hours', 'number', ofItem('SilenceHours')),
    column('DisplayName', 'Display name', 'text', ofItem('DisplayName')),
    column('Language', 'Language', 'text', ofItem('Language')),
    column('Contact', 'Contact', 'text', ofItem('Contact')),
  ],
  from: ROWS,
  keys: ['b.name'],
  conditions: [
    ...given(filter.client, 'b.name = :client'),
    ...withWordsIn(
      filter.search,
      `fold(b.name) || char(10) || fold(concat_ws(char(10), b.item ->> 'UserName', b.item ->> 'DisplayName'))`,
    ),
  ],
  values: atMoment(),
  usualSort: 'Client',
});
