import type { DatabaseSync } from 'node:sqlite';
import { column, timeColumn } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import type { TableQuery } from '../queries/read-table.ts';

const RANK = `CASE b.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END`;

export const findingsQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    { ...column('Severity', 'Severity', 'text', 'b.severity'), sortSql: RANK },
    column('Kind', 'Kind', 'text', 'b.kind'),
    column('Client', 'Warehouse', 'text', 'b.client'),
    column('Subject', 'Subject', 'text', 'b.subject'),
    timeColumn('Since', 'Since', 'b.since'),
    column('Detail', 'Detail', 'text', 'b.detail'),
    column('Advice', 'Advice', 'text', 'b.advice'),
    column('SnapshotId', 'Batch', 'text', 'b.batch'),
    column('Count', 'Count', 'number', 'b.count'),
  ],
  from: 'finding AS b',
  keys: ['b.id'],
  conditions: [
    ...given(filter.kind, (kind) => ({ sql: 'b.kind = :kind', values: { kind } })),
    ...given(filter.severity, (severity) => ({ sql: 'b.severity = :severity', values: { severity } })),
    ...given(filter.client, (client) => ({ sql: 'b.client = :client', values: { client } })),
    ...given(filter.material, (material) => ({
      sql: 'b.id IN (SELECT finding FROM finding_material WHERE material = :material)',
      values: { material },
    })),
    ...withWordsIn(
      filter.search,
      `concat_ws(char(10), fold(b.subject), fold(b.kind), fold(b.detail), fold(b.client))`,
    ),
  ],
  usualSort: 'Severity',
});
