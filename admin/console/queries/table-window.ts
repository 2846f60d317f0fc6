import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { type Cell, countRows, selectWindow, type TableQuery } from '../../stock/queries/table-query.ts';
import { type StockTable, type TableFilter, tableQueries } from '../../stock/tables/tables.ts';
import { Failure } from '../../text/failure.ts';
import type { TableCount, TableWindow } from '../api.ts';
import { fitRows } from './fit-rows.ts';

const MAX_LIMIT = 500;

const limitWords = `Ask for 1 to ${MAX_LIMIT} rows.`;
const Options = v.object({
  sort: v.optional(v.string()),
  after: v.optional(v.string()),
  before: v.optional(v.string()),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, limitWords),
      v.transform(Number),
      v.minValue(1, limitWords),
      v.maxValue(MAX_LIMIT, limitWords),
    ),
    '100',
  ),
});

/** What an address says of a table: its filter, and which of its rows. */
export type TableParameters = Readonly<Record<string, string>>;

export const splitParameters = ({ sort, after, before, limit, ...filter }: TableParameters) => {
  if (after !== undefined && before !== undefined)
    throw new Failure('Ask for rows after a row or before one.');
  return { options: v.parse(Options, { sort, after, before, limit }), filter };
};

export type WindowOptions = ReturnType<typeof splitParameters>['options'];

const isStockTable = (name: string): name is StockTable => Object.hasOwn(tableQueries, name);

const queryOf = (db: DatabaseSync, name: string, filter: TableFilter): TableQuery => {
  if (!isStockTable(name)) throw new Failure('There is no table of this name.');
  return tableQueries[name](db, filter);
};

/** Rows in the order of the table, at most as many as fit into a response. */
export const readWindow = (db: DatabaseSync, name: string, parameters: TableParameters): TableWindow => {
  const { options } = splitParameters(parameters);
  const { limit, after, before } = options;
  const { query, sort } = queryOfTable(db, name, parameters);
  const rows = selectWindow(db, query, {
    sort,
    after: after === undefined ? undefined : cursorOf(query, after),
    before: before === undefined ? undefined : before === '' ? [] : cursorOf(query, before),
    // One more shows whether there are more.
    limit: limit + 1,
  });
  const columns = query.columns.map(({ name, title, kind, attribute }) => ({ name, title, kind, attribute }));
  const encoded = rows.map(({ cursor, ...row }) => ({ ...row, cursor: encodeCursor(cursor) }));
  return toWindow(columns, encoded, options);
};

/** Of rows around a place, those that fit into a response. */
export const toWindow = (
  columns: TableWindow['columns'],
  rows: TableWindow['rows'],
  { limit, before }: WindowOptions,
): TableWindow => {
  const near = before === undefined ? rows : rows.toReversed();
  const shown = fitRows(near.slice(0, limit), columns);
  return {
    columns,
    rows: before === undefined ? shown : shown.toReversed(),
    hasMore: shown.length < rows.length,
  };
};

/** All rows of what an address says. */
export const queryOfTable = (db: DatabaseSync, name: string, parameters: TableParameters) => {
  const { filter, options } = splitParameters(parameters);
  const query = queryOf(db, name, filter);
  checkSort(query, options.sort);
  return { query, sort: options.sort };
};

export const readCount = (db: DatabaseSync, name: string, parameters: TableParameters): TableCount => ({
  count: countRows(db, queryOf(db, name, splitParameters(parameters).filter)),
});

export const checkSort = (
  { columns }: { columns: readonly { name: string }[] },
  sort: string | undefined,
) => {
  if (sort === undefined || columns.some(({ name }) => name === sort.replace(/^-/, ''))) return;
  throw new Failure(`The table has no column ${sort.slice(0, 100)} to sort by.`);
};

const Cells = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64url').toString()),
  v.parseJson(),
  v.array(v.union([v.string(), v.number(), v.null()])),
);

/** A place in a table as a text for an address. */
const encodeCursor = (cursor: readonly Cell[]) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

const cursorOf = ({ keys }: TableQuery, text: string) => {
  const { success, output } = v.safeParse(Cells, text);
  if (success && output.length === keys.length + 1) return output;
  throw new Failure('The place in the table is not valid. Load the page again.');
};
