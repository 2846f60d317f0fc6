import { guardCsvText, guardDigits, guardJson, isChangedBySpreadsheets } from '../text/guard-cells.ts';
import { type Column, type Csv, isNumber, type Rows, type Sink, toCellText } from '../text/output.ts';
import { quote } from '../text/quote.ts';
import { countOf } from '../text/words.ts';

/** Without this mark, Excel does not recognize UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** An import finds the separator in the titles, so a comma or a semicolon of a title is quoted. If a title is alone, so are those of the texts below it. */
const QUOTED_TITLE = /[",;\r\n]|^\s|\s$/;
/** A spreadsheet may read a quoted number as a text, so a cell is quoted only if it has to be. */
const quotedCell = { ',': /[",\r\n]|^\s|\s$/, ';': /[";\r\n]|^\s|\s$/ };

/** RFC 4180. */
const csvLine = (cells: readonly string[], separator: string, toQuote: RegExp) => {
  const quote = (text: string) => (toQuote.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
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
    const raw = value(row);
    const text = toCellText(raw);
    if (typeof raw === 'number') return text.replace('.', decimal);
    if (isNumber(raw)) return guardDigits(text).replace('.', decimal);
    if (isJson) return text && guardJson(text);
    if (isChangedBySpreadsheets(text)) {
      doubtful += 1;
      example ||= text;
    }
    return guardCsvText(text);
  };

  if (hasByteOrderMark) await sink(BYTE_ORDER_MARK);
  const names = columns.map(({ name }) => guardCsvText(name));
  await sink(csvLine(names, separator, QUOTED_TITLE));
  for await (const row of rows) {
    const cells = columns.map((column) => csvCell(column, row));
    const isText = columns.length === 1 && !isNumber(columns[0]?.value(row));
    await sink(csvLine(cells, separator, isText ? QUOTED_TITLE : quotedCell[separator]));
  }
  if (doubtful === 0) return [];
  return [
    `${countOf(doubtful, 'text looks', 'texts look')} like a number or a date to a spreadsheet, such as ${quote(example)}. A spreadsheet may change them. An .xlsx file keeps them as they are.`,
  ];
};
