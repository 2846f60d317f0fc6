import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { counted } from '../cli/words.ts';
import type { Separator } from './csv-separator.ts';
import { toDecimal } from './decimal.ts';
import { OTHER_LIST, quote } from './faults.ts';
import { nameFault, readJsonValue } from './json-values.ts';

/** How a column's cells are meant, as the end of its title says. */
export type Kind = 'text' | 'number' | 'json';

type CsvColumn = { title: string; name: string; kind: Kind };
/** Columns without a title after the last one that has one are none, as spreadsheets leave them behind. */
export type Header = { key: number; columns: CsvColumn[]; untitled: number; separator: Separator };

type Tell = { fault(detail: string): void; notice(text: string): void };

const TYPED = /^(.*):(number|json)$/s;

const toColumn = (title: string): CsvColumn => {
  const [, name = title, ending] = TYPED.exec(title) ?? [];
  return { title, name, kind: ending === 'number' || ending === 'json' ? ending : 'text' };
};

/** Of a name that ends as a title does, a second ending keeps it from being read as one. */
export const toTitle = (name: string, kind: Kind) => {
  if (kind !== 'text') return `${name}:${kind}`;
  return TYPED.test(name) ? `${name}:json` : name;
};

/** Which column is what. The identifier is in the first, unless another has its name. */
export const readHeader = (
  { cells, separator }: { cells: readonly string[]; separator: Separator },
  name: CatalogName,
  { fault, notice }: Tell,
): Header => {
  const titles = withoutBlankEnd(cells);
  const own = catalogs[name].key;
  const named = columnOf(titles, own);
  const other = Object.values(catalogs).find(({ key }) => key !== own && columnOf(titles, key) !== -1);
  if (named === -1 && other) fault(`there is a column ${other.key} and none ${own}: ${OTHER_LIST}`);
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

/** As it is written in the table, or else in any letter case and with blanks around it. */
const columnOf = (titles: readonly string[], key: string) => {
  const exact = titles.indexOf(key);
  return exact === -1 ? titles.findIndex((title) => title.trim().toLowerCase() === key.toLowerCase()) : exact;
};

const isBlank = (cell: string) => cell.trim() === '';

const withoutBlankEnd = (cells: readonly string[]) =>
  cells.slice(0, 1 + cells.findLastIndex((cell) => !isBlank(cell)));

const titleFault = (title: string, name: string, seen: Set<string>) => {
  if (isBlank(title)) return 'it has no title';
  const doubled = `a column for ${quote(name)} stands before it already`;
  return nameFault(name) ?? (seen.has(name) ? doubled : undefined);
};

type Read = { value: AttributeValue } | { faults: string[] };

const readers: Record<Kind, (cell: string, separator: Separator) => Read> = {
  text: (cell) => ({ value: { S: cell } }),
  number: (cell, separator) => {
    // Where a spreadsheet's decimal sign is the comma, it has to separate cells by another.
    const decimal = toDecimal(cell, separator === ';');
    return 'digits' in decimal
      ? { value: { N: decimal.digits } }
      : { faults: [`${quote(cell)} is ${decimal.fault}`] };
  },
  json: (cell) => readJsonValue(cell),
};

const EMPTY = { faults: [] };

/** What is wrong with the number of a row's cells. */
export const countFault = (cells: readonly string[], { columns, untitled, separator }: Header) => {
  const expected = columns.length;
  if (cells.length === expected) return undefined;
  const beyond = cells.findIndex((cell, index) => index >= expected && !isBlank(cell));
  const counts = `the row has ${counted(cells.length, 'cell')} and the titles ${expected}`;
  if (cells.length < expected) return counts;
  if (beyond === -1) return undefined;
  return beyond < expected + untitled
    ? `column ${beyond + 1}: the cell holds ${quote(cells[beyond] ?? '')}, and the column has no title`
    : `${counts}; a cell that holds "${separator}" has to stand in quotation marks`;
};

/** A row by its columns; an empty cell is no value. */
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
