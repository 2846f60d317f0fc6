import type { DatabaseSync } from 'node:sqlite';
import { reader } from '../../text/reader.ts';
import { formatNumber } from '../../text/words.ts';
import { writeFor } from '../../text/write-for.ts';
import { severities } from '../../told/mark.ts';
import { writeSentences } from '../checks/kinds.ts';
import { column, timeColumn, timeOf } from '../queries/columns.ts';
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
  db.function('format_count', (count) => write(() => formatNumber(Number(count))));
};

const rankOf = (severity: string) =>
  `CASE ${severity} ${severities.map((name, rank) => `WHEN '${name}' THEN ${rank}`).join(' ')} END`;
export const RANK = rankOf('b.severity');

/**
 * Whether batches before the one since which a finding is there may have expired, or are not loaded. Then nobody knows since when it is
 * there, so it is not new.
 */
const mayBeOlder = (present: string) => `EXISTS (
  SELECT 1 FROM main.batch AS oldest JOIN main.client ON client.name = oldest.client
  WHERE oldest.id = finding.since
  AND oldest.id = (SELECT min(id) FROM main.batch WHERE batch.client = oldest.client AND batch.state = 'loaded')
  AND (known_since <> '' OR ifnull(julianday(item ->> 'CreatedAt'), 0)
    + julianday(oldest.expires_at) - julianday(oldest.received_at) <= julianday(${present}))
)`;

/** The findings of a table, each with its state by the mark of its kind and scope. A mark that was made after the moment does not count. */
export const withStates = (
  table = 'finding',
  { at, now, present } = { at: ':at', now: ':now', present: ':present' },
) => `(
  SELECT finding.*, CASE
    WHEN mark.at IS NULL OR mark.until <= mark.at OR ${rankOf('finding.severity')} < ${rankOf('mark.severity')} THEN 'open'
    WHEN mark.until IS NOT NULL THEN iif(mark.until > ${now}, 'known', 'open')
    WHEN ifnull(${timeOf('finding.since')} <= mark.at, TRUE) OR ${mayBeOlder(present)} THEN 'told'
    ELSE 'open'
  END AS state
  FROM ${table} AS finding LEFT JOIN main.told AS mark ON mark.scope = finding.scope AND mark.kind = finding.kind AND mark.at <= ${at}
) AS b`;

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
      column('State', 'State', 'text', 'b.state'),
    ],
    from: withStates(),
    values: { now: filter.at ?? new Date().toISOString(), present: new Date().toISOString() },
    keys: ['b.id'],
    conditions: [
      ...given(filter.kind, 'b.kind = :kind'),
      ...given(filter.severity, 'b.severity = :severity'),
      ...given(filter.scope, 'b.scope = :scope'),
      ...given(filter.state, 'b.state = :state'),
      ...given(filter.client, 'b.client = :client'),
      ...given(filter.material, ':material IN (SELECT value FROM json_each(b.materials))'),
      ...withWordsIn(filter.search, `fold(concat_ws(char(10), b.subject, b.kind, b.client, ${DETAIL}))`),
    ],
    usualSort: 'Severity',
  };
};
