import { type Column, type Format, isNumber, type Rows, type Sink, toCellText } from '../text/output.ts';
import { toVisible } from '../text/quote.ts';
import { formatNumber } from '../text/words.ts';
import { alignLines } from './align-lines.ts';
import { writeCsv } from './write-csv.ts';

/**
 * Writes each row of JSON and CSV immediately. A table needs all rows first, for the widths of columns, unless `planned` has
 * rows that are as wide. A workbook always needs all rows first. Returns notices for the person who gets the data.
 */
export const writeRows = async <TRow>(
  sink: Sink,
  format: Format,
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
  planned?: readonly TRow[],
): Promise<string[]> => {
  if (format.kind === 'json') return writeJson(sink, recordsOf(columns, rows));
  if (format.kind === 'csv') return writeCsv(sink, format, columns, rows);
  if (format.kind === 'xlsx') {
    const { writeWorkbook } = await import('./write-workbook.ts');
    await writeWorkbook(sink, columns, rows);
    return [];
  }
  const titles = columns.map(({ title, name }) => title ?? name);
  const all = await Array.fromAsync(linesOf(columns, planned ?? rows));
  const isRightAligned = columns.map(({ align }) => align === 'right');
  const { head, drawRow } = alignLines([titles.map(toVisible), ...all], isRightAligned, format.width);
  let before = head;
  for await (const line of planned ? linesOf(columns, rows) : all) {
    await sink(before + drawRow(line));
    before = '';
  }
  if (before !== '') await sink(before);
  return [];
};

async function* linesOf<TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>) {
  for await (const row of rows) yield columns.map(({ value }) => toVisible(textOf(value(row))));
}

const textOf = (value: unknown) => (isNumber(value) ? formatNumber(toCellText(value)) : toCellText(value));

export const writeJson = async (sink: Sink, records: Rows<unknown>): Promise<string[]> => {
  let before = '[\n';
  for await (const record of records) {
    await sink(`${before}${JSON.stringify(record)}`);
    before = ',\n';
  }
  await sink(before === '[\n' ? '[]\n' : '\n]\n');
  return [];
};

async function* recordsOf<TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>) {
  for await (const row of rows) {
    yield Object.fromEntries(columns.map(({ name, value }) => [name, value(row)]));
  }
}

/** Writes a record as one JSON object, and in other formats as a row for each property. */
export const writeRecord = async (
  sink: Sink,
  format: Format,
  record: Record<string, unknown>,
): Promise<string[]> => {
  if (format.kind === 'json') {
    await sink(`${JSON.stringify(record, null, 2)}\n`);
    return [];
  }
  const columns = [
    { name: 'Name', value: ([name]: [string, unknown]) => name },
    { name: 'Value', value: ([, value]: [string, unknown]) => value },
  ];
  return writeRows(sink, format, columns, Object.entries(record));
};
