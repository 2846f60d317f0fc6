import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { StockTableName } from '../../stock/tables/tables.ts';
import type { AddressTexts } from '../addresses.ts';
import type { StockState, TablePage } from '../api.ts';
import { pathTo } from './source.ts';
import { useResponse } from './use-response.ts';

/** `refresh` asks for the state at once. */
export const StockContext = createContext<(StockState & { refresh: () => void }) | undefined>(undefined);

export const useStock = () => {
  const stock = useContext(StockContext);
  if (!stock) throw new Error('The page has no stock.');
  return stock;
};

/** The response at a path, which is read again when the stock changes. */
export const useStockResponse = <T>(path: string) => useResponse<T>(path, { version: useStock().version });

/** Reads a cell of one row by the name of its column. */
export type ReadCell = (name: string) => string | number | null;

export const cellsOf = (columns: TablePage['columns']) => {
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  return (cells: TablePage['rows'][number]): ReadCell => {
    return (name) => cells[indexes.get(name) ?? -1] ?? null;
  };
};

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
