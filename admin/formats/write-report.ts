import type { DatabaseSync } from 'node:sqlite';
import { findKnownSince, warehousesOf } from '../stock/queries/choices.ts';
import type { Filter } from '../stock/queries/filter.ts';
import { countRows } from '../stock/queries/read-table.ts';
import { type StockTableName, tableQuery } from '../stock/tables/tables.ts';
import { readKinds } from '../stock/tables/work.ts';
import type { Sink } from '../text/output.ts';
import { reader } from '../text/reader.ts';
import { formatTime } from '../text/time.ts';
import { countOf, formatNumber } from '../text/words.ts';
import { writeFor } from '../text/write-for.ts';
import { severities } from '../told/mark.ts';
import { compareWork, type Line } from './compare-work.ts';
import { type Sheet, type SheetCell, type SheetColumn, streamWorkbook } from './stream-workbook.ts';
import { tableSheet } from './table-sheet.ts';
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

/** Writes the report, and returns its counts. Its title names the zone of all its times. */
export const writeReport = (sink: Sink, db: DatabaseSync, options: Options) =>
  writeFor({ ...reader(), namesZone: false }, () => writeSheets(sink, db, options));

/** Works row by row, because a deployment may have a million balances. */
const writeSheets = async (sink: Sink, db: DatabaseSync, options: Options) => {
  const { at, client } = options;
  const filter = { at: at?.toISOString(), client };
  const knownSince = findKnownSince(db, client === undefined ? warehousesOf(db) : [client]);
  const lines = compareWork(db, { at, now: options.now, client, knownSince });
  const facts = { ...countAll(db, filter), ...(knownSince ? { BatchesSince: new Date(knownSince) } : {}) };
  await streamWorkbook(sink, sheetsOf(db, options, filter, lines, facts), options.maxRows);
  return facts;
};

const countAll = (db: DatabaseSync, filter: Filter) => {
  const count = (name: StockTableName, ...conditions: string[]) => {
    const query = tableQuery(db, name, filter);
    return countRows(db, { ...query, conditions: [...query.conditions, ...conditions] });
  };
  const kinds = readKinds(db);
  const found = (wanted: string) =>
    kinds.reduce((sum, { severity, count }) => (severity === wanted ? sum + count : sum), 0);
  return {
    Warehouses: count('warehouses'),
    Late: count('warehouses', `b.state = 'late'`),
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
  lines: readonly Line[],
  { BatchesSince, Warehouses }: { BatchesSince?: Date; Warehouses: number },
): Generator<Sheet> {
  const preface: SheetCell[][] = [
    [`Stock of ${deploymentName}`],
    [`As of ${formatTime(at ?? now)} (times of ${reader().timeZone})`],
    ...(BatchesSince ? [[`From batches since ${formatTime(BatchesSince)}`]] : []),
    [],
  ];
  yield overviewOf(lines, Warehouses, preface);
  yield findingsOf(lines);
  yield tableSheet(db, 'Warehouses', tableQuery(db, 'warehouses', filter));
  yield tableSheet(db, 'Balances', tableQuery(db, 'balances', filter));
  yield tableSheet(db, 'Totals', tableQuery(db, 'totals', filter));
  yield tableSheet(db, 'Batches', tableQuery(db, 'batches', { ...filter, since: since?.toISOString() }));
}

const MAX_LINES = 30;

/** One page that says what is wrong, since when, and what has changed in a week. Notes are only on the next sheet. */
const overviewOf = (lines: readonly Line[], warehouses: number, preface: SheetCell[][]): Sheet => {
  const isKnown = lines.every(({ before }) => before !== null);
  const totals = severities.map((severity): SheetCell[] => {
    const ofSeverity = lines.filter((line) => line.severity === severity);
    const now = ofSeverity.reduce((sum, line) => sum + line.now, 0);
    const before = isKnown ? ofSeverity.reduce((sum, line) => sum + (line.before ?? 0), 0) : null;
    const what = severity === 'note' ? 'all, on the sheet Findings' : 'all';
    return [`${countOf(warehouses, 'warehouse')} and the lists`, severity, what, ...figuresOf(now, before)];
  });
  const important = lines.filter(({ severity }) => severity !== 'note');
  const left = important.length - MAX_LINES;
  const grid = [
    ...totals,
    [],
    ...important.slice(0, MAX_LINES).map(({ name, severity, what, states, now, before, since, example }) => {
      const isHidden = now > 0 && !states.includes('open');
      const shown = isHidden ? `${what} (${states})` : what;
      return [
        name,
        severity,
        shown,
        ...figuresOf(now, before),
        since === null ? null : new Date(since),
        example,
      ];
    }),
    ...(left > 0 ? [[`${formatNumber(left)} more on the sheet Findings`]] : []),
  ];
  const titles = ['Now', 'A week before', 'Change', 'Since', 'Example'];
  return gridSheet('Overview', ['Warehouse or list', 'Severity', 'What is wrong', ...titles], grid, preface);
};

const figuresOf = (now: number, before: number | null): SheetCell[] => [
  ...[now, before, before === null ? null : now - before],
];

const findingsOf = (lines: readonly Line[]): Sheet => {
  const shown = lines.filter(({ now }) => now > 0);
  const grid = shown.map(({ name, severity, what, now, since, states, example, advice }) => [
    ...[name, severity, what, now, since === null ? null : new Date(since), states, example, advice],
  ]);
  const titles = ['Warehouse or list', 'Severity', 'What is wrong', 'Count', 'Since', 'State', 'Example'];
  return { ...gridSheet('Findings', [...titles, 'What to do'], grid), hasFilter: true };
};

const WRAPPED = new Map([
  ['What is wrong', 34],
  ['Example', 48],
  ['What to do', 34],
]);

const gridSheet = (
  name: string,
  titles: readonly string[],
  rows: readonly (readonly SheetCell[])[],
  preface: SheetCell[][] = [],
): Sheet => {
  const grid = rows.map((cells) => cells.map(toSheetCell));
  const columns = titles.map((title, index): SheetColumn => {
    const column = toSheetColumn(title, grid, index, preface);
    if (title === 'Change') return { ...column, format: 'change' };
    const widest = WRAPPED.get(title);
    return widest ? { ...column, width: Math.min(column.width, widest), format: 'wrapped' } : column;
  });
  return { name, preface, columns, rows: grid };
};
