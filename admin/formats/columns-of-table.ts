import { writeSentences } from '../stock/checks/kinds.ts';
import type { Cell, ColumnKind, TableColumn, TableQuery } from '../stock/queries/read-table.ts';
import type { Column } from '../text/output.ts';

type Row = readonly Cell[];

export const columnsOfTable = (
  { columns }: Pick<TableQuery, 'columns'>,
  names: readonly string[] = columns.map(({ name }) => name),
): Column<Row>[] =>
  names.map((name) => {
    const index = columns.findIndex((column) => column.name === name);
    const column = columns[index];
    if (!column) throw new Error(`There is no column ${name}.`);
    return toColumn(column, index);
  });

export const columnsNamed = (names: readonly string[]): Column<Row>[] =>
  names.map((name, index) => ({ name, value: (cells) => cells[index] }));

const toColumn = ({ name, title, kind }: TableColumn, index: number): Column<Row> => ({
  name,
  title,
  value: (cells) => toValue(kind, cells[index] ?? null),
  ...(kind === 'number' ? { align: 'right' } : {}),
  ...(kind === 'time' ? { isTime: true } : {}),
});

/** A cell has a sum as a text with all its digits, which raw JSON keeps. */
const toValue = (kind: ColumnKind, cell: Cell) => {
  if (cell === null) return null;
  if (kind === 'time') return new Date(Number(cell));
  if (kind === 'texts') return String(cell).split(' ').filter(Boolean);
  if (kind === 'detail' || kind === 'advice') return writeSentences(String(cell))[kind];
  return kind === 'number' && typeof cell === 'string' ? JSON.rawJSON(cell) : cell;
};
