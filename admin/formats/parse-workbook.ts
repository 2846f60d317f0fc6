import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { cellRef, readXlsx } from 'hucre/xlsx';

/** An empty cell is an empty text. A cell with a fault has no usable value. */
export type Cell = string | number | boolean | { fault: string };

/** The first visible sheet, and the number of visible sheets. */
export type Workbook = { sheet: string; sheets: number; rows: Cell[][] };

const AS_VALUE = 'copy the cells and paste their values';
const AS_TEXT =
  'a spreadsheet turns texts such as 1-2 into dates; format the column as text and type it again';

export const parseWorkbook = async (bytes: Uint8Array): Promise<Workbook> => {
  let first: number | undefined;
  let count = 0;
  const { sheets } = await readXlsx(bytes, {
    sheets: ({ index, hidden, veryHidden }) => {
      count += 1;
      if (!hidden && !veryHidden) first ??= index;
      return first === index;
    },
  });
  const [sheet] = sheets;
  if (!sheet) throw new Error('it has no sheet');
  const rows = sheet.rows.map((row, at) =>
    row.map((value, column): Cell => {
      if (value instanceof Date) return { fault: `${cellRef(at, column)} has a date; ${AS_TEXT}` };
      return value ?? '';
    }),
  );
  for (const [position, { type, formula, value }] of sheet.cells ?? []) {
    const [at = 0, column = 0] = position.split(',').map(Number);
    const name = cellRef(at, column);
    const row = rows[at];
    if (!row) continue;
    if (formula !== undefined) row[column] = { fault: `${name} has a formula; ${AS_VALUE}` };
    else if (type === 'error') row[column] = { fault: `${name} has the error ${value}; correct it` };
  }
  return { sheet: sheet.name, sheets: count, rows };
};

// In the worker thread that read-workbook.ts starts.
if (!isMainThread && workerData instanceof Uint8Array) {
  parentPort?.postMessage(await parseWorkbook(workerData));
}
