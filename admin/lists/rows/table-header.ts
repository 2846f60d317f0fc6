import { type ListName, listNames, tables } from '../../../shared/tables.ts';
import { quote } from '../../text/quote.ts';
import { nameIssue } from '../values/json-values.ts';
import { OTHER_LIST } from './issues.ts';
import { type HeaderColumn, toColumn } from './titles.ts';

/** `keyIndex` is the index of the column with the identifiers. `untitledCount` counts the blank columns that a spreadsheet added at the end. */
export type Header = { keyIndex: number; columns: HeaderColumn[]; untitledCount: number };

/** The column with the title of the key has the identifiers. Without such a column, the first column has them. */
export const readHeader = (
  cells: readonly string[],
  list: ListName,
  { addIssue, notices }: { addIssue(detail: string): void; notices: string[] },
): Header => {
  const titles = withoutEmptyEnd(cells);
  const { partitionKey: key } = tables[list];
  const keyColumn = columnOf(titles, key);
  const otherKeys = listNames.map((other) => tables[other].partitionKey).filter((other) => other !== key);
  const otherKey = otherKeys.find((other) => columnOf(titles, other) !== -1);
  if (keyColumn === -1 && otherKey)
    addIssue(`there is a column ${otherKey}, but no column ${key}: ${OTHER_LIST}`);
  else if (keyColumn === -1) notices.push(describeFirstColumn(key, quote(titles[0] ?? '')));
  const keyIndex = Math.max(0, keyColumn);
  const columns = titles.map((title, index) =>
    index === keyIndex ? { title, name: key, kind: 'text' as const } : toColumn(title),
  );
  const seen = new Set<string>();
  for (const [index, { title, name }] of columns.entries()) {
    const detail = titleIssue(title, name, seen);
    if (detail) addIssue(`column ${index + 1}: ${detail}`);
    seen.add(name.trim());
  }
  return { keyIndex, columns, untitledCount: cells.length - titles.length };
};

const describeFirstColumn = (key: string, first: string) =>
  `No column has the title ${key}, so the first column, ${first}, is read as the ${key}. If ${first} is data, add a row of titles above it.`;

/** Finds the exact title, or else a title that differs in letter case or in spaces around it. */
const columnOf = (titles: readonly string[], key: string) => {
  const exact = titles.indexOf(key);
  return exact === -1 ? titles.findIndex((title) => title.trim().toLowerCase() === key.toLowerCase()) : exact;
};

const withoutEmptyEnd = (cells: readonly string[]) =>
  cells.slice(0, 1 + cells.findLastIndex((cell) => cell.trim() !== ''));

const titleIssue = (title: string, name: string, seen: Set<string>) => {
  if (title.trim() === '') return 'it has no title';
  const repeated = `an earlier column is already for ${quote(name.trim())}`;
  return nameIssue(name) ?? (seen.has(name.trim()) ? repeated : undefined);
};
