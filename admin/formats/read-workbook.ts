import { Worker } from 'node:worker_threads';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { Failure } from '../cli/failure.ts';
import { SAVE_AS } from '../import/decode-file.ts';
import type { Workbook } from './parse-workbook.ts';

const MEGABYTE = 1024 * 1024;
const MAX_PACKED_BYTES = 64 * MEGABYTE;
/** The longest list that fits the API's response unpacks to about 60 MB. */
const MAX_UNPACKED_BYTES = 256 * MEGABYTE;
const MAX_MEMORY_MB = 1024;

const refuseSize = () => new Failure(`The workbook is larger than any list. ${SAVE_AS}`);

/** Reads an `.xlsx` file in a worker thread, which limits its memory and does not block the console. */
const readWorkbook = async (bytes: Uint8Array): Promise<Workbook> => {
  refuseOthers(listParts(bytes));
  const worker = new Worker(new URL('parse-workbook.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) => reject(toFailure(error)));
    });
  } finally {
    await worker.terminate();
  }
};

export const readWorkbookFile = async (chunks: AsyncIterable<Uint8Array>) => {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_PACKED_BYTES) throw refuseSize();
  }
  return readWorkbook(Buffer.concat(read));
};

/** Lists the parts with their declared sizes. The reader never unpacks a part beyond its declared size. */
const listParts = (bytes: Uint8Array) => {
  const parts: UnzipFileInfo[] = [];
  try {
    unzipSync(bytes, { filter: (part) => parts.push(part) === 0 });
    return parts;
  } catch {
    throw damaged('its end is missing');
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
  if (parts.reduce((sum, { originalSize }) => sum + originalSize, 0) > MAX_UNPACKED_BYTES) throw refuseSize();
};

const toFailure = (error: Error) =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuseSize() : damaged(error.message);

/** Only the first sentence of the reader's message describes the fault. */
const damaged = (reason: string) =>
  new Failure(`The workbook cannot be read: ${reason.split('. ', 1)}. ${SAVE_AS}`);
