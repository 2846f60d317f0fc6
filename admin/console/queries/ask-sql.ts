import { selectRows, type WrapQuery } from '../../stock/sql/select-rows.ts';
import type { QueryAddress } from '../addresses.ts';
import type { TableColumn, TableCount, TablePage } from '../api.ts';
import { checkSort, toPage } from './read-stock.ts';

/** A page of the result of a query that a person wrote. `file` is the path of the stock's database. */
export const readQueryPage = (file: string, address: QueryAddress): TablePage => {
  const { columns, rows } = selectSorted(file, address, address.page * address.limit + 1);
  return toPage(columnsOf(columns), address, (first) =>
    Iterator.from(rows)
      .drop(first)
      .take(address.limit + 1)
      .toArray(),
  );
};

export const countQuery = (file: string, address: QueryAddress): TableCount => {
  const { rows } = select(file, address, (sql) => `SELECT count(*) FROM (${sql}\n)`);
  return { count: Number([...rows][0]?.[0]) };
};

/** All rows, or the first ones. Without `sort` in the address, the rows have the order of the query. */
export const selectSorted = (file: string, address: QueryAddress, limit = -1) => {
  const { sort } = address;
  return select(file, address, sort === undefined ? undefined : sortBy(sort, limit));
};

const select = (file: string, { sql, at, parameters }: QueryAddress, wrap?: WrapQuery) =>
  selectRows({ file, sql, at, parameters }, wrap);

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
