import type { DatabaseSync } from 'node:sqlite';
import {
  type Cell,
  iterateTable,
  queryRows,
  readRows,
  type TableQuery,
  whereOf,
} from '../stock/queries/read-table.ts';
import type { Column } from '../text/output.ts';
import { columnsOfTable } from './columns-of-table.ts';
import type { Sheet, SheetCell } from './stream-workbook.ts';
import { toSheetCell, toSheetColumn } from './write-workbook.ts';

/** Ids and limits for programs, which come last. */
const NOT_PRINTED = ['SnapshotId', 'BatchesSince'];

/** The width of a column depends on this number of first rows. */
const MEASURED_ROWS = 1_000;

/** A sheet with all rows of a table of the stock. */
export const tableSheet = (
  db: DatabaseSync,
  name: string,
  query: TableQuery,
  preface: SheetCell[][] = [],
): Sheet => {
  const columns = columnsOfTable(query);
  const grid = [...cellsOf(columns, readRows(db, query, { limit: MEASURED_ROWS }))];
  return {
    ...{ name, preface, hasFilter: true },
    printedColumns: query.columns.findLastIndex(({ name }) => !NOT_PRINTED.includes(name)) + 1,
    columns: query.columns.map(({ title, kind, sql }, index) => {
      const column = toSheetColumn(title, grid, index, preface);
      return kind === 'number'
        ? { ...column, width: Math.max(column.width, longestOf(db, query, sql) + 2) }
        : column;
    }),
    rows: cellsOf(columns, iterateTable(db, query)),
  };
};

/** A spreadsheet shows ### in place of a number that does not fit, so all numbers are measured. */
const longestOf = (db: DatabaseSync, { from, conditions, values }: TableQuery, sql: string) =>
  queryRows<{ length: number | null }>(
    db,
    `SELECT max(length(${sql})) AS length FROM ${from} ${whereOf(conditions)}`,
    values,
  )[0]?.length ?? 0;

function* cellsOf(columns: readonly Column<Cell[]>[], rows: Iterable<Cell[]>) {
  for (const row of rows) yield columns.map(({ value }) => toSheetCell(value(row)));
}
