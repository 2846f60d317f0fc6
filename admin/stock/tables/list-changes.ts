import { column, timeColumn } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import { MAX_EXACT_LENGTH } from '../queries/lists-at.ts';
import type { TableDefinition } from '../queries/read-table.ts';

/** Nobody knows who changed a list past these tools. */
export const MADE_BY = `iif(c.kind = 'outside', NULL, c.made_by)`;

/** A base changes nothing. `by` is a part of a name. */
const conditions = ({ list, by, since, change }: Filter) => [
  `b.what <> 'base' AND b.change <= :at`,
  ...given(list, 'b.list = :list'),
  ...given(since, 'b.change >= :since'),
  ...given(change, 'b.change = :change'),
  ...given(by, 'instr(fold(b.made_by), fold(:by))'),
];

const HEAD = `c.list, c.id AS change, ${MADE_BY} AS made_by, c.kind AS what, c.source, c.ended`;

const timeOfChange = { ...timeColumn('ChangedAt', 'Changed', 'b.change'), sortSql: 'b.change' };
const listColumn = column('List', 'List', 'text', 'b.list');
const headColumns = [
  column('By', 'By', 'text', 'b.made_by'),
  column('What', 'What', 'text', `b.what || iif(b.ended IS NULL, ', has no end', '')`),
  column('Source', 'Source', 'text', 'b.source'),
];
const idColumn = column('Change', 'Change', 'text', 'b.change');

/** Nobody knows yet what a change without an end has written, nor what a damaged one has. */
const countColumn = (name: string, title: string, sql: string) =>
  column(name, title, 'number', `iif(b.ended IS NULL OR b.is_damaged, NULL, ${sql})`);

export const listChangesQuery = (filter: Filter): TableDefinition => ({
  columns: [
    timeOfChange,
    listColumn,
    ...headColumns,
    ...['Added', 'Changed', 'Renamed', 'Removed'].map((name) => countColumn(name, name, `b.${name}`)),
    countColumn('NotWritten', 'Not written', 'b.not_written'),
    timeColumn('Since', 'After', 'b.since'),
    timeColumn('EndedAt', 'Ended', 'b.ended'),
    column('Undoes', 'Undoes', 'text', 'b.undoes'),
    idColumn,
  ],
  from: `(SELECT ${HEAD}, added, changed, renamed, removed, not_written, is_damaged, since, undoes FROM list_change AS c) AS b`,
  keys: ['b.change', 'b.list'],
  conditions: [
    ...conditions(filter),
    ...withWordsIn(filter.search, `fold(concat_ws(char(10), b.made_by, b.what, b.source, b.change))`),
  ],
  usualSort: '-ChangedAt',
});

/** A text or a number as it is, and any other value as JSON, which keeps all digits of a number. */
const shown = (value: string) => `CASE json_type(${value}) WHEN 'text' THEN ${value} ->> '$'
  WHEN 'integer' THEN ${numberIn(value)} WHEN 'real' THEN ${numberIn(value)} ELSE ${value} END`;
const numberIn = (json: string) => `iif(length(${json}) <= ${MAX_EXACT_LENGTH}, ${json} ->> '$', ${json})`;

/** In JSON, the text "5" differs from the number 5. */
const unlike = (value: string, other: string) =>
  `iif(CAST(${shown(value)} AS TEXT) = CAST(${shown(other)} AS TEXT), ${value}, ${shown(value)})`;

/** The rows that were changed, with a line for each attribute. */
export const listLinesQuery = (filter: Filter): TableDefinition => ({
  columns: [
    timeOfChange,
    listColumn,
    column('Row', 'Code or order', 'text', 'b.identifier'),
    column(
      'Kind',
      'Kind',
      'text',
      `iif(b.ended IS NULL, 'planned: ', iif(b.is_written, '', 'not ')) || b.kind`,
    ),
    column('Attribute', 'Attribute', 'text', 'b.attribute'),
    column('Before', 'Before', 'text', unlike('b.before', 'b.after')),
    column('After', 'After', 'text', unlike('b.after', 'b.before')),
    ...headColumns,
    idColumn,
  ],
  from: `(
    SELECT ${HEAD}, identifier, attribute, line.kind, before, after, is_written
    FROM list_line AS line JOIN list_change AS c ON c.list = line.list AND c.id = line.change
  ) AS b`,
  keys: ['b.change', 'b.list', 'b.identifier', 'b.attribute'],
  conditions: [
    ...conditions(filter),
    ...given(filter.id, `b.identifier = :id OR (b.kind = 'renamed' AND b.after = json_quote(:id))`),
    ...withWordsIn(filter.search, 'fold(b.identifier)'),
  ],
  usualSort: '-ChangedAt',
});
