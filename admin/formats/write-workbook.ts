import { Failure } from '../text/failure.ts';
import { guardWorkbookText, keepsDigits } from '../text/guard-cells.ts';
import { type Column, type Rows, type Sink, toCellText } from '../text/output.ts';
import { withZone } from '../text/time.ts';
import { formatNumber } from '../text/words.ts';
import {
  INSTANT_FORMAT,
  MAX_ROWS,
  type SheetCell,
  type SheetColumn,
  streamWorkbook,
} from './stream-workbook.ts';

const MAX_CHARACTERS = 32_767;

const NARROWEST = 10;
const WIDEST = 60;

/** Writes an `.xlsx` file. Texts stay texts, times are dates on the reader's clock, and a number of more than 15 digits is a text. */
export const writeWorkbook = async <TRow>(sink: Sink, columns: readonly Column<TRow>[], rows: Rows<TRow>) => {
  const grid: SheetCell[][] = [];
  for await (const row of rows) {
    grid.push(columns.map(({ value }) => toSheetCell(value(row))));
    if (grid.length >= MAX_ROWS)
      throw new Failure(`A workbook has at most ${formatNumber(MAX_ROWS)} rows. ${ADVICE}`);
  }
  const sheet = {
    name: 'Rows',
    columns: columns.map(({ name }, index) => {
      const hasTimes = grid.some((cells) => cells[index] instanceof Date);
      return toSheetColumn(String(toSheetCell(hasTimes ? withZone(name) : name) ?? ''), grid, index);
    }),
    rows: grid,
  };
  await streamWorkbook(sink, [sheet]);
};

const ADVICE = 'Download it as CSV, or give the file a name that ends in .csv or .json.';

export const toSheetCell = (value: unknown): SheetCell => {
  if (value === undefined || value === null) return null;
  if (value instanceof Date || typeof value === 'boolean' || typeof value === 'number') return value;
  const text = toCellText(value);
  if (text === '') return null;
  if (JSON.isRawJSON(value) && keepsDigits(text)) return Number(text);
  if (text.length <= MAX_CHARACTERS) return guardWorkbookText(text);
  throw new Failure(
    `A text of ${formatNumber(text.length)} characters does not fit in a cell, which holds at most ${formatNumber(MAX_CHARACTERS)}. ${ADVICE}`,
  );
};

const TIME_LENGTH = INSTANT_FORMAT.length;

const lengthOf = (value: SheetCell) => (value instanceof Date ? TIME_LENGTH : String(value).length);

/** The width and the format of the column at `index`. A long text above the titles goes on over the next cells. */
export const toSheetColumn = (
  title: string,
  grid: readonly (readonly SheetCell[])[],
  index: number,
  preface: readonly (readonly SheetCell[])[] = [],
): SheetColumn => {
  const valuesIn = (rows: readonly (readonly SheetCell[])[]) =>
    rows.map((cells) => cells[index] ?? null).filter((value) => value !== null);
  const values = valuesIn(grid);
  const above = valuesIn(preface).filter((value) => typeof value !== 'string');
  const longest = [...above, ...values].reduce(
    (length: number, value) => Math.max(length, lengthOf(value)),
    Math.max(NARROWEST, title.length),
  );
  const areAll = (type: string) => values.every((value) => typeof value === type);
  const format = areAll('string') ? 'text' : areAll('number') ? 'right' : 'general';
  return { title, width: Math.min(longest, WIDEST) + 2, format };
};
