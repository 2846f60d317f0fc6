import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import { removeApostrophe } from '../../text/guard-cells.ts';
import { quote } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';
import { type NumberStyle, toDecimal } from '../values/decimal.ts';
import { fromFileJson } from '../values/file-values.ts';
import { HALF_PAIR, nameIssue, readJsonValue } from '../values/json-values.ts';
import { OTHER_LIST } from './issues.ts';

/** An empty cell is `''`. A cell with an issue has no usable value. */
export type Cell = string | number | boolean | { issue: string };

/** The type of a column's cells, from the end of its title. */
export type Kind = 'text' | 'number' | 'json';

type TableColumn = { title: string; name: string; kind: Kind };
/** `keyIndex` is the column of the identifiers. `untitled` counts the blank columns at the end, which spreadsheets may add. */
export type Header = { keyIndex: number; columns: TableColumn[]; untitled: number };

type Notes = { issue(detail: string): void; notice(text: string): void };

const TYPED = /^(.*):(number|json)$/is;

const toColumn = (title: string): TableColumn => {
  const [, name = title, type] = TYPED.exec(title) ?? [];
  const ending = type?.toLowerCase();
  return { title, name, kind: ending === 'number' || ending === 'json' ? ending : 'text' };
};

/** A name that itself ends in `:number` or `:json` gets a second ending. */
export const toTitle = (name: string, kind: Kind) => {
  if (kind !== 'text') return `${name}:${kind}`;
  return TYPED.test(name) ? `${name}:json` : name;
};

/** Reads the titles. The first column has the identifiers, unless another column has their title. */
export const readHeader = (cells: readonly string[], name: ListName, { issue, notice }: Notes): Header => {
  const titles = withoutBlankEnd(cells);
  const own = tables[name].partitionKey;
  const named = columnOf(titles, own);
  const otherKeys = listNames.map((list) => tables[list].partitionKey).filter((key) => key !== own);
  const other = otherKeys.find((key) => columnOf(titles, key) !== -1);
  if (named === -1 && other) issue(`there is a column ${other}, but no column ${own}: ${OTHER_LIST}`);
  else if (named === -1) notice(namedByFirst(own, quote(titles[0] ?? '')));
  const keyIndex = Math.max(0, named);
  const columns = titles.map((title, index) =>
    index === keyIndex ? { title, name: own, kind: 'text' as const } : toColumn(title),
  );
  const seen = new Set<string>();
  for (const [index, { title, name }] of columns.entries()) {
    const detail = titleIssue(title, name, seen);
    if (detail) issue(`column ${index + 1}: ${detail}`);
    seen.add(name.trim());
  }
  return { keyIndex, columns, untitled: cells.length - titles.length };
};

const namedByFirst = (key: string, first: string) =>
  `No column has the title ${key}, so the first column, ${first}, is read as the ${key}. If ${first} is data, add a row of titles above it.`;

/** Prefers the exact title to one in other letter case or with blanks around it. */
const columnOf = (titles: readonly string[], key: string) => {
  const exact = titles.indexOf(key);
  return exact === -1 ? titles.findIndex((title) => title.trim().toLowerCase() === key.toLowerCase()) : exact;
};

export const isBlank = (cell: Cell) => typeof cell === 'string' && cell.trim() === '';

const withoutBlankEnd = (cells: readonly string[]) =>
  cells.slice(0, 1 + cells.findLastIndex((cell) => !isBlank(cell)));

const titleIssue = (title: string, name: string, seen: Set<string>) => {
  if (isBlank(title)) return 'it has no title';
  const doubled = `an earlier column is already for ${quote(name.trim())}`;
  return nameIssue(name) ?? (seen.has(name.trim()) ? doubled : undefined);
};

type Read = { value: AttributeValue } | { issues: readonly string[] };

const BOOLEAN = { issues: ['it is true or false; end the title with :json to keep it as such'] };

/** A spreadsheet keeps 15 digits and replaces all others by 0. */
const LONGEST = 1e15;
const LONG = {
  issues: [
    'the number has more digits than a spreadsheet keeps; format the column as text and type it again',
  ],
};

const readers: Record<Kind, (cell: string | number | boolean, style: NumberStyle) => Read> = {
  text: (cell) => (typeof cell === 'boolean' ? BOOLEAN : { value: { S: String(cell) } }),
  number: (cell, style) => {
    if (typeof cell === 'boolean') return BOOLEAN;
    const decimal =
      typeof cell === 'number' ? toDecimal(String(cell)) : toDecimal(removeApostrophe(cell), style);
    return 'digits' in decimal
      ? { value: { N: decimal.digits } }
      : { issues: [`${quote(String(cell))} is ${decimal.issue}`] };
  },
  json: (cell) => {
    const read = readJsonValue(removeApostrophe(String(cell)));
    return 'value' in read ? { value: fromFileJson(read.value) } : read;
  },
};

export const readCell = (cell: Cell, kind: Kind, style: NumberStyle): Read => {
  if (typeof cell === 'object') return { issues: [cell.issue] };
  if (typeof cell === 'number' && Math.abs(cell) >= LONGEST) return LONG;
  if (typeof cell === 'string' && !cell.isWellFormed()) return { issues: [HALF_PAIR] };
  return readers[kind](cell, style);
};

const TITLES_AGAIN = 'this row has the titles again; remove this row, or the rows above it';

export const structureIssue = (
  cells: readonly Cell[],
  { keyIndex, columns, untitled }: Header,
  separator: string,
) => {
  if (cells[keyIndex] === columns[keyIndex]?.name) return TITLES_AGAIN;
  const expected = columns.length;
  if (cells.length === expected) return undefined;
  const beyond = cells.findIndex((cell, index) => index >= expected && !isBlank(cell));
  const counts = `the row has ${countOf(cells.length, 'cell')} and the titles ${expected}`;
  if (cells.length < expected) return counts;
  if (beyond === -1) return undefined;
  return beyond < expected + untitled
    ? `column ${beyond + 1}: the cell contains ${quote(String(cells[beyond] ?? ''))}, but the column has no title`
    : `${counts}; a cell that contains "${separator}" must be in quotation marks`;
};

type Given = { cells: readonly Cell[]; style: NumberStyle; issue(detail: string): void };

const EMPTY = { issues: [] };

/** An empty cell clears its attribute. */
export const readCells = ({ keyIndex, columns }: Header, { cells, style, issue }: Given) => {
  const attributes: [string, AttributeValue][] = [];
  const cleared: string[] = [];
  const readInto = (cell: Cell, { name, kind, title }: TableColumn) => {
    const read = cell === '' ? EMPTY : readCell(cell, kind, style);
    if (read === EMPTY) cleared.push(name);
    else if ('value' in read) attributes.push([name, read.value]);
    else for (const detail of read.issues) issue(`column ${quote(title)}: ${detail}`);
  };
  for (const [index, column] of columns.entries()) {
    if (index !== keyIndex) readInto(cells[index] ?? '', column);
  }
  return { attributes: Object.fromEntries(attributes), cleared };
};
