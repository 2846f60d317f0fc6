import { alignedLines, visible } from './text-table.ts';

/** For people, or for programs. */
export type Format =
  | { kind: 'table'; width?: number | undefined }
  | { kind: 'json' }
  | { kind: 'csv'; separator: ',' | ';' };

/** `title` is for people, where it differs from the name. */
export type Column<TRow> = {
  name: string;
  value: (row: TRow) => unknown;
  title?: string;
  align?: 'right';
};

/** Columns that show one property each. */
export const columnsOf = <TRow>(properties: Record<string, keyof TRow>): Column<TRow>[] =>
  Object.entries(properties).map(([name, property]) => ({ name, value: (row) => row[property] }));

export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** Writes a piece of data, and waits for a slow reader. */
export type Sink = (text: string) => Promise<void>;

/** A text stays as it is, a time is in UTC, a list of texts gets spaces, and anything else becomes JSON. */
export const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
  return JSON.stringify(value);
};

/** Writes each row as it comes. Only a table for people waits for the last row, because of its widths. */
export const writeRows = async <TRow>(
  sink: Sink,
  format: Format,
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
) => {
  if (format.kind === 'json') return writeJson(sink, recordsOf(columns, rows));
  if (format.kind === 'csv') {
    const names = columns.map(({ name }) => name);
    for await (const line of cellsOf(names, columns, rows)) await sink(csvLine(line, format.separator));
    return;
  }
  const titles = columns.map(({ title, name }) => title ?? name);
  const lines = await Array.fromAsync(cellsOf(titles, columns, rows), (line) => line.map(visible));
  const isRight = columns.map(({ align }) => align === 'right');
  for (const line of alignedLines(lines, isRight, format.width)) await sink(line);
};

async function* cellsOf<TRow>(titles: string[], columns: readonly Column<TRow>[], rows: Rows<TRow>) {
  yield titles;
  for await (const row of rows) yield columns.map(({ value }) => cell(value(row)));
}

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

/** Excel needs it to recognize UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;
const quoted = (text: string) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180. */
const csvLine = (cells: readonly string[], separator: string) => `${cells.map(quoted).join(separator)}\r\n`;

/** Writes an object in JSON, otherwise a line for each property. */
export const writeRecord = async (sink: Sink, format: Format, record: Record<string, unknown>) => {
  if (format.kind === 'json') return sink(`${JSON.stringify(record, null, 2)}\n`);
  const columns = [
    { name: 'Name', value: ([name]: [string, unknown]) => name },
    { name: 'Value', value: ([, value]: [string, unknown]) => value },
  ];
  await writeRows(sink, format, columns, Object.entries(record));
};
