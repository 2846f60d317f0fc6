import * as v from 'valibot';
import { selectRows, type WrapQuery } from '../../stock/sql/select-rows.ts';
import type { TableColumn, TableWindow } from '../api.ts';
import { refuseWrongAddress } from '../queries/stock-requests.ts';
import {
  checkSort,
  splitParameters,
  type TableParameters,
  toWindow,
  type WindowOptions,
} from '../queries/table-window.ts';

/** Reads or counts the rows of a query that a person wrote. The query is `sql` in the parameters. */
export type QueryWork = { kind: 'window' | 'count'; parameters: TableParameters; stockFile: string };

/** The response in JSON. */
export const askSql = ({ kind, parameters, stockFile }: QueryWork): string =>
  refuseWrongAddress(() => {
    const response =
      kind === 'window' ? readResult(stockFile, parameters) : { count: countResult(stockFile, parameters) };
    return JSON.stringify(response);
  }, parameters['at']);

/** The rows of a query that a person wrote. Without `sort` in the address, the rows have the order of the query. */
export const selectSorted = (file: string, parameters: TableParameters, limit = -1) => {
  const { sort } = parameters;
  return select(file, parameters, sort === undefined ? undefined : sortBy(sort, limit));
};

const select = (file: string, { sql = '', at }: TableParameters, wrap?: WrapQuery) =>
  selectRows({ file, sql, at: at === undefined ? undefined : Date.parse(at) }, wrap);

/** Rows that are equal in the sorted column are sorted by all columns, so that each run has the same order. */
const sortBy =
  (sort: string, limit: number): WrapQuery =>
  (sql, titles) => {
    const columns = columnsOf(titles);
    checkSort({ columns }, sort);
    const order = sort.startsWith('-') ? `${sort.slice(1)} DESC` : sort;
    const allColumns = columns.map(({ name }) => name).join();
    return `SELECT * FROM (${sql}\n) ORDER BY ${order} NULLS LAST, ${allColumns} LIMIT ${limit}`;
  };

/** A column is named by its number, because people may give columns any name. */
const columnsOf = (titles: readonly string[]): TableColumn[] =>
  titles.map((title, index) => ({ name: `${index + 1}`, title, kind: 'text' }));

const countResult = (file: string, parameters: TableParameters) => {
  const { rows } = select(file, parameters, (sql) => `SELECT count(*) FROM (${sql}\n)`);
  return Number([...rows][0]?.[0]);
};

/** The number of rows before a row. */
const Cursor = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}$/, 'The place in the table is not valid. Load the page again.'),
  v.transform(Number),
);

const readResult = (file: string, parameters: TableParameters): TableWindow => {
  const { options } = splitParameters(parameters);
  const [from, to] = rangeOf(options, () => countResult(file, parameters));
  const { columns, rows } = selectSorted(file, parameters, to);
  const ofRange = Iterator.from(rows)
    .take(to)
    .drop(from)
    .map((cells, index) => ({ cells, cursor: `${from + index}` }));
  return toWindow(columnsOf(columns), ofRange.toArray(), options);
};

/** The range of row numbers. With one row more than `limit`, `toWindow` knows whether there are more rows. */
const rangeOf = ({ after, before, limit }: WindowOptions, count: () => number): [number, number] => {
  if (before === undefined) {
    const from = after === undefined ? 0 : v.parse(Cursor, after) + 1;
    return [from, from + limit + 1];
  }
  const to = before === '' ? count() : v.parse(Cursor, before);
  return [Math.max(0, to - limit - 1), to];
};
