import type { AttributeValue } from '../../shared/attribute-json.ts';
import { type CatalogName, catalogs } from '../../shared/catalog.ts';
import { toDecimal } from './decimal.ts';
import { quote } from './faults.ts';
import { nameFault, readJsonValue } from './json-values.ts';

/** How a column's cells are meant, as the end of its title says. */
export type Kind = 'text' | 'number' | 'json';

export type CsvColumn = { title: string; name: string; kind: Kind };
export type Header = { key: number; columns: CsvColumn[] };

const TYPED = /^(.*):(number|json)$/s;

export const toColumn = (title: string): CsvColumn => {
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
  titles: readonly string[],
  name: CatalogName,
  fault: (detail: string) => void,
): Header => {
  const own = catalogs[name].key;
  const named = titles.indexOf(own);
  const other = Object.values(catalogs).find(({ key }) => key !== own && key === titles[0]);
  if (named === -1 && other) fault(`the first column is ${other.key}: this is a file of the other list`);
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
  return { key, columns };
};

const titleFault = (title: string, name: string, seen: Set<string>) => {
  if (title.trim() === '') return 'it has no title';
  const doubled = `a column for ${quote(name)} stands before it already`;
  return nameFault(name) ?? (seen.has(name) ? doubled : undefined);
};

type Read = { value: AttributeValue } | { faults: string[] };

const readers: Record<Kind, (cell: string) => Read> = {
  text: (cell) => ({ value: { S: cell } }),
  number: (cell) => {
    const decimal = toDecimal(cell);
    return 'digits' in decimal
      ? { value: { N: decimal.digits } }
      : { faults: [`${quote(cell)} is ${decimal.fault}`] };
  },
  json: readJsonValue,
};

const EMPTY = { faults: [] };

/** A row by its columns; an empty cell is no value. */
export const readCells = (
  cells: readonly string[],
  { key, columns }: Header,
  fault: (detail: string) => void,
) => {
  const attributes: [string, AttributeValue][] = [];
  const cleared: string[] = [];
  const readInto = (cell: string, { name, kind, title }: CsvColumn) => {
    const read = cell === '' ? EMPTY : readers[kind](cell);
    if ('value' in read) attributes.push([name, read.value]);
    else if (read === EMPTY) cleared.push(name);
    else for (const detail of read.faults) fault(`column ${quote(title)}: ${detail}`);
  };
  for (const [index, column] of columns.entries()) {
    if (index !== key) readInto(cells[index] ?? '', column);
  }
  return { identifier: cells[key] ?? '', attributes: Object.fromEntries(attributes), cleared };
};
