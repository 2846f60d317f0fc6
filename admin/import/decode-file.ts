import { createReadStream } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { explain, Failure } from '../cli/failure.ts';

export const SAVE_AS = 'Save it as "Excel workbook (.xlsx)" or as "CSV UTF-8". Nothing was written.';

export async function* openFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Failure(`There is no file ${basename(file)} in ${dirname(resolve(file))}.`);
    }
    throw new Failure(`${file} cannot be read: ${explain(error)}.`);
  }
}

/** Decodes UTF-8 piece by piece, without the byte-order mark. Refuses other encodings, because a guess may be wrong. */
export async function* decodeFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) refuseForeign(chunk);
    isFirst = false;
    const text = decodeOrRefuse(() => decoder.decode(chunk, { stream: true }));
    if (text !== '') yield text;
  }
  const rest = decodeOrRefuse(() => decoder.decode());
  if (rest !== '') yield rest;
}

const decodeOrRefuse = (decode: () => string) => {
  try {
    return decode();
  } catch {
    throw new Failure(`The file is not in UTF-8. It may be in windows-1251 or windows-1252. ${SAVE_AS}`);
  }
};

/** Recognizes UTF-16 by its byte-order mark, or by a zero among the first two bytes. */
const foreignKinds: [RegExp, kind: string][] = [
  [/^d0cf11e0/, 'an old workbook (.xls), or a workbook with a password'],
  [/^25504446/, 'a PDF'],
  [/^(efbbbf)?3c/, 'a web page or XML, even if its name ends in .xls or .csv'],
  [/^(fffe|feff|00|..00)/, 'in UTF-16, not in UTF-8'],
];

const refuseForeign = (chunk: Uint8Array) => {
  const beginning = Buffer.from(chunk.subarray(0, 4)).toString('hex');
  const [, kind] = foreignKinds.find(([pattern]) => pattern.test(beginning)) ?? [];
  if (kind) throw new Failure(`The file is ${kind}. ${SAVE_AS}`);
};
