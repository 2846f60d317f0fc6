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
  columns: withAttributes(db, list, [keyColumn(list)], ({ name, kind }, row) => {
    const path = toLiteral(`$.${JSON.stringify(name)}`);
    return kind === 'number' ? `${row}.attributes ->> ${path}` : textIn(row, path);
  }),
  from: 'list_row AS b',
  keys: [KEY],
  joins: '',
  conditions: [
    { sql: 'b.list = :list', values: { list } },
    ...given(id, (id) => ({ sql: 'b.sort_key = :id', values: { id: sortKeyOf(id) } })),
    ...withWordsIn(search, 'b.folded'),
  ],
  usualSort: tables[list].partitionKey,
});

/** A text, because a cursor holds no BLOB. */
const KEY = 'hex(b.sort_key)';

const keyColumn = (list: ListName): TableColumn => ({
  name: tables[list].partitionKey,
  title: list === 'MaterialCodes' ? 'Material' : 'Order',
  kind: 'text',
  sql: 'shown.identifier',
  sortSql: KEY,
});

/** A text as it is, and anything else in JSON, with all its digits. */
const textIn = (row: string, path: string) => `CASE json_type(${row}.attributes, ${path})
  WHEN 'text' THEN ${row}.attributes ->> ${path}
  WHEN 'null' THEN NULL
  ELSE ${row}.attributes -> ${path} END`;
