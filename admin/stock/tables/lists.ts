import type { DatabaseSync } from 'node:sqlite';
import { type ListName, tables } from '../../../shared/tables.ts';
import { sortKeyOf } from '../database/dictionary.ts';
import { withAttributes } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import type { TableColumn, TableQuery } from '../queries/table-query.ts';

/** A literal of SQL. */
const toLiteral = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A list as it is now, with its attributes as columns. */
export const listQuery = (db: DatabaseSync, list: ListName, { search, id }: Filter): TableQuery => ({
  columns: withAttributes(db, list, [identifierColumn(list)], ({ name, kind }, row) => {
    const path = toLiteral(`$.${JSON.stringify(name)}`);
    return kind === 'number' ? `${row}.attributes ->> ${path}` : textIn(row, path);
  }),
  from: 'list_row AS b',
  keys: [SORT_KEY],
  joins: '',
  conditions: [
    { sql: 'b.list = :list', values: { list } },
    ...given(id, (id) => ({ sql: 'b.sort_key = :id', values: { id: sortKeyOf(id) } })),
    ...withWordsIn(search, 'b.folded'),
  ],
  usualSort: tables[list].partitionKey,
});

/** The sort key as a text, because a cursor cannot hold a BLOB. */
const SORT_KEY = 'hex(b.sort_key)';

const identifierColumn = (list: ListName): TableColumn => ({
  name: tables[list].partitionKey,
  title: list === 'MaterialCodes' ? 'Material' : 'Order',
  kind: 'text',
  sql: 'shown.identifier',
  sortSql: SORT_KEY,
});

/** A text as it is, and any other value as JSON, which keeps all digits of a number. */
const textIn = (row: string, path: string) => `CASE json_type(${row}.attributes, ${path})
  WHEN 'text' THEN ${row}.attributes ->> ${path}
  WHEN 'null' THEN NULL
  ELSE ${row}.attributes -> ${path} END`;
