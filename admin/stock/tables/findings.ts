import type { DatabaseSync } from 'node:sqlite';
import { sortKeyOf } from '../database/dictionary.ts';
import { column, ofBatch } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import type { TableQuery } from '../queries/table-query.ts';

const clientOf = (row: string) => `(SELECT name FROM client WHERE id = ${row}.client)`;
const RANK = `CASE b.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END`;

export const findingsQuery = (_db: DatabaseSync, filter: Filter): TableQuery => ({
  columns: [
    { ...column('Severity', 'Severity', 'text', 'severity'), sortSql: RANK },
    column('Kind', 'Kind', 'text', 'kind'),
    { ...column('Client', 'Warehouse', 'text', clientOf), sortSql: 'b.client' },
    column('Subject', 'Subject', 'text', 'subject'),
    column('Since', 'Since', 'time', 'since'),
    column('Detail', 'Detail', 'text', 'detail'),
    column('Advice', 'Advice', 'text', 'advice'),
    column('SnapshotId', 'Batch', 'text', (row) => ofBatch('snapshot_id', `${row}.client`, `${row}.instant`)),
    column('Count', 'Count', 'number', 'count'),
  ],
  from: 'finding AS b',
  keys: ['b.id'],
  joins: '',
  conditions: [
    ...given(filter.kind, (kind) => ({ sql: 'b.kind = :kind', values: { kind } })),
    ...given(filter.severity, (severity) => ({ sql: 'b.severity = :severity', values: { severity } })),
    ...given(filter.client, (client) => ({
      sql: 'b.client = (SELECT id FROM client WHERE sort_key = :client)',
      values: { client: sortKeyOf(client) },
    })),
    ...given(filter.material, (material) => ({
      sql: `b.id IN (SELECT finding FROM finding_material
        WHERE material = (SELECT id FROM material WHERE sort_key = :material))`,
      values: { material: sortKeyOf(material) },
    })),
    ...withWordsIn(
      filter.search,
      `concat_ws(char(10), fold(b.subject), fold(b.kind), fold(b.detail), fold(${clientOf('b')}))`,
    ),
  ],
  usualSort: 'Severity',
});
