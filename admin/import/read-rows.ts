import type { CatalogName } from '../../shared/tables.ts';
import { Failure } from '../cli/failure.ts';
import { collectRows, type FileRow, type ImportTarget } from './collect-rows.ts';
import { readCsvRows } from './csv-rows.ts';
import { findSeparator, firstLine } from './csv-separator.ts';
import type { NumberStyle } from './decimal.ts';
import { decodeFile } from './decode-file.ts';
import { collectFaults, quote } from './faults.ts';
import { readJsonRows } from './json-rows.ts';
import { createTableReader } from './table-rows.ts';

/** JSON is read into memory. This is ten times the length of the longest list. */
const MAX_JSON_CHARACTERS = 64 * 1024 * 1024;
const MAX_TITLE_CHARACTERS = 1_000_000;

type Options = { notice(text: string): void; decimal?: '.' | ',' | undefined };

/** Returns the rows of a file by their identifiers. Throws a Failure that lists all faults. */
export const readRows = async (
  chunks: AsyncIterable<Uint8Array>,
  name: CatalogName,
  { notice, decimal }: Options,
): Promise<Map<string, FileRow>> => {
  const faults = collectFaults();
  const target: ImportTarget = { name, faults, rows: collectRows(name, faults), notice };
  const { isWorkbook, all } = await detectWorkbook(chunks);
  if (isWorkbook) await readWorkbookRows(all, decimal, target);
  else await readTextRows(decodeFile(all), decimal, target);
  return target.rows.finish();
};

const ZIP = '504b0304';

const detectWorkbook = async (chunks: AsyncIterable<Uint8Array>) => {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const isWorkbook = !first.done && Buffer.from(first.value.subarray(0, 4)).toString('hex') === ZIP;
  async function* all() {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { isWorkbook, all: all() };
};

const readWorkbookRows = async (
  chunks: AsyncIterable<Uint8Array>,
  decimal: Options['decimal'],
  target: ImportTarget,
) => {
  const { readWorkbookFile } = await import('../formats/read-workbook.ts');
  const { sheet, sheets, rows } = await readWorkbookFile(chunks);
  if (sheets > 1) target.notice(`Only the first of ${sheets} sheets is read: ${quote(sheet)}.`);
  const table = createTableReader(target, {
    style: { decimal: decimal ?? '.', isChosen: decimal !== undefined },
  });
  for (const [index, cells] of rows.entries()) table.read(cells, { line: index + 1, unit: 'row' });
  table.finish({ line: 1, unit: 'row' });
};

const readTextRows = async (texts: Texts, decimal: Options['decimal'], target: ImportTarget) => {
  try {
    const beginning = await readUntil(texts, (text) => text.trim() !== '');
    const [first] = beginning.trim();
    if (first === undefined) throw new Failure('The file is empty. Nothing was written.');
    if (first === '[' || first === '{') await readJson(texts, beginning, target);
    else await readCsv(texts, beginning, decimal, target);
  } finally {
    await texts.return(undefined);
  }
};

type Texts = AsyncGenerator<string>;

const readJson = async (texts: Texts, beginning: string, target: ImportTarget) => {
  const text = await readUntil(texts, ({ length }) => length > MAX_JSON_CHARACTERS, beginning);
  if (text.length > MAX_JSON_CHARACTERS) throw new Failure(JSON_TOO_LARGE);
  readJsonRows(text, target);
};

const readCsv = async (
  texts: Texts,
  beginning: string,
  decimal: Options['decimal'],
  target: ImportTarget,
) => {
  const isEnough = (text: string) => firstLine(text) !== undefined || text.length > MAX_TITLE_CHARACTERS;
  const head = await readUntil(texts, isEnough, beginning);
  // A file may have no line break at its end.
  const { line, end } = firstLine(`${head}\n`) ?? { line: head, end: 0 };
  const found = findSeparator(line);
  if ('fault' in found) return target.faults.add({ line: lineAt(head, end) }, found.fault);
  const { separator, isDeclared } = found;
  // The line break of a `sep=` line stays. The parser skips it as a blank line.
  const rest = prepend(isDeclared ? head.slice(end) : head, texts);
  const style: NumberStyle = {
    // A spreadsheet with a decimal comma separates cells with semicolons.
    decimal: decimal ?? (separator === ';' ? ',' : '.'),
    isChosen: decimal !== undefined,
  };
  const from = { line: isDeclared ? lineAt(head, end) : 1 };
  await readCsvRows({ texts: rest, separator, style, ...from }, target);
};

const JSON_TOO_LARGE =
  'The file has more than 64 MB of JSON, ten times the size of the longest list. Nothing was written.';

const readUntil = async (texts: Texts, isEnough: (text: string) => boolean, before = '') => {
  let text = before;
  while (!isEnough(text)) {
    const { done, value } = await texts.next();
    if (done) return text;
    text += value;
  }
  return text;
};

async function* prepend(head: string, texts: Texts) {
  yield head;
  yield* texts;
}

const lineAt = (text: string, offset: number) =>
  (text.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
