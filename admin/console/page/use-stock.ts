import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { StockTableName } from '../../stock/tables/tables.ts';
import type { AddressTexts } from '../addresses.ts';
import type { Choices, StockState, TablePage } from '../api.ts';
import { pathTo } from './source.ts';
import { useResponse } from './use-response.ts';

type Stock = StockState &
  Omit<Choices, 'names'> & {
    /** How people call a client. */
    nameOf: (client: string) => string;
    /** Asks for the state at once. */
    refresh: () => void;
  };
export const StockContext = createContext<Stock | undefined>(undefined);

export const useStock = () => {
  const stock = useContext(StockContext);
  if (!stock) throw new Error('The page has no stock.');
  return stock;
};

/** The response at a path, which is read again when the stock changes. */
export const useStockResponse = <T>(path: string) => useResponse<T>(path, { version: useStock().version });

type Cell = TablePage['rows'][number][number];

/** The cells of one row by the names of their columns. */
export type Cells = { readonly [name: string]: Cell };

export const cellsOf =
  (columns: TablePage['columns']) =>
  (row: readonly Cell[]): Cells =>
    Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));

/** The first rows of a table. */
export const useFirstRows = (table: StockTableName, query: AddressTexts) => {
  const { response, ...state } = useStockResponse<TablePage>(pathTo(['tables', table], query));
  return {
    rows: response?.rows.map(cellsOf(response.columns)),
    hasMore: response?.hasMore ?? false,
    response,
    ...state,
  };
};
