import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { iterateRows, rowsOf } from '../database/rows.ts';

/** `texts` are orders or client names, separated by blanks. `time` is in milliseconds. */
export type ColumnKind = 'text' | 'number' | 'time' | 'texts';

export type TableColumn = {
  /** For programs: in URLs and in files that commands write. No name begins with -. */
  name: string;
  /** On the page and in a terminal. */
  title: string;
  kind: ColumnKind;
  /** The attribute of a list that the column shows. */
  attribute?: string;
  /** An expression of the shown row (`shown`) and of the rows that `joins` adds. */
  sql: string;
  /** An expression of a row of `from` (`b`). It sorts the rows before the shown rows are chosen. */
  sortSql: string;
};

export type Condition = { sql: string; values: Record<string, SQLInputValue> };

/** What one table shows: the rows of `from` that meet all conditions. */
export type TableQuery = {
  columns: readonly TableColumn[];
  from: string;
  /** Fills a temporary table of `from`, unless the connection still has it. */
  prepare?: () => void;
  /** Expressions of `from` that are unique together. They order rows that are equal in the sorted column, ascending. */
  keys: readonly string[];
  /** Joins the shown rows with the names that columns need. */
  joins: string;
  conditions: readonly Condition[];
  /** A query that has the same number of rows and is faster to count. */
  counted?: Pick<TableQuery, 'from' | 'conditions'> | undefined;
  /** Reads only the rows with the first values of the first key on the page, not all rows. Undefined if this is slower. */
  narrow?: (next: Next) => { query: TableQuery; isAll: boolean } | undefined;
  /** The column that sorts the table unless a person chooses another column. - means a descending order. */
  usualSort: string;
};

/** So many values of the first key, from the value `firstKey` on. */
type Next = { count: number; firstKey: SQLInputValue | undefined; isDescending: boolean };

/** The values of the sorted column and of the keys in a row. A page begins after this row, or ends before it. */
export type Cursor = readonly SQLInputValue[];

type Window = {
  /** The name of a column, with - for a descending order. */
  sort?: string | undefined;
  after?: Cursor | undefined;
  /** An empty cursor is the end of the table. */
  before?: Cursor | undefined;
  limit: number;
};

export type Cell = string | number | null;
type Row = { cells: Cell[]; cursor: Cell[] };

/** The rows of a table that come after or before a row. */
export const selectWindow = (db: DatabaseSync, query: TableQuery, window: Window): Row[] => {
  const rows = selectNarrowed(db, query, window) ?? selectDirectly(db, query, window);
  return window.before === undefined ? rows : rows.reverse();
};

const selectDirectly = (db: DatabaseSync, query: TableQuery, window: Window) => {
  query.prepare?.();
  const { sql, values } = toSql(query, window);
  return rowsOf<Record<string, Cell>>(db.prepare(sql), values).map((row) => toRow(query, row));
};

/** Undefined if it is faster to read all rows, because the next values of the first key have too few rows. */
const selectNarrowed = (db: DatabaseSync, query: TableQuery, window: Window) => {
  const { sort = query.usualSort, after, before, limit } = window;
  if (sort.replace(/^-/, '') !== query.usualSort) return undefined;
  const isDescending = sort.startsWith('-') !== (before !== undefined);
  let count = 4;
  for (;;) {
    const narrowed = query.narrow?.({ count, firstKey: (after ?? before)?.[1], isDescending });
    if (!narrowed) return undefined;
    const rows = selectDirectly(db, narrowed.query, window);
    if (rows.length >= limit || narrowed.isAll) return rows;
    // This is enough if each next value has as many rows as these values.
    count *= rows.length === 0 ? 8 : 1 + Math.ceil(limit / rows.length);
  }
};

/** All rows of a table, one after the other. */
export function* iterateTable(db: DatabaseSync, query: TableQuery, sort?: string): Generator<Cell[]> {
  query.prepare?.();
  const { sql, values } = toSql(query, { sort, limit: -1 });
  for (const row of iterateRows<Record<string, Cell>>(db.prepare(sql), values)) yield toRow(query, row).cells;
}

export const countRows = (db: DatabaseSync, query: TableQuery): number => {
  if (!query.counted) query.prepare?.();
  const { from, conditions } = query.counted ?? query;
  const [{ count } = { count: 0 }] = rowsOf<{ count: number }>(
    db.prepare(`SELECT count(*) AS count FROM ${from} ${whereOf(conditions)}`),
    valuesOf(conditions),
  );
  return count;
};

const toRow = ({ columns, keys }: TableQuery, row: Record<string, Cell>): Row => ({
  cells: columns.map((_, index) => row[`column${index}`] ?? null),
  cursor: [row['sorted'] ?? null, ...keys.map((_, index) => row[`key${index}`] ?? null)],
});

export const whereOf = (conditions: readonly Condition[]) =>
  conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`;

export const valuesOf = (conditions: readonly Condition[]) =>
  Object.assign({}, ...conditions.map(({ values }) => values)) satisfies Record<string, SQLInputValue>;

/** Sorts before it joins, so that names are looked up for the shown rows only. */
const toSql = (query: TableQuery, { sort = query.usualSort, after, before, limit }: Window) => {
  const { columns, from, keys, joins } = query;
  const isBackwards = before !== undefined;
  const isDescending = sort.startsWith('-') !== isBackwards;
  const sorted = sortedColumn(query, sort).sortSql;
  const cursor = after ?? before;
  const conditions = [
    ...query.conditions,
    ...(cursor?.length ? [isBeyond(cursor, sorted, keys, { isDescending, isBackwards })] : []),
  ];
  // Rows without a value come last in both orders.
  const order = [
    `sorted ${isDescending ? 'DESC' : 'ASC'} NULLS ${isBackwards ? 'FIRST' : 'LAST'}`,
    ...keys.map((_, index) => `key${index} ${isBackwards ? 'DESC' : 'ASC'}`),
  ].join(', ');
  const names = keys.map((key, index) => `${key} AS key${index}`).join(', ');
  const cells = columns.map(({ sql }, index) => `${sql} AS column${index}`).join(', ');
  const cursorColumns = keys.map((_, index) => `shown.key${index}`).join(', ');
  const sql = `
    SELECT ${cells}, shown.sorted, ${cursorColumns}
    FROM (SELECT *, ${sorted} AS sorted, ${names} FROM ${from} ${whereOf(conditions)} ORDER BY ${order} LIMIT ${limit}) AS shown
    ${joins}
    ORDER BY ${order}`;
  return { sql, values: valuesOf(conditions) };
};

type Direction = { isDescending: boolean; isBackwards: boolean };

const isBeyond = (
  cursor: Cursor,
  sorted: string,
  keys: readonly string[],
  { isDescending, isBackwards }: Direction,
): Condition => {
  const names = keys.map((_, index) => `:cursor${index + 1}`);
  const comparison = isBackwards ? '<' : '>';
  return {
    sql: `(${sorted} IS NULL) ${comparison} (:cursor0 IS NULL) OR ${sorted} ${isDescending ? '<' : '>'} :cursor0
      OR (${sorted} IS :cursor0 AND (${keys.join(', ')}) ${comparison} (${names.join(', ')}))`,
    values: Object.fromEntries(cursor.map((value, index) => [`cursor${index}`, value])),
  };
};

const sortedColumn = ({ columns, usualSort }: TableQuery, sort: string) => {
  const find = (wanted: string) => columns.find(({ name }) => name === wanted.replace(/^-/, ''));
  const column = find(sort) ?? find(usualSort);
  if (!column) throw new Error(`There is no column ${usualSort}.`);
  return column;
};
