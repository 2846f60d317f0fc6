import type { CellValue } from 'hucre/xlsx';
import { Failure } from '../cli/failure.ts';
import { type Column, cell, type Rows } from '../cli/output.ts';
import { grouped } from '../cli/words.ts';
import { guardWorkbookText, keepsDigits } from './guard-cells.ts';

/** Excel's limits. */
const MAX_ROWS = 1_048_576;
const MAX_CHARACTERS = 32_767;

const TEXT = '@';
const INSTANT = 'yyyy-mm-dd hh:mm:ss" UTC"';
const NARROWEST = 10;
const WIDEST = 60;

/** Writes an `.xlsx` file. Texts stay texts, times are dates in UTC, and numbers of many digits are texts. */
export const writeWorkbook = async <TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>) => {
  const lines: CellValue[][] = [columns.map(({ name }) => toCell(name))];
  for await (const row of rows) {
    lines.push(columns.map(({ value }) => toCell(value(row))));
    if (lines.length > MAX_ROWS)
      throw new Failure(`A workbook has at most ${grouped(MAX_ROWS)} rows. ${ADVICE}`);
  }
  const { writeXlsxStream } = await import('hucre/xlsx');
  const formats = columns.map((_, index) => formatOf(lines, index));
  const stream = writeXlsxStream(lines, { name: 'Rows', columns: formats, freezePane: { rows: 1 } });
  return Buffer.from(await new Response(stream).arrayBuffer());
};

const ADVICE = 'Give a name that ends in .csv or .json.';

const toCell = (value: unknown): CellValue => {
  if (value === undefined || value === null || value === '') return null;
  if (value instanceof Date || typeof value === 'boolean' || typeof value === 'number') return value;
  const text = cell(value);
  if (JSON.isRawJSON(value) && keepsDigits(text)) return Number(text);
  if (text.length <= MAX_CHARACTERS) return escapeText(guardWorkbookText(text));
  throw new Failure(
    `A text of ${grouped(text.length)} characters does not fit in a cell, which holds at most ${grouped(MAX_CHARACTERS)}. ${ADVICE}`,
  );
};

/** In a workbook, `_x0041_` means A. XML does not allow U+FFFE and U+FFFF. */
const escapeText = (text: string) =>
  text
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll('\uFFFE', '_xFFFE_')
    .replaceAll('\uFFFF', '_xFFFF_');

/** The format of a column of texts keeps the zeros when a person types 00123. */
const formatOf = ([, ...lines]: readonly CellValue[][], index: number) => {
  const values = lines.map((line) => line[index]).filter((value) => value !== null);
  if (values.some((value) => value instanceof Date)) return { width: INSTANT.length, numFmt: INSTANT };
  const longest = values.reduce((length: number, value) => Math.max(length, String(value).length), NARROWEST);
  const isText = values.every((value) => typeof value === 'string');
  return { width: Math.min(longest, WIDEST) + 2, ...(isText ? { numFmt: TEXT } : {}) };
};
