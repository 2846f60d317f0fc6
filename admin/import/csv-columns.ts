import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, catalogNames, tables } from '../../shared/tables.ts';
import { counted } from '../cli/words.ts';
import type { Separator } from './csv-separator.ts';
import { toDecimal } from './decimal.ts';
import { OTHER_LIST, quote } from './faults.ts';
import { nameFault, readJsonValue } from './json-values.ts';

/** The type of a column's cells, from the end of its title. */
export type Kind = 'text' | 'number' | 'json';

export type CsvColumn = { title: string; name: string; kind: Kind };
/** `untitled` counts the blank columns that spreadsheets leave at the end. */
export type Header = { key: number; columns: CsvColumn[]; untitled: number; separator: Separator };

type Report = { fault(detail: string): void; notice(text: string): void };

const TYPED = /^(.*):(number|json)$/s;

export const toColumn = (title: string): CsvColumn => {
  const [, name = title, ending] = TYPED.exec(title) ?? [];
  return { title, name, kind: ending === 'number' || ending === 'json' ? ending : 'text' };
};

/** A name that itself ends in `:number` or `:json` gets a second ending. */
export const toTitle = (name: string, kind: Kind) => {
  if (kind !== 'text') return `${name}:${kind}`;
  return TYPED.test(name) ? `${name}:json` : name;
};

/** Reads the titles. The first column has the identifiers, unless another column has their title. */
export const readHeader = (
  { cells, separator }: { cells: readonly string[]; separator: Separator },
  name: CatalogName,
  { fault, notice }: Report,
): Header => {
  const titles = withoutBlankEnd(cells);
  const own = tables[name].partitionKey;
  const named = columnOf(titles, own);
  const otherKeys = catalogNames.map((list) => tables[list].partitionKey).filter((key) => key !== own);
  const other = otherKeys.find((key) => columnOf(titles, key) !== -1);
  if (named === -1 && other) fault(`there is a column ${other} and none ${own}: ${OTHER_LIST}`);
  else if (named === -1) notice(`The first column, ${quote(titles[0] ?? '')}, names the rows.`);
  const key = Math.max(0, named);
  const columns = titles.map((title, index) =>
    index === key ? { title, name: own, kind: 'text' as const } : toColumn(title),
  );
  const seen = new Set<string>();
  for (const [index, { title, name }] of columns.entries()) {
    const detail = titleFault(title, name, seen);
    if (detail) fault(`column ${index + 1}: ${detail}`);
    seen.add(name);
  }
  return { key, columns, untitled: cells.length - titles.length, separator };
};

/** Prefers the exact title over one in other letter case or with blanks around it. */
const columnOf = (titles: readonly string[], key: string) => {
  const exact = titles.indexOf(key);
  return exact === -1 ? titles.findIndex((title) => title.trim().toLowerCase() === key.toLowerCase()) : exact;
};

const isBlank = (cell: string) => cell.trim() === '';

const withoutBlankEnd = (cells: readonly string[]) =>
  cells.slice(0, 1 + cells.findLastIndex((cell) => !isBlank(cell)));

const titleFault = (title: string, name: string, seen: Set<string>) => {
  if (isBlank(title)) return 'it has no title';
  const doubled = `a column for ${quote(name)} is before it already`;
  return nameFault(name) ?? (seen.has(name) ? doubled : undefined);
};

type Read = { value: AttributeValue } | { faults: string[] };

const readers: Record<Kind, (cell: string, separator: Separator) => Read> = {
  text: (cell) => ({ value: { S: cell } }),
  number: (cell, separator) => {
    // A spreadsheet with a decimal comma separates cells with semicolons.
    const decimal = toDecimal(cell, separator === ';');
    return 'digits' in decimal
      ? { value: { N: decimal.digits } }
      : { faults: [`${quote(cell)} is ${decimal.fault}`] };
  },
  json: (cell) => readJsonValue(cell),
};

const EMPTY = { faults: [] };

export const countFault = (cells: readonly string[], { columns, untitled, separator }: Header) => {
  const expected = columns.length;
  if (cells.length === expected) return undefined;
  const beyond = cells.findIndex((cell, index) => index >= expected && !isBlank(cell));
  const counts = `the row has ${counted(cells.length, 'cell')} and the titles ${expected}`;
  if (cells.length < expected) return counts;
  if (beyond === -1) return undefined;
  return beyond < expected + untitled
    ? `column ${beyond + 1}: the cell holds ${quote(cells[beyond] ?? '')}, and the column has no title`
    : `${counts}; a cell that holds "${separator}" has to be in quotation marks`;
};

/** An empty cell has no value. */
export const readCells = (
  cells: readonly string[],
  { key, columns, separator }: Header,
  fault: (detail: string) => void,
) => {
  const attributes: [string, AttributeValue][] = [];
  const cleared: string[] = [];
  const readInto = (cell: string, { name, kind, title }: CsvColumn) => {
    const read = cell === '' ? EMPTY : readers[kind](cell, separator);
    if ('value' in read) attributes.push([name, read.value]);
    else if (read === EMPTY) cleared.push(name);
    else for (const detail of read.faults) fault(`column ${quote(title)}: ${detail}`);
  };
  for (const [index, column] of columns.entries()) {
    if (index !== key) readInto(cells[index] ?? '', column);
  }
  return { identifier: cells[key] ?? '', attributes: Object.fromEntries(attributes), cleared };
};
