import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import { column, keyOf, withAttributes } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import type { TableQuery } from '../queries/read-table.ts';

/** A list as it is now, with its attributes as columns. */
export const listQuery = (db: DatabaseSync, list: ListName, { search, id }: Filter): TableQuery => ({
  columns: withAttributes(db, list, [
    column(keyOf(list), list === 'MaterialCodes' ? 'Material' : 'Order', 'text', 'b.identifier'),
  ]),
  from: 'list_row AS b',
  keys: ['b.identifier'],
  conditions: [
    { sql: 'b.list = :list', values: { list } },
    ...given(id, (id) => ({ sql: 'b.identifier = :id', values: { id } })),
    ...withWordsIn(search, 'b.folded'),
  ],
  usualSort: keyOf(list),
});
