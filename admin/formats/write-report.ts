import type { DatabaseSync } from 'node:sqlite';
import { showFindingsOf, showKeptFindings } from '../stock/checks/show-findings.ts';
import { findKnownSince, warehousesOf } from '../stock/queries/choices.ts';
import {
  type Cell,
  countRows,
  iterateTable,
  readRows,
  type TableQuery,
} from '../stock/queries/read-table.ts';
import { type StockTableName, tableQuery } from '../stock/tables/tables.ts';
import { readKinds } from '../stock/tables/work.ts';
import type { Column, Sink } from '../text/output.ts';
import { columnsOfTable } from './columns-of-table.ts';
import { type Sheet, type SheetCell, streamWorkbook } from './stream-workbook.ts';
import { toSheetCell, toSheetColumn } from './write-workbook.ts';

type Options = {
  deploymentName: string;
  now: Date;
  at?: Date | undefined;
  /** The sheet Batches leaves out older batches. */
  since?: Date | undefined;
  client?: string | undefined;
  maxRows?: number;
};

/** Writes the report, and returns its counts. Works row by row, because a deployment may have a million balances. */
export const writeReport = async (sink: Sink, db: DatabaseSync, options: Options) => {
  const { at, client } = options;
  const filter = {
    ...(at ? { at: at.toISOString(), checked: 'yes' } : {}),
    ...(client === undefined ? {} : { client }),
  };
  if (at || client !== undefined) showFindingsOf(db, { at: at?.toISOString(), client });
  else showKeptFindings(db);
  const counts = countAll(db, filter);
  const since = findKnownSince(db, client === undefined ? warehousesOf(db) : [client]);
  const facts = { ...counts, ...(since ? { BatchesSince: new Date(since) } : {}) };
  await streamWorkbook(sink, sheetsOf(db, options, filter, facts), options.maxRows);
  return facts;
};

type Filter = Record<string, string>;
type Facts = ReturnType<typeof countAll> & { BatchesSince?: Date };

const countAll = (db: DatabaseSync, filter: Filter) => {
  const count = (name: StockTableName, ofTable = filter) => countRows(db, tableQuery(db, name, ofTable));
  const kinds = readKinds(db);
  const found = (wanted: string) =>
    kinds.reduce((sum, { severity, count }) => (severity === wanted ? sum + count : sum), 0);
  return {
    Warehouses: count('warehouses'),
    Late: count('warehouses', { ...filter, late: 'yes' }),
    Balances: count('balances'),
    Batches: count('batches'),
    Errors: found('error'),
    Warnings: found('warning'),
    Notes: found('note'),
  };
};

function* sheetsOf(
  db: DatabaseSync,
  { deploymentName, now, at, since }: Options,
  filter: Filter,
  { BatchesSince, ...counts }: Facts,
): Generator<Sheet> {
  const preface: SheetCell[][] = [
    ['Stock of', deploymentName],
    ['As of', at ?? now],
    ...(BatchesSince ? [['From batches since', BatchesSince]] : []),
    ...Object.entries(counts),
    [],
  ];
  yield toSheet(db, 'Overview', tableQuery(db, 'warehouses', filter), preface);
  // They are those of the client already. A finding of the lists has no client.
  yield toSheet(db, 'Findings', tableQuery(db, 'findings', {}));
  yield toSheet(db, 'Balances', tableQuery(db, 'balances', filter));
  yield toSheet(db, 'Totals', tableQuery(db, 'totals', filter));
  const ofBatches = since ? { ...filter, since: since.toISOString() } : filter;
  yield toSheet(db, 'Batches', tableQuery(db, 'batches', ofBatches));
}

/** The width of a column depends on this number of first rows. */
const MEASURED_ROWS = 1_000;

const toSheet = (db: DatabaseSync, name: string, query: TableQuery, preface: SheetCell[][] = []): Sheet => {
  const columns = columnsOfTable(query);
  const grid = [...cellsOf(columns, readRows(db, query, { limit: MEASURED_ROWS }))];
  return {
    ...{ name, preface, hasFilter: true },
    columns: query.columns.map(({ title }, index) => toSheetColumn(title, grid, index, preface)),
    rows: cellsOf(columns, iterateTable(db, query)),
  };
};

function* cellsOf(columns: readonly Column<Cell[]>[], rows: Iterable<Cell[]>) {
  for (const row of rows) yield columns.map(({ value }) => toSheetCell(value(row)));
}
