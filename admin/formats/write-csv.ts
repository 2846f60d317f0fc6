import { guardCsvText, guardDigits, guardJson, isChangedBySpreadsheets } from '../text/guard-cells.ts';
import { type Column, type Csv, cell, isNumber, type Rows, type Sink } from '../text/output.ts';
import { countOf } from '../text/words.ts';

/** Excel needs it to recognize UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** An import finds the separator in the title line, so this line quotes every other separator. */
const IN_TITLES = /[",;\r\n]|^\s|\s$/;
/** A spreadsheet may read a number in quotation marks as a text. */
const inCells = { ',': /[",\r\n]|^\s|\s$/, ';': /[";\r\n]|^\s|\s$/ };

/** RFC 4180. */
const csvLine = (cells: readonly string[], separator: string, quoted: RegExp) => {
  const quote = (text: string) => (quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${cells.map(quote).join(separator)}\r\n`;
};

/** Returns notices for the person who gets the file. */
export const writeCsv = async <TRow>(
  sink: Sink,
  { separator, decimal, hasByteOrderMark }: Csv,
  columns: readonly Column<TRow>[],
  rows: Rows<TRow>,
): Promise<string[]> => {
  let doubtful = 0;
  let example = '';

  const csvCell = ({ value, isJson }: Column<TRow>, row: TRow) => {
    const given = value(row);
    const text = cell(given);
    if (typeof given === 'number') return text.replace('.', decimal);
    if (isNumber(given)) return guardDigits(text).replace('.', decimal);
    if (isJson) return text && guardJson(text);
    if (isChangedBySpreadsheets(text)) {
      doubtful += 1;
      example ||= text;
    }
    return guardCsvText(text);
  };

  if (hasByteOrderMark) await sink(BYTE_ORDER_MARK);
  const names = columns.map(({ name }) => guardCsvText(name));
  await sink(csvLine(names, separator, IN_TITLES));
  for await (const row of rows) {
    const cells = columns.map((column) => csvCell(column, row));
    await sink(csvLine(cells, separator, inCells[separator]));
  }
  if (doubtful === 0) return [];
  const texts = countOf(doubtful, 'text looks', 'texts look');
  return [
    `${texts} like a number or a date to a spreadsheet, such as ${example}. A spreadsheet may change them. An .xlsx file keeps them as they are.`,
  ];
};
