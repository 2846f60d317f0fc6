import { createReadStream } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { explain, Failure } from '../../text/failure.ts';

export const SAVE_AS = 'Save it as "Excel workbook (.xlsx)" or as "CSV UTF-8". Nothing was written.';

/** Ten times the size of the longest list. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads a file, or standard input for `-`. Stops when a file exceeds the limit, and `readRows` refuses the file. */
export const readBytes = async (file: string): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of file === '-' ? process.stdin : createReadStream(file)) {
      pieces.push(piece);
      size += piece.length;
      if (size > MAX_FILE_BYTES) break;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Failure(`There is no file ${basename(file)} in ${dirname(resolve(file))}.`);
    }
    throw new Failure(`${file} cannot be read: ${explain(error)}.`);
  }
  return Buffer.concat(pieces);
};

/** Decodes UTF-8, without the byte-order mark. Refuses other encodings, because a guess may be wrong. */
export const decodeFile = (bytes: Uint8Array): string => {
  refuseForeign(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`The file is not in UTF-8. It may be in windows-1251 or windows-1252. ${SAVE_AS}`);
  }
};

const foreignFormats: [RegExp, format: string][] = [
  [/^d0cf11e0/, 'an old workbook (.xls), or a workbook with a password'],
  [/^25504446/, 'a PDF'],
  [/^(efbbbf)?3c/, 'a web page or XML, even if its name ends in .xls or .csv'],
  // UTF-16 has a byte-order mark, or a zero among the first two bytes.
  [/^(fffe|feff|00|..00)/, 'in UTF-16, not in UTF-8'],
];

const refuseForeign = (bytes: Uint8Array) => {
  const beginning = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  const [, format] = foreignFormats.find(([pattern]) => pattern.test(beginning)) ?? [];
  if (format) throw new Failure(`The file is ${format}. ${SAVE_AS}`);
};
