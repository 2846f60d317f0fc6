import type { ListName } from '../../../shared/tables.ts';
import { Failure } from '../../text/failure.ts';
import { quote } from '../../text/quote.ts';
import { collectRows, type ReadTarget } from '../rows/collect-rows.ts';
import { collectIssues } from '../rows/issues.ts';
import { createTableReader } from '../rows/table-rows.ts';
import { readCsvRows } from './csv-rows.ts';
import { findSeparator, firstLine, type Separator } from './csv-separator.ts';
import { decodeFile, MAX_FILE_BYTES } from './decode-file.ts';
import { readJsonRows } from './json-rows.ts';

/** What a person chose. Otherwise the titles of a CSV file show the separator, and the separator shows the decimal sign. */
export type ReadOptions = { decimal?: '.' | ',' | undefined; separator?: Separator | undefined };

const ZIP = '504b0304';

/** Returns the rows by their identifiers, and notices about the file. Throws a Failure that lists all issues of the file. */
export const readRows = async (bytes: Uint8Array, name: ListName, options: ReadOptions) => {
  if (bytes.byteLength > MAX_FILE_BYTES) throw new Failure(TOO_LARGE);
  const issues = collectIssues();
  const target: ReadTarget = { name, issues, rows: collectRows(name, issues) };
  const isWorkbook = Buffer.from(bytes.subarray(0, 4)).toString('hex') === ZIP;
  if (isWorkbook) await readWorkbookRows(bytes, options, target);
  else readTextRows(decodeFile(bytes), options, target);
  return { rows: target.rows.finish(), notices: issues.notices };
};

const TOO_LARGE =
  'The file is larger than 64 MB, ten times the size of the longest list. Nothing was written.';

const readWorkbookRows = async (bytes: Uint8Array, { decimal }: ReadOptions, target: ReadTarget) => {
  const { parseWorkbook } = await import('./parse-workbook.ts');
  const { sheet, sheetCount, rows } = await parseWorkbook(bytes);
  if (sheetCount > 1)
    target.issues.notices.push(`Only the first of ${sheetCount} sheets is read: ${quote(sheet)}.`);
  const table = createTableReader(target, {
    style: { decimal: decimal ?? '.', isChosen: decimal !== undefined },
  });
  for (const [index, cells] of rows.entries()) table.read(cells, { unit: 'row', at: index + 1 });
  table.finish({ unit: 'row', at: 1 });
};

const readTextRows = (text: string, options: ReadOptions, target: ReadTarget) => {
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) throw new Failure('The file is empty. Nothing was written.');
  if (first === '[' || first === '{') readJsonRows(text, target);
  else readCsv(text, options, target);
};

const readCsv = (text: string, { decimal, separator: chosen }: ReadOptions, target: ReadTarget) => {
  const { line, end } = firstLine(text);
  const found = findSeparator(line, chosen);
  if ('issue' in found) return target.issues.add({ unit: 'line', at: lineAt(text, end) }, found.issue);
  const { separator, isDeclared } = found;
  const style = {
    // A spreadsheet with a decimal comma separates cells by semicolons.
    decimal: decimal ?? (separator === ';' ? ',' : '.'),
    isChosen: decimal !== undefined,
  } as const;
  // The line break after `sep=;` stays: the parser skips it as a blank line.
  const source = isDeclared ? { text: text.slice(end), line: lineAt(text, end) } : { text, line: 1 };
  readCsvRows({ ...source, separator, style }, target);
};

const lineAt = (text: string, offset: number) =>
  (text.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
