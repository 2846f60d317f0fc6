import * as v from 'valibot';
import { type AroundQuery, selectRows } from '../../stock/sql/select-rows.ts';
import type { TableColumn, TableWindow } from '../api.ts';
import { refuseWrongAddress } from '../queries/stock-requests.ts';
import {
  checkSort,
  splitParameters,
  type TableParameters,
  toWindow,
  type WindowOptions,
} from '../queries/table-window.ts';

/** A request for the result of a query that a person wrote. The query is `sql` in the parameters. */
export type QueryWork = { kind: 'window' | 'count'; parameters: TableParameters; file: string };

/** The response in JSON. */
export const askSql = ({ kind, parameters, file }: QueryWork): string =>
  refuseWrongAddress(() => {
    const response =
      kind === 'window' ? readWindow(file, parameters) : { count: countRows(file, parameters) };
    return JSON.stringify(response);
  }, parameters['at']);

/** The rows of a query in the order of the address, or as they are found. */
export const selectSorted = (file: string, parameters: TableParameters, limit = -1) => {
  const { sort } = parameters;
  return select(file, parameters, sort === undefined ? undefined : sortBy(sort, limit));
};

const select = (file: string, { sql = '', at }: TableParameters, around?: AroundQuery) =>
  selectRows({ file, sql, at: at === undefined ? undefined : Date.parse(at) }, around);

/** Rows that are equal in the sorted column are in the order of the others. */
const sortBy =
  (sort: string, limit: number): AroundQuery =>
  (sql, titles) => {
    const columns = columnsOf(titles);
    checkSort({ columns }, sort);
    const order = sort.startsWith('-') ? `${sort.slice(1)} DESC` : sort;
    const others = columns.map(({ name }) => name).join();
    return `SELECT * FROM (${sql}\n) ORDER BY ${order} NULLS LAST, ${others} LIMIT ${limit}`;
  };

/** Each is named by its number, because people may give columns any name. */
const columnsOf = (titles: readonly string[]): TableColumn[] =>
  titles.map((title, index) => ({ name: `${index + 1}`, title, kind: 'text' }));

const countRows = (file: string, parameters: TableParameters) => {
  const { rows } = select(file, parameters, (sql) => `SELECT count(*) FROM (${sql}\n)`);
  return Number([...rows][0]?.[0]);
};

/** How many rows come before a row, which is the cursor of a result. */
const Place = v.pipe(
  v.string(),
  v.regex(/^\d{1,15}$/, 'The place in the table is not valid. Load the page again.'),
  v.transform(Number),
);

const readWindow = (file: string, parameters: TableParameters): TableWindow => {
  const { options } = splitParameters(parameters);
  const [from, to] = rangeOf(options, () => countRows(file, parameters));
  const { columns, rows } = selectSorted(file, parameters, to);
  const shown = Iterator.from(rows)
    .take(to)
    .drop(from)
    .map((cells, index) => ({ cells, cursor: `${from + index}` }));
  return toWindow(columnsOf(columns), shown.toArray(), options);
};

/** With one row more, which shows whether there are more. */
const rangeOf = ({ after, before, limit }: WindowOptions, count: () => number): [number, number] => {
  if (before === undefined) {
    const from = after === undefined ? 0 : v.parse(Place, after) + 1;
    return [from, from + limit + 1];
  }
  const to = before === '' ? count() : v.parse(Place, before);
  return [Math.max(0, to - limit - 1), to];
};
