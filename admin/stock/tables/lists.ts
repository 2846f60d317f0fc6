import type { DatabaseSync } from 'node:sqlite';
import type { ListName } from '../../../shared/tables.ts';
import { column, keyOf, withAttributes } from '../queries/columns.ts';
import { type Filter, given, valuesOf, withWordsIn } from '../queries/filter.ts';
import type { TableQuery } from '../queries/read-table.ts';

/** A list as it is now, with its attributes as columns. */
export const listQuery = (db: DatabaseSync, list: ListName, filter: Filter): TableQuery => ({
  columns: withAttributes(db, list, [
    column(keyOf(list), list === 'MaterialCodes' ? 'Material' : 'Order', 'text', 'b.identifier'),
  ]),
  from: 'list_row AS b',
  keys: ['b.identifier'],
  conditions: [
    `b.list = '${list}'`,
    ...given(filter.id, 'b.identifier = :id'),
    ...withWordsIn(filter.search, 'b.folded'),
  ],
  values: valuesOf(filter),
  usualSort: keyOf(list),
});
