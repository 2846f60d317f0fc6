import type { CatalogName } from '../../shared/storage/catalog.ts';
import { Failure } from '../cli/failure.ts';
import { readCsvRows } from './csv-rows.ts';
import { firstLine, separatorOf } from './csv-separator.ts';
import { collectFaults, type Faults } from './faults.ts';
import { decoded } from './file-text.ts';
import { readJsonRows } from './json-rows.ts';
import { collectRows, type FileRow, type RowCollector } from './row-collector.ts';

/** Ten times what a list can hold; JSON is read as a whole. */
const MAX_JSON_CHARACTERS = 64 * 1024 * 1024;
const LONGEST_TITLES = 1_000_000;

/** The rows of a file by what names them. Throws a Failure that lists everything that is wrong with it. */
export const readRows = async (
  chunks: AsyncIterable<Uint8Array>,
  name: CatalogName,
  notice: (text: string) => void,
): Promise<Map<string, FileRow>> => {
  const faults = collectFaults();
  const into: Into = { name, faults, rows: collectRows(name, faults), notice };
  const texts = decoded(chunks);
  try {
    const beginning = await until(texts, (text) => text.trim() !== '');
    const [first] = beginning.trim();
    if (first === undefined) throw new Failure('The file is empty; nothing was written.');
    if (first === '[' || first === '{') await readJson(texts, beginning, into);
    else await readCsv(texts, beginning, into);
    return into.rows.end();
  } finally {
    await texts.return(undefined);
  }
};

type Texts = AsyncGenerator<string>;
type Into = { name: CatalogName; faults: Faults; rows: RowCollector; notice(text: string): void };

const readJson = async (texts: Texts, beginning: string, { name, rows, faults }: Into) => {
  const text = await until(texts, ({ length }) => length > MAX_JSON_CHARACTERS, beginning);
  if (text.length > MAX_JSON_CHARACTERS) throw new Failure(JSON_TOO_LARGE);
  readJsonRows(text, name, rows, faults);
};

const readCsv = async (texts: Texts, beginning: string, { name, ...into }: Into) => {
  const isEnough = (text: string) => firstLine(text) !== undefined || text.length > LONGEST_TITLES;
  const head = await until(texts, isEnough, beginning);
  const { line, end } = firstLine(`${head}\n`) ?? { line: head, end: 0 };
  const told = separatorOf(line);
  if ('fault' in told) return into.faults.add({ line: lineAt(head, end) }, told.fault);
  const { separator, isTold } = told;
  // What remains of the line that tells the separator is a blank line to the parser.
  const rest = followedBy(isTold ? head.slice(end) : head, texts);
  const source = { texts: rest, separator, line: isTold ? lineAt(head, end) : 1 };
  await readCsvRows(source, name, into);
};

const JSON_TOO_LARGE =
  'The file has more than 64 MB of JSON, ten times what one list of the API carries; nothing was written.';

/** As much as it takes, or all that there is. */
const until = async (texts: Texts, isEnough: (text: string) => boolean, before = '') => {
  let text = before;
  while (!isEnough(text)) {
    const { done, value } = await texts.next();
    if (done) return text;
    text += value;
  }
  return text;
};

async function* followedBy(head: string, texts: Texts) {
  yield head;
  yield* texts;
}

const lineAt = (text: string, offset: number) =>
  (text.slice(0, offset).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
