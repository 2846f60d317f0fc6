import { reader } from './reader.ts';
import { formatTime } from './time.ts';

export type Csv = { kind: 'csv'; separator: ',' | ';'; decimal: '.' | ','; hasByteOrderMark: boolean };

export type Format =
  | { kind: 'table'; width?: number | undefined }
  | { kind: 'json' }
  | Csv
  | { kind: 'xlsx' };

/** People read the `title`, or the name if there is no title. With `isJson`, the values are texts of JSON. */
export type Column<TRow> = {
  name: string;
  value(row: TRow): unknown;
  title?: string;
  align?: 'right';
  isJson?: true;
  isTime?: true;
};

export type Rows<TRow> = Iterable<TRow> | AsyncIterable<TRow>;

/** Writes a piece of data, and waits for a slow reader. */
export type Sink = (piece: string | Uint8Array) => Promise<void>;

/** A text stays as it is, a time is on the reader's clock, an array of texts is joined by spaces, and anything else becomes JSON. */
export const toCellText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return reader().isProgram ? value.toISOString() : formatTime(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(' ');
  return JSON.stringify(value);
};

/** A number of DynamoDB is raw JSON, which keeps all digits. */
export const isNumber = (value: unknown) => typeof value === 'number' || JSON.isRawJSON(value);
