import { type UnzipFileInfo, unzipSync } from 'fflate';
import { Failure } from '../../text/failure.ts';
import { formatNumber } from '../../text/words.ts';
import { SAVE_AS } from './decode-file.ts';

/** The longest list that fits the API's response unpacks to about 60 MB. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** Enough for the longest list with blank rows between its rows. */
const MAX_ROWS = 500_000;

/** The longest list has 600,000 cells, with up to eight tags each. The reader keeps an object for each tag. */
const MAX_TAGS = 6_000_000;

/** Refuses a file that is no workbook, or that needs too much memory. Checks the sizes of all parts before it unpacks any. */
export const checkWorkbook = (bytes: Uint8Array) => {
  checkParts(listParts(bytes));
  for (const part of Object.values(unpackSheets(bytes))) {
    if (countTags(part) > MAX_TAGS) throw largeWorkbook();
    const row = lastRowOf(part);
    if (row > MAX_ROWS) {
      throw new Failure(
        `A sheet of the workbook has cells down to row ${formatNumber(row)}, which is longer than any list. Delete the rows below the list. Nothing was written.`,
      );
    }
  }
};

const listParts = (bytes: Uint8Array) => {
  const parts: UnzipFileInfo[] = [];
  try {
    unzipSync(bytes, { filter: (part) => parts.push(part) === 0 });
    return parts;
  } catch {
    throw damagedWorkbook('its end is missing');
  }
};

/** Never unpacks a part beyond its declared size. */
const unpackSheets = (bytes: Uint8Array) => {
  try {
    return unzipSync(bytes, {
      filter: ({ name }) => /^xl\/(sharedStrings|worksheets\/[^/]+)\.xml$/i.test(name),
    });
  } catch {
    throw damagedWorkbook('one of its parts is damaged');
  }
};

const checkParts = (parts: readonly UnzipFileInfo[]) => {
  const has = (wanted: string) => parts.some(({ name }) => name === wanted);
  if (has('content.xml')) throw new Failure(`The file is an OpenDocument spreadsheet (.ods). ${SAVE_AS}`);
  if (has('xl/workbook.bin')) throw new Failure(`The file is a binary workbook (.xlsb). ${SAVE_AS}`);
  if (!has('[Content_Types].xml')) throw new Failure(`The file is an archive, not a workbook. ${SAVE_AS}`);
  if (
    parts.some(({ name, size, originalSize }) => !name.endsWith('/') && (size === 0 || originalSize === 0))
  ) {
    throw damagedWorkbook('one of its parts is empty');
  }
  if (parts.reduce((sum, { originalSize }) => sum + originalSize, 0) > MAX_UNPACKED_BYTES)
    throw largeWorkbook();
};

const countTags = (part: Uint8Array) => {
  let count = 0;
  for (let at = part.indexOf(0x3c); at !== -1; at = part.indexOf(0x3c, at + 1)) count += 1;
  return count;
};

/** Finds rows with cells. LibreOffice also writes rows without cells, down to the last row of a sheet. */
const CELL_ROW =
  /<(?:\w+:)?(?:row\b[^>]*\br\s*=\s*["'](\d+)["'][^>]*>\s*<(?:\w+:)?c|c\b[^>]*\br\s*=\s*["'][A-Z]+(\d+)["'])/g;

const lastRowOf = (part: Uint8Array) => {
  let last = 0;
  for (const [, row, cellRow] of Buffer.from(part).toString('latin1').matchAll(CELL_ROW)) {
    last = Math.max(last, Number(row ?? cellRow));
  }
  return last;
};

const largeWorkbook = () => new Failure(`The workbook is larger than any list. ${SAVE_AS}`);

/** Keeps the first sentence of a message of the library hucre. Its other sentences do not describe the error. */
export const damagedWorkbook = (reason: string) =>
  new Failure(`The workbook cannot be read: ${reason.split('. ', 1)}. ${SAVE_AS}`);
