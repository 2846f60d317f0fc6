import { cellRef, readXlsx } from 'hucre/xlsx';
import type { Cell } from '../rows/table-columns.ts';
import { checkWorkbook, damaged } from './check-workbook.ts';

/** The first visible sheet, and the number of visible sheets. */
type Workbook = { sheet: string; sheets: number; rows: Cell[][] };

const AS_VALUE = 'copy the cells and paste their values';
const AS_TEXT =
  'a spreadsheet turns texts such as 1-2 into dates; format the column as text and type it again';

/** Reads an `.xlsx` file, after its size was checked. */
export const parseWorkbook = async (bytes: Uint8Array): Promise<Workbook> => {
  checkWorkbook(bytes);
  try {
    return await readSheet(bytes);
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
};

const readSheet = async (bytes: Uint8Array): Promise<Workbook> => {
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
      if (value instanceof Date) return { issue: `${cellRef(at, column)} has a date; ${AS_TEXT}` };
      return value ?? '';
    }),
  );
  for (const [position, { type, formula, value }] of sheet.cells ?? []) {
    const [at = 0, column = 0] = position.split(',').map(Number);
    const name = cellRef(at, column);
    const row = rows[at];
    if (!row) continue;
    if (formula !== undefined) row[column] = { issue: `${name} has a formula; ${AS_VALUE}` };
    else if (type === 'error') row[column] = { issue: `${name} has the error ${value}; correct it` };
  }
  return { sheet: sheet.name, sheets: count, rows };
};
