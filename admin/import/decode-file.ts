import { createReadStream } from 'node:fs';
import { Failure } from '../cli/failure.ts';

const AS_UTF8 = 'In Excel, save it as "CSV UTF-8 (Comma delimited)"; nothing was written.';

/** Opens a file, or standard input for `-`. */
export async function* openFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file);
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Decodes a file piece by piece, without the byte-order mark. Refuses other encodings, because a guess could be wrong. */
export async function* decodeFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst) {
      refuseWorkbook(chunk);
      refuseUtf16(chunk);
    }
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
    throw new Failure(`The file is not in UTF-8, but in another encoding, such as windows-1251. ${AS_UTF8}`);
  }
};

const refuseWorkbook = (chunk: Uint8Array) => {
  const beginning = Buffer.from(chunk.subarray(0, 4)).toString('hex');
  if (beginning === '504b0304') throw new Failure(`The file is a workbook (.xlsx), not a text. ${AS_UTF8}`);
  if (beginning === 'd0cf11e0')
    throw new Failure(`The file is an old workbook (.xls), not a text. ${AS_UTF8}`);
};

/** Recognizes UTF-16 by its byte-order mark, or by a zero among the first two bytes. */
const refuseUtf16 = (chunk: Uint8Array) => {
  const [first, second] = chunk;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || first === 0 || second === 0)
    throw new Failure(`The file is in UTF-16, not in UTF-8. ${AS_UTF8}`);
};
