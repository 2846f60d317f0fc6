import { selectRows, type WrapQuery } from '../../stock/sql/select-rows.ts';
import type { TableColumn, TableWindow } from '../api.ts';
import { refuseWrongAddress } from './stock-requests.ts';
import { checkSort, rangeOf, splitParameters, type TableParameters, toWindow } from './table-window.ts';

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

/** `:days=7` in the address is the value of the parameter `:days`. */
const select = (file: string, { sql = '', at, ...others }: TableParameters, wrap?: WrapQuery) => {
  const values = Object.entries(others).filter(([name]) => name.startsWith(':'));
  const parameters = Object.fromEntries(values.map(([name, value]) => [name.slice(1), value]));
  return selectRows({ file, sql, at: at === undefined ? undefined : Date.parse(at), parameters }, wrap);
};

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
