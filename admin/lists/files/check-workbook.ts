import { type UnzipFileInfo, unzipSync } from 'fflate';
import { Failure } from '../../text/failure.ts';
import { formatCount } from '../../text/words.ts';
import { SAVE_AS } from './decode-file.ts';

/** The longest list that fits the API's response unpacks to about 60 MB. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** More than the rows of any list, and blank rows between them. */
const MAX_ROWS = 500_000;

/** The longest list has 600,000 cells, with up to eight tags each. The reader keeps an object for each tag. */
const MAX_TAGS = 6_000_000;

/** Refuses what is no workbook, or would need too much memory. Reads the sizes first, and unpacks only what fits. */
export const checkWorkbook = (bytes: Uint8Array) => {
  refuseOthers(listParts(bytes));
  for (const part of Object.values(unpackSheets(bytes))) {
    if (countTags(part) > MAX_TAGS) throw tooLarge();
    const row = lastRowOf(part);
    if (row > MAX_ROWS) throw tooLong(row);
  }
};

/** Lists the parts with their declared sizes. */
const listParts = (bytes: Uint8Array) => {
  const parts: UnzipFileInfo[] = [];
  try {
    unzipSync(bytes, { filter: (part) => parts.push(part) === 0 });
    return parts;
  } catch {
    throw damaged('its end is missing');
  }
};

/** Never unpacks a part beyond its declared size. */
const unpackSheets = (bytes: Uint8Array) => {
  try {
    return unzipSync(bytes, {
      filter: ({ name }) => /^xl\/(sharedStrings|worksheets\/[^/]+)\.xml$/i.test(name),
    });
  } catch {
    throw damaged('one of its parts is damaged');
  }
};

const refuseOthers = (parts: readonly UnzipFileInfo[]) => {
  const has = (wanted: string) => parts.some(({ name }) => name === wanted);
  if (has('content.xml')) throw new Failure(`The file is an OpenDocument spreadsheet (.ods). ${SAVE_AS}`);
  if (has('xl/workbook.bin')) throw new Failure(`The file is a binary workbook (.xlsb). ${SAVE_AS}`);
  if (!has('[Content_Types].xml')) throw new Failure(`The file is an archive, not a workbook. ${SAVE_AS}`);
  if (
    parts.some(({ name, size, originalSize }) => !name.endsWith('/') && (size === 0 || originalSize === 0))
  ) {
    throw damaged('one of its parts is empty');
  }
  if (parts.reduce((sum, { originalSize }) => sum + originalSize, 0) > MAX_UNPACKED_BYTES) throw tooLarge();
};

const countTags = (part: Uint8Array) => {
  let count = 0;
  for (let at = part.indexOf(0x3c); at !== -1; at = part.indexOf(0x3c, at + 1)) count += 1;
  return count;
};

/** A row without cells does not count: LibreOffice writes such rows down to the last. */
const CELL_ROW =
  /<(?:\w+:)?(?:row\b[^>]*\br\s*=\s*["'](\d+)["'][^>]*>\s*<(?:\w+:)?c|c\b[^>]*\br\s*=\s*["'][A-Z]+(\d+)["'])/g;

const lastRowOf = (part: Uint8Array) => {
  let last = 0;
  for (const [, row, cellRow] of Buffer.from(part).toString('latin1').matchAll(CELL_ROW)) {
    last = Math.max(last, Number(row ?? cellRow));
  }
  return last;
};

const tooLarge = () => new Failure(`The workbook is larger than any list. ${SAVE_AS}`);

const tooLong = (row: number) =>
  new Failure(
    `A sheet of the workbook has cells down to row ${formatCount(row)}, which is longer than any list. Delete the rows below the list. Nothing was written.`,
  );

/** Only the first sentence of the reader's message describes the error. */
export const damaged = (reason: string) =>
  new Failure(`The workbook cannot be read: ${reason.split('. ', 1)}. ${SAVE_AS}`);
