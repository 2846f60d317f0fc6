import type { DatabaseSync } from 'node:sqlite';
import { reader } from '../../text/reader.ts';
import { formatCount } from '../../text/words.ts';
import { writeFor } from '../../text/write-for.ts';
import { writeSentences } from '../checks/kinds.ts';
import { column, timeColumn } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import type { TableDefinition } from '../queries/read-table.ts';

/** The cell from which an edge writes the sentences. */
const CELL = `json_object('kind', b.kind, 'data', json(b.data))`;
/** The sentences for the reader, whose searches find what the page shows. Call `addSentences` first. */
export const DETAIL = `finding_detail(${CELL})`;
export const ADVICE = `finding_advice(${CELL})`;
export const SUBJECT = `iif(b.data ->> 'others' IS NULL, b.subject, format_count(b.count) || ' more')`;

export const addSentences = (db: DatabaseSync, readerOf = reader) => {
  const write = <T>(work: () => T) => writeFor(readerOf(), work);
  for (const part of ['detail', 'advice'] as const)
    db.function(`finding_${part}`, (cell) => write(() => writeSentences(String(cell))[part]));
  db.function('format_count', (count) => write(() => formatCount(Number(count))));
};

export const RANK = `CASE b.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END`;

export const findingsQuery = (filter: Filter, db: DatabaseSync): TableDefinition => {
  addSentences(db);
  return {
    columns: [
      { ...column('Severity', 'Severity', 'text', 'b.severity'), sortSql: RANK },
      column('Kind', 'Kind', 'text', 'b.kind'),
      column('Client', 'Warehouse', 'text', 'b.client'),
      column('Subject', 'Subject', 'text', SUBJECT),
      timeColumn('SinceAtLeast', 'Since at least', 'b.since'),
      { ...column('Detail', 'Detail', 'detail', CELL), sortSql: DETAIL },
      { ...column('Advice', 'Advice', 'advice', CELL), sortSql: ADVICE },
      column('SnapshotId', 'Batch', 'text', 'b.batch'),
      column('Count', 'Count', 'number', 'b.count'),
    ],
    from: `(SELECT *, 'open' AS state FROM finding) AS b`,
    keys: ['b.id'],
    conditions: [
      ...given(filter.kind, 'b.kind = :kind'),
      ...given(filter.severity, 'b.severity = :severity'),
      ...given(filter.scope, 'b.scope = :scope'),
      ...given(filter.client, 'b.client = :client'),
      ...given(filter.material, ':material IN (SELECT value FROM json_each(b.materials))'),
      ...withWordsIn(filter.search, `fold(concat_ws(char(10), b.subject, b.kind, b.client, ${DETAIL}))`),
    ],
    usualSort: 'Severity',
  };
};
