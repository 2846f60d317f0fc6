import { csvLine } from './csv.ts';
import { alignedLines, visible } from './text-table.ts';

/** For people, or for programs. */
export type Format =
  | { kind: 'table'; width?: number | undefined }
  | { kind: 'json' }
  | { kind: 'csv'; separator: ',' | ';' };

/** A column as programs get it and, where that differs, as people do. */
export type Column<TRow> = {
  name: string;
  value: (row: TRow) => unknown;
  title?: string;
  text?: (row: TRow) => string;
  align?: 'right';
};

export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** Takes a piece of the data, and is waited for where its reader is slower than the writer. */
export type Sink = (text: string) => Promise<void>;

/** A value in a cell: a text as it is, a list by its items, anything else as JSON. */
export const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
  return JSON.stringify(value);
};

/** Writes rows one after the other as they come; only a table for people waits for the last, for its widths. */
export const writeRows = async <TRow>(
  sink: Sink,
  format: Format,
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
) => {
  if (format.kind === 'json') await writeJson(sink, recordsOf(columns, rows));
  else if (format.kind === 'csv') await writeCsv(sink, columns, rows, format.separator);
  else await writeTable(sink, columns, rows, format.width);
};

/** An array with a record on each line. */
export const writeJson = async (sink: Sink, records: Rows<unknown>) => {
  let before = '[\n';
  for await (const record of records) {
    await sink(`${before}${JSON.stringify(record)}`);
    before = ',\n';
  }
  await sink(before === '[\n' ? '[]\n' : '\n]\n');
};

async function* recordsOf<TRow>(columns: readonly Column<TRow>[], rows: Rows<TRow>) {
  for await (const row of rows) {
    yield Object.fromEntries(columns.map(({ name, value }) => [name, value(row)]));
  }
}

const writeCsv = async <TRow>(
  sink: Sink,
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
  separator: string,
) => {
  const titles = columns.map(({ name }) => name);
  await sink(csvLine(titles, separator));
  for await (const row of rows) {
    const cells = columns.map(({ value }) => cell(value(row)));
    await sink(csvLine(cells, separator));
  }
};

const writeTable = async <TRow>(
  sink: Sink,
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
  width?: number,
) => {
  const lines = [columns.map(({ title, name }) => visible(title ?? name))];
  for await (const row of rows) {
    lines.push(columns.map(({ value, text }) => visible(text ? text(row) : cell(value(row)))));
  }
  const isRight = columns.map(({ align }) => align === 'right');
  for (const line of alignedLines(lines, isRight, width)) await sink(line);
};

/** One thing: for people and in CSV a line for each of its properties, in JSON an object. */
export const writeRecord = async (sink: Sink, format: Format, record: Record<string, unknown>) => {
  if (format.kind === 'json') return sink(`${JSON.stringify(record, null, 2)}\n`);
  const columns = [
    { name: 'Name', value: ([name]: [string, unknown]) => name },
    { name: 'Value', value: ([, value]: [string, unknown]) => value },
  ];
  await writeRows(sink, format, columns, Object.entries(record));
};
