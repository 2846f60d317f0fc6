import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { ListName } from '../../../shared/tables.ts';
import { Failure } from '../../text/failure.ts';
import { tooLarge } from './check-workbook.ts';
import { type FileContent, readRows, type Signs } from './read-rows.ts';

const MAX_MEMORY_MB = 1024;

type Work = { bytes: Uint8Array; list: ListName; signs: Signs };
type Outcome = { content: FileContent } | { refusal: string };

/** Reads files like `readRows`, one at a time in a thread of their own, so that a large file does not stop a server. */
export const createFileReader = () => {
  let last: Promise<unknown> = Promise.resolve();
  return (work: Work): Promise<FileContent> => {
    const content = last.then(() => readRowsInThread(work));
    last = content.catch(() => {});
    return content;
  };
};

const readRowsInThread = async (work: Work): Promise<FileContent> => {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  try {
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) => reject(isOutOfMemory(error) ? tooLarge() : error));
    });
    if ('refusal' in outcome) throw new Failure(outcome.refusal);
    return outcome.content;
  } finally {
    await worker.terminate();
  }
};

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const work = async ({ bytes, list, signs }: Work): Promise<Outcome> => {
  try {
    return { content: await readRows(bytes, list, signs) };
  } catch (error) {
    if (error instanceof Failure) return { refusal: error.message };
    throw error;
  }
};

// In the thread that readApart starts.
if (!isMainThread && workerData?.list) parentPort?.postMessage(await work(workerData));
