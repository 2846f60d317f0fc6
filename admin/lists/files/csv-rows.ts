import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { formatNumber } from '../../text/words.ts';
import type { ReadTarget } from '../rows/collect-rows.ts';
import { createTableReader } from '../rows/table-rows.ts';
import type { NumberStyle } from '../values/read-number.ts';
import type { Separator } from './csv-separator.ts';

/** More than an item can hold. In a large file, a quotation mark that is never closed ends the reading here. */
const MAX_ROW_CHARACTERS = 1_000_000;

const LINE_BREAK = /\r\n|\n|\r/g;
const countBreaks = (cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAK)?.length ?? 0), 0);

type Source = { text: string; separator: Separator; style: NumberStyle; line: number };

export const readCsvRows = ({ text, separator, style, line: startLine }: Source, target: ReadTarget) => {
  const table = createTableReader(target, { style, separator });
  let line = startLine;
  try {
    parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_ROW_CHARACTERS,
      // After an error, `parse` returns no rows. So each row is taken as soon as it is read.
      on_record: (cells: string[]) => {
        table.read(cells, { unit: 'line', at: line });
        line += 1 + countBreaks(cells);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    target.issues.add({ unit: 'line', at: line }, csvIssue(error));
  }
  table.finish({ unit: 'line', at: line });
};

const csvIssue = ({ code }: CsvError) => {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'a quotation mark opens in this row and is never closed. The rest of the file was not checked.';
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `the row is longer than ${formatNumber(MAX_ROW_CHARACTERS)} characters; check for a quotation mark that is not closed`;
  }
  return 'a cell of this row contains a quotation mark; put the cell in quotation marks and double each one inside. The rest of the file was not checked.';
};
