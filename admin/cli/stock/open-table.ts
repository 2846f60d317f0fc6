import type { DatabaseSync } from 'node:sqlite';
import { columnsOfTable } from '../../formats/columns-of-table.ts';
import { rowsOf } from '../../stock/database/rows.ts';
import { untilOf } from '../../stock/queries/filter.ts';
import { iterateTable } from '../../stock/queries/read-table.ts';
import { type StockTableName, tableQuery } from '../../stock/tables/tables.ts';
import type { Column } from '../../text/output.ts';
import type { LoadedStock } from './with-stock.ts';

export type Row = Record<string, unknown>;
export type Filter = Record<string, string | Date | undefined>;

export const openTable = (
  db: DatabaseSync,
  table: StockTableName,
  filter: Filter,
  names: readonly string[],
  choice: { sort?: string | undefined; limit?: number | undefined } = {},
) => {
  const query = tableQuery(db, table, toTexts(filter));
  const ofCells = columnsOfTable(query, names);
  const rows = Iterator.from(iterateTable(db, query, choice)).map(
    (cells): Row => Object.fromEntries(ofCells.map(({ name, value }) => [name, value(cells)])),
  );
  const columns = ofCells.map((column): Column<Row> => ({ ...column, value: (row) => row[column.name] }));
  return { columns, rows };
};

export const toTexts = (filter: Filter) =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
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
