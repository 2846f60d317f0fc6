import { cellRef, readXlsx, type Sheet } from 'hucre/xlsx';
import type { FileCell } from '../rows/table-cells.ts';
import { checkWorkbook, damagedWorkbook } from './check-workbook.ts';

const AS_VALUE = 'copy the cells and paste their values';
const MERGED = 'is merged with cells below, which are empty; unmerge it, and fill each cell';
const AS_TEXT =
  'a spreadsheet turns texts such as 1-2 into dates; format the column as text and type it again';

/** Returns the first visible sheet, and the number of all sheets. */
export const parseWorkbook = async (bytes: Uint8Array) => {
  checkWorkbook(bytes);
  try {
    return await readSheet(bytes);
  } catch (error) {
    throw damagedWorkbook(error instanceof Error ? error.message : String(error));
  }
};

const readSheet = async (bytes: Uint8Array) => {
  let first: number | undefined;
  let sheetCount = 0;
  const { sheets } = await readXlsx(bytes, {
    sheets: ({ index, hidden, veryHidden }) => {
      sheetCount += 1;
      if (!hidden && !veryHidden) first ??= index;
      return first === index;
    },
  });
  const [sheet] = sheets;
  if (!sheet) throw new Error('it has no sheet');
  const rows = sheet.rows.map((row, rowIndex) =>
    row.map((value, columnIndex): FileCell => {
      if (value instanceof Date) return { issue: `${cellRef(rowIndex, columnIndex)} has a date; ${AS_TEXT}` };
      return value ?? '';
    }),
  );
  refuseCells(sheet, rows);
  return { sheet: sheet.name, sheetCount, rows };
};

/** Gives an issue to each cell whose value would be misread. */
const refuseCells = (sheet: Sheet, rows: FileCell[][]) => {
  const refuse = (rowIndex: number, columnIndex: number, detail: string) => {
    const row = rows[rowIndex];
    if (row) row[columnIndex] = { issue: `${cellRef(rowIndex, columnIndex)} ${detail}` };
  };
  for (const [position, { type, formula, value }] of sheet.cells ?? []) {
    const [rowIndex = 0, columnIndex = 0] = position.split(',').map(Number);
    if (formula !== undefined) refuse(rowIndex, columnIndex, `has a formula; ${AS_VALUE}`);
    else if (type === 'error') refuse(rowIndex, columnIndex, `has the error ${value}; correct it`);
  }
  for (const { startRow, startCol, endRow } of sheet.merges ?? []) {
    if (endRow > startRow && (rows[startRow]?.[startCol] ?? '') !== '') refuse(startRow, startCol, MERGED);
  }
};
