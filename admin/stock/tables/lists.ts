import type { DatabaseSync } from 'node:sqlite';
import { type ListName, tables } from '../../../shared/tables.ts';
import { column } from '../queries/columns.ts';
import { type Filter, given, withWordsIn } from '../queries/filter.ts';
import { withAttributes } from '../queries/list-columns.ts';
import { listRowsAt } from '../queries/lists-at.ts';
import type { TableDefinition } from '../queries/read-table.ts';

export const listQuery =
  (list: ListName) =>
  (filter: Filter, db: DatabaseSync): TableDefinition => ({
    columns: withAttributes(db, { list, at: filter.at }, [
      [
        column(
          tables[list].partitionKey,
          list === 'MaterialCodes' ? 'Material' : 'Order',
          'text',
          'b.identifier',
        ),
      ],
      [],
    ]),
    from: `${listRowsAt(db, list, filter.at)} AS b`,
    keys: ['b.identifier'],
    conditions: [...given(filter.id, 'b.identifier = :id'), ...withWordsIn(filter.search, 'b.folded')],
    usualSort: tables[list].partitionKey,
  });
