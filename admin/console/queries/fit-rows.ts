import type { Cell } from '../../stock/queries/read-table.ts';

const MAX_RESPONSE_BYTES = 200_000;
const MAX_CELL_LENGTH = 1_000;

type Row = { cells: Cell[] };

/** The first rows that fit into a response beside its columns. If the first row alone does not fit, its texts are cut. */
export const fitRows = <TRow extends Row>(rows: Iterable<TRow>, columns: unknown): TRow[] => {
  let left = MAX_RESPONSE_BYTES - sizeOf(columns);
  const fitting: TRow[] = [];
  for (const row of rows) {
    const next = fitting.length === 0 && sizeOf(row) > left ? cutTexts(row) : row;
    left -= sizeOf(next);
    if (left < 0 && fitting.length > 0) break;
    fitting.push(next);
  }
  return fitting;
};

const cutTexts = <TRow extends Row>(row: TRow): TRow => ({
  ...row,
  cells: row.cells.map((cell) =>
    typeof cell === 'string' && cell.length > MAX_CELL_LENGTH ? `${cell.slice(0, MAX_CELL_LENGTH)}…` : cell,
  ),
});

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1;
