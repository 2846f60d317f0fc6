import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { grouped } from '../cli/words.ts';
import type { Into } from './collect-rows.ts';
import { countFault, type Header, readCells, readHeader } from './csv-columns.ts';
import type { Separator } from './csv-separator.ts';

/** More than an item can hold. A quotation mark that is never closed would otherwise read all of a large file. */
const MAX_ROW_CHARACTERS = 1_000_000;

const LINE_BREAK = /\r\n|\n|\r/g;
const breaksIn = (cells: readonly string[]) =>
  cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAK)?.length ?? 0), 0);

type Source = { texts: AsyncIterable<string>; separator: Separator; line: number };

type At = { at: number; fault(detail: string): void };

/** Reads CSV piece by piece. The first line that is not blank has the titles. */
export const readCsvRows = async ({ texts, separator, ...from }: Source, into: Into) => {
  const { name, rows, faults, notice } = into;
  let { line } = from;
  let header: Header | undefined;

  const readRecord = (cells: string[]) => {
    const at = line;
    const fault = (detail: string) => faults.add({ line: at }, detail);
    line += 1 + breaksIn(cells);
    if (cells.every((cell) => cell.trim() === '')) return;
    if (header) readRow(cells, { at, fault }, header);
    else header = readHeader({ cells, separator }, name, { fault, notice });
  };

  const readRow = (cells: string[], { at, fault }: At, header: Header) => {
    const wrongCount = countFault(cells, header);
    if (wrongCount) return fault(wrongCount);
    const { identifier, ...row } = readCells(cells, header, fault);
    rows.add(identifier, { line: at, ...row });
  };

  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_ROW_CHARACTERS,
    // A stream would lose the last records before a fault.
    on_record: (cells: string[]) => {
      readRecord(cells);
      return null;
    },
  });
  try {
    await pipeline(texts, parser.resume());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    faults.add({ line }, csvFault(error));
  }
  if (!header) faults.add({ line }, 'there is no line with the titles of the columns');
};

const csvFault = ({ code }: CsvError) => {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'a quotation mark opens in this row and is never closed. What follows was not looked at.';
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `the row is longer than ${grouped(MAX_ROW_CHARACTERS)} characters; is a quotation mark not closed?`;
  }
  return 'a quotation mark is within a cell of this row; put the cell in quotation marks and double those in it. What follows was not looked at.';
};
