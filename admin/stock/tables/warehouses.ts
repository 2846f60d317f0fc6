import type { Values } from '../database/rows.ts';
import { column, lateFrom, timeColumn } from '../queries/columns.ts';
import { CLIENTS, type Filter, untilOf, withWordsIn } from '../queries/filter.ts';
import type { TableDefinition } from '../queries/read-table.ts';
import { differenceOf } from './batches.ts';

const findings = (severity: string) =>
  `ifnull((SELECT count FROM found WHERE scope = client.name AND severity = '${severity}'), 0)`;

/** Clients, each with its newest batch until the moment `:at`, and with the findings that concern it and no list. */
export const clientRows = (clients: string) => `(
  WITH found AS MATERIALIZED (SELECT scope, severity, sum(count) AS count FROM finding GROUP BY scope, severity)
  SELECT *, state_of(item, late_from, :now) AS state FROM (
    SELECT client.name, client.item, last.received_at AS last_batch_at, last.entries, ${differenceOf('last')} AS difference,
      ${lateFrom('last.received_at')} AS late_from,
      ${findings('error')} AS errors, ${findings('warning')} AS warnings, ${findings('note')} AS notes,
      (SELECT max(received_at) FROM change WHERE change.client = client.name AND received_at <= :at) AS last_change_at
    FROM client LEFT JOIN batch AS last ON last.client = client.name AND last.id = (
      SELECT max(id) FROM batch WHERE batch.client = client.name AND id <= :at
    )
    WHERE client.name IN ${clients}
  )
) AS b`;

/** Warehouses that need attention come first. */
const RANK = `CASE WHEN b.state = 'late' THEN 1 WHEN b.errors > 0 THEN 2 WHEN b.warnings > 0 THEN 3
  WHEN b.state = 'on time' THEN 4 ELSE 5 END`;

export const atMoment = (at = new Date().toISOString()): Values => ({ at: untilOf(at), now: Date.parse(at) });

/** Each warehouse at the moment of the filter, or now. The findings are those of the table `finding`. */
export const warehousesQuery = (filter: Filter): TableDefinition => ({
  columns: [
    column('Client', 'Warehouse', 'text', 'b.name'),
    { ...column('State', 'State', 'text', 'b.state'), sortSql: RANK },
    column('LateFrom', 'Late from', 'time', 'b.late_from'),
    timeColumn('LastBatchAt', 'Last batch', 'b.last_batch_at'),
    column('EntryCount', 'Entries', 'number', 'b.entries'),
    column('Difference', 'Difference', 'number', 'b.difference'),
    column('Errors', 'Errors', 'number', 'b.errors'),
    column('Warnings', 'Warnings', 'number', 'b.warnings'),
    column('Notes', 'Notes', 'number', 'b.notes'),
    column('DisplayName', 'Display name', 'text', `b.item ->> 'DisplayName'`),
  ],
  from: clientRows(CLIENTS),
  keys: ['b.name'],
  conditions: withWordsIn(filter.search, 'fold(b.name)'),
  values: atMoment(filter.at),
  usualSort: 'State',
});
