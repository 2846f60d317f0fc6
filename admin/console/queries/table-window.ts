import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { countRows, readRows } from '../../stock/queries/read-table.ts';
import { type StockTableName, tableQueries } from '../../stock/tables/tables.ts';
import { Failure } from '../../text/failure.ts';
import type { TableCount, TableWindow } from '../api.ts';
import { fitRows } from './fit-rows.ts';

const MAX_LIMIT = 500;

const LIMIT_MESSAGE = `Ask for 1 to ${MAX_LIMIT} rows.`;
const Options = v.object({
  sort: v.optional(v.string()),
  after: v.optional(v.string()),
  before: v.optional(v.string()),
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,3}$/, LIMIT_MESSAGE),
      v.transform(Number),
      v.minValue(1, LIMIT_MESSAGE),
      v.maxValue(MAX_LIMIT, LIMIT_MESSAGE),
    ),
    '100',
  ),
});

/** The parameters in an address: the filter of a table, and which of its rows to show. */
export type TableParameters = Readonly<Record<string, string>>;

export const splitParameters = ({ sort, after, before, limit, ...filter }: TableParameters) => {
  if (after !== undefined && before !== undefined)
    throw new Failure('Ask for rows after a row or before a row, not both.');
  return { options: v.parse(Options, { sort, after, before, limit }), filter };
};

export type WindowOptions = ReturnType<typeof splitParameters>['options'];

const isStockTableName = (name: string): name is StockTableName => Object.hasOwn(tableQueries, name);

/** The number of rows before a row. */
const Cursor = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}$/, 'The place in the table is not valid. Load the page again.'),
  v.transform(Number),
);

/** The range of row numbers. With one row more than `limit`, `toWindow` knows whether there are more rows. */
export const rangeOf = (
  { after, before, limit }: WindowOptions,
  count: () => number,
): [from: number, to: number] => {
  if (before === undefined) {
    const from = after === undefined ? 0 : v.parse(Cursor, after) + 1;
    return [from, from + limit + 1];
  }
  const to = before === '' ? count() : v.parse(Cursor, before);
  return [Math.max(0, to - limit - 1), to];
};

/** The rows are in the order of the table, also the rows before a row. */
export const readWindow = (db: DatabaseSync, name: string, parameters: TableParameters): TableWindow => {
  const { options } = splitParameters(parameters);
  const { query, sort } = queryOf(db, name, parameters);
  const [from, to] = rangeOf(options, () => countRows(db, query));
  const rows = readRows(db, query, { sort, offset: from, limit: to - from });
  const columns = query.columns.map(({ name, title, kind, attribute }) => ({ name, title, kind, attribute }));
  return toWindow(
    columns,
    rows.map((cells, index) => ({ cells, cursor: `${from + index}` })),
    options,
  );
};

/** Keeps the rows that fit into a response. `rows` may have one more than the limit. */
export const toWindow = (
  columns: TableWindow['columns'],
  rows: TableWindow['rows'],
  { limit, before }: WindowOptions,
): TableWindow => {
  const nearest = before === undefined ? rows : rows.toReversed();
  const shown = fitRows(nearest.slice(0, limit), columns);
  return {
    columns,
    rows: before === undefined ? shown : shown.toReversed(),
    hasMore: shown.length < rows.length,
  };
};

/** The query for all rows of a table, and the column to sort by. */
export const queryOf = (db: DatabaseSync, name: string, parameters: TableParameters) => {
  if (!isStockTableName(name)) throw new Failure('There is no table of this name.');
  const { filter, options } = splitParameters(parameters);
  const query = tableQueries[name](db, filter);
  checkSort(query, options.sort);
  return { query, sort: options.sort };
};

export const readCount = (db: DatabaseSync, name: string, parameters: TableParameters): TableCount => ({
  count: countRows(db, queryOf(db, name, parameters).query),
});

export const checkSort = (
  { columns }: { columns: readonly { name: string }[] },
  sort: string | undefined,
) => {
  if (sort === undefined || columns.some(({ name }) => name === sort.replace(/^-/, ''))) return;
  throw new Failure(`The table has no column ${sort.slice(0, 100)} to sort by.`);
};
