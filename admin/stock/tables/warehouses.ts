import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../shared/time.ts';
import { column } from '../queries/columns.ts';
import { CLIENTS, type Filter, given, momentAndClient, withWordsIn } from '../queries/filter.ts';
import { lateFromOf, stateOf } from '../queries/lateness.ts';
import type { TableQuery } from '../queries/table-query.ts';
import { differenceOf } from './batches.ts';

const findings = (severity: string) =>
  `ifnull((SELECT count FROM found WHERE found.client = client.id AND severity = '${severity}'), 0)`;

const changes = (result: string, from: string) =>
  `(SELECT ${result} FROM change WHERE change.client = client.id AND received_at > ${from} AND received_at <= :at)`;

/** Clients, each with its newest batch until the moment `:at`. */
export const clientRows = (clients: string) => `(
  WITH found AS MATERIALIZED (SELECT client, severity, sum(count) AS count FROM finding GROUP BY client, severity)
  SELECT *, ${stateOf('late_from', ':at')} AS state FROM (
    SELECT client.id, client.name, client.folded, client.item, last.received_at AS last_batch_at, last.entries,
      ${differenceOf('last')} AS difference, ${lateFromOf('ifnull(last.received_at, 0)')} AS late_from,
      ${findings('error')} AS errors, ${findings('warning')} AS warnings, ${findings('note')} AS notes,
      ${changes('max(received_at)', '0')} AS last_change_at, ${changes('count(*)', `:at - ${30 * DAY_MS}`)} AS changes
    FROM client LEFT JOIN batch AS last ON last.client = client.id AND last.instant = (
      SELECT max(instant) FROM batch WHERE batch.client = client.id AND instant <= :at
    )
    WHERE client.id IN ${clients}
  )
) AS b`;

/** Warehouses that need attention come first. */
const RANK = `CASE WHEN b.state = 'late' THEN 1 WHEN b.errors > 0 THEN 2 WHEN b.warnings > 0 THEN 3
  WHEN b.state = 'on time' THEN 4 ELSE 5 END`;

/** Each warehouse at the moment of the filter, or now. */
export const warehousesQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    column('Client', 'Warehouse', 'text', 'name'),
    { ...column('State', 'State', 'text', 'state'), sortSql: RANK },
    column('LateFrom', 'Late from', 'time', 'late_from'),
    column('LastBatchAt', 'Last batch', 'time', 'last_batch_at'),
    column('EntryCount', 'Entries', 'number', 'entries'),
    column('Difference', 'Difference', 'number', 'difference'),
    column('Errors', 'Errors', 'number', 'errors'),
    column('Warnings', 'Warnings', 'number', 'warnings'),
    column('Notes', 'Notes', 'number', 'notes'),
    column('LastChangeAt', 'Last change', 'time', 'last_change_at'),
    column('Changes', 'Changes in 30 days', 'number', 'changes'),
  ],
  from: clientRows(CLIENTS),
  keys: ['b.id'],
  joins: '',
  conditions: [
    momentAndClient({ ...filter, at: filter.at ?? Date.now() }),
    ...given(filter.late, () => ({ sql: `b.state = 'late'`, values: {} })),
    ...withWordsIn(filter.search, 'b.folded'),
  ],
  usualSort: 'State',
});
