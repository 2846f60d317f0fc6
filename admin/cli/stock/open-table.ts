import type { DatabaseSync } from 'node:sqlite';
import { columnsOfTable } from '../../formats/columns-of-table.ts';
import { rowsOf } from '../../stock/database/rows.ts';
import { untilOf } from '../../stock/queries/filter.ts';
import { type Cell, iterateTable } from '../../stock/queries/read-table.ts';
import { type StockTableName, tableQueries } from '../../stock/tables/tables.ts';
import type { LoadedStock } from './with-stock.ts';

export type Row = readonly Cell[];
type Filter = Record<string, string | Date | undefined>;

export const openTable = (db: DatabaseSync, name: StockTableName, filter: Filter) => {
  const query = tableQueries[name](db, toTexts(filter));
  return {
    columns: (...names: string[]) => columnsOfTable(query, names),
    /** Returns all rows, or only the first `atMost` rows. */
    rows: (sort?: string, atMost?: number): Iterable<Row> => iterateTable(db, query, { sort, limit: atMost }),
  };
};

const toTexts = (filter: Filter) =>
  Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value instanceof Date ? value.toISOString() : value]],
    ),
  );

/** The damage of each damaged batch, because the tables leave these batches out. */
export const describeDamages = ({ db, clients, filter: { since, at } }: LoadedStock) =>
  rowsOf<{ damage: string }>(
    db.prepare(`
      SELECT damage FROM batch WHERE state = 'damaged' AND client IN (SELECT value FROM json_each(?))
      AND received_at BETWEEN ? AND ? ORDER BY received_at, id`),
    JSON.stringify(clients),
    since?.toISOString() ?? '',
    untilOf(at?.toISOString()),
  ).map(({ damage }) => damage);

export const LISTS_ARE_OF_NOW = 'The lists are as of now, because their history is not kept.';
