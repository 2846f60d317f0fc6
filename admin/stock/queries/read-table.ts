import type { DatabaseSync } from 'node:sqlite';
import { iterateRows, type Values } from '../database/rows.ts';

/**
 * `texts` are orders or client names, separated by blanks. `time` is in milliseconds. `detail` and `advice` are a finding in JSON, of
 * which the edge writes this sentence.
 */
export type ColumnKind = 'text' | 'number' | 'time' | 'texts' | 'detail' | 'advice';

export type TableColumn = {
  /** For programs: in URLs and in files that commands write. No name begins with -. */
  name: string;
  /** On the page and in a terminal. */
  title: string;
  kind: ColumnKind;
  attribute?: string;
  sql: string;
  sortSql?: string;
};

/** What one table shows: the rows of `from` that meet all conditions. `values` are those of all names in the SQL. */
export type TableQuery = {
  columns: readonly TableColumn[];
  /** The rows, with the name `b`. */
  from: string;
  conditions: readonly string[];
  values: Values;
  /** Expressions that are unique together. They order rows that are equal in the sorted column, ascending. */
  keys: readonly string[];
  /** The column that sorts the table unless a person chooses another column. - means a descending order. */
  usualSort: string;
};

/** The values of the filter come in addition. */
export type TableDefinition = Omit<TableQuery, 'values'> & { values?: Values };

export type Cell = string | number | null;

type Choice = {
  /** The name of a column, with - for a descending order. */
  sort?: string | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
};

/** SQLite walks over all rows before an offset. Beyond so many rows, it is faster to count the rows, and to begin at the nearer end. */
const FAR = 1_000;

export const readRows = (db: DatabaseSync, query: TableQuery, choice: Choice): Cell[][] => {
  const { offset = 0, limit = 0 } = choice;
  const rowsAfter = offset > FAR ? countRows(db, query) - offset - limit : Number.POSITIVE_INFINITY;
  if (rowsAfter >= offset) return [...iterateTable(db, query, choice)];
  // Fewer rows than the limit are left at the end. LIMIT would take a negative number as all rows.
  const fromEnd = {
    ...choice,
    offset: Math.max(0, rowsAfter),
    limit: Math.max(0, limit + Math.min(0, rowsAfter)),
  };
  return [...iterateTable(db, query, fromEnd, true)].reverse();
};

export const iterateTable = (
  db: DatabaseSync,
  query: TableQuery,
  choice: Choice = {},
  isReversed = false,
): IteratorObject<Cell[], undefined> => {
  const rows = iterateQuery<Record<string, Cell>>(db, toSql(query, choice, isReversed), query.values);
  return Iterator.from(rows).map((row) => query.columns.map((_, index) => row[`column${index}`] ?? null));
};

export const countRows = (db: DatabaseSync, { from, conditions, values }: TableQuery): number => {
  const sql = `SELECT count(*) AS count FROM ${from} ${whereOf(conditions)}`;
  return queryRows<{ count: number }>(db, sql, values)[0]?.count ?? 0;
};

/** A query needs only some of the values of a filter. */
const iterateQuery = <TRow>(db: DatabaseSync, sql: string, values: Values) => {
  const statement = db.prepare(sql);
  statement.setAllowUnknownNamedParameters(true);
  return iterateRows<TRow>(statement, values);
};

export const queryRows = <TRow>(db: DatabaseSync, sql: string, values: Values): TRow[] => [
  ...iterateQuery<TRow>(db, sql, values),
];

export const whereOf = (conditions: readonly string[]) =>
  conditions.length === 0 ? '' : `WHERE ${conditions.map((condition) => `(${condition})`).join(' AND ')}`;

/** Chooses the rows before it computes their cells. */
const toSql = (
  query: TableQuery,
  { sort = query.usualSort, offset = 0, limit = -1 }: Choice,
  isReversed: boolean,
) => {
  const { columns, from, conditions, keys } = query;
  const { sql, sortSql = sql } = columnOf(query, sort);
  const direction = sort.startsWith('-') === isReversed ? 'ASC' : 'DESC';
  const [nulls, ascending] = isReversed ? ['FIRST', 'DESC'] : ['LAST', 'ASC'];
  // Rows without a value come last in both orders. A key always has a value, and SQLite uses an index for it.
  const sorted = keys.includes(sortSql) ? `sorted ${direction}` : `sorted ${direction} NULLS ${nulls}`;
  const others = keys.filter((key) => key !== sortSql).map((key) => `${key} ${ascending}`);
  const order = [sorted, ...others].join(', ');
  const cells = columns.map((column, index) => `${column.sql} AS column${index}`).join(', ');
  return `
    SELECT ${cells} FROM (
      SELECT b.*, ${sortSql} AS sorted FROM ${from} ${whereOf(conditions)}
      ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
    ) AS b ORDER BY ${order}`;
};

const columnOf = ({ columns, usualSort }: TableQuery, sort: string) => {
  const find = (wanted: string) => columns.find(({ name }) => name === wanted.replace(/^-/, ''));
  const column = find(sort) ?? find(usualSort);
  if (!column) throw new Error(`There is no column ${usualSort}.`);
  return column;
};
