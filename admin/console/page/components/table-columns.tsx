import type { TableColumn } from '../../api.ts';
import type { Cells } from '../use-stock.ts';
import { Amount, type CellView, decimalsOf, sentenceOf, usualViews } from './cells.tsx';
import { When } from './controls.tsx';
import type { Column } from './data-table.tsx';

export type Row = { key: string; cells: Cells };
export type ShownRows = { columns: readonly TableColumn[]; rows: readonly Row[] };

export type Views = {
  /** The column that names the row. By default, the first column. */
  headColumn?: string;
  /** How the cells of a column look in this table. A view that returns undefined leaves a cell as usual. */
  viewOf?: (column: TableColumn, shown: ShownRows) => CellView | undefined;
};

export const columnOf = (
  { headColumn, viewOf }: Views,
  column: TableColumn,
  index: number,
  shown: ShownRows,
): Column<Row> => {
  const { name, title } = column;
  const view = viewOf?.(column, shown);
  // In the result of a query, each column is of the kind text, also a column with numbers.
  const isNumber = (value: Cells[string]) =>
    column.kind === 'number' || (column.kind === 'text' && typeof value === 'number');
  const numbers = shown.rows.map(({ cells }) => cells[name] ?? null).filter(isNumber);
  const kind = numbers.length > 0 ? 'number' : column.kind;
  const decimals = decimalsOf(numbers);
  const usual: CellView = (cells) => {
    const value = cells[name] ?? null;
    if (value === null) return null;
    if (usualViews[name]) return usualViews[name](cells);
    if (isNumber(value))
      return <Amount value={value} decimals={decimals} isDifference={name === 'Difference'} />;
    if (kind === 'detail' || kind === 'advice') return sentenceOf(kind, value);
    return kind === 'time' ? <When at={Number(value)} /> : String(value);
  };
  const isHead = headColumn === undefined ? index === 0 : name === headColumn;
  return {
    title,
    name,
    kind: isHead ? 'head' : kind === 'number' || kind === 'texts' ? kind : 'word',
    cell: ({ cells }) => {
      const seen = view?.(cells);
      return seen === undefined ? usual(cells) : seen;
    },
  };
};
