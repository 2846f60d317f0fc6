import { rmSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTurns } from '../../../shared/turns.ts';
import { makeTemporaryFolder } from '../../stock/database/stock-file.ts';
import { Failure } from '../../text/failure.ts';
import type { QueryAddress } from '../addresses.ts';
import type { ErrorResponse } from '../error-response.ts';
import type { DownloadWork, ProcessData } from '../queries/write-download.ts';
import { createProcess, MAX_BYTES } from './requests.ts';
import type { ImportWork, WorkerHandlers } from './worker.ts';

/** The limit of a query on the page. A download has no limit. */
const TIME_LIMIT_MS = 60_000;

/** More queries and downloads at once would use up the memory of the machine. */
const MAX_AT_ONCE = 4;

/** All processes together may take 2 GB. The largest is ended earlier, because they take more until its end. */
const MAX_BYTES_TOGETHER = 1.6 * 2 ** 30;

/** Reading a file takes the memory of JavaScript, and a larger heap than it needs. */
const LIMITED_HEAP = ['--max-old-space-size=1024'];

const createWorker = (
  data: ProcessData,
  options: { onMemory?: (bytes: number) => void; execArgv?: string[] },
) => createProcess<WorkerHandlers>('worker.ts', data, { ended: ENDED_EARLY, ...options });
type Worker = ReturnType<typeof createWorker>;

/** The one with the most bytes, if it or all together take too much memory. */
export const findTooLarge = <T>(bytes: ReadonlyMap<T, number>): T | undefined => {
  const [[largest, most] = [undefined, 0]] = [...bytes].toSorted(([, a], [, b]) => b - a);
  const together = bytes.values().reduce((sum, each) => sum + each, 0);
  return most >= MAX_BYTES || together >= MAX_BYTES_TOGETHER ? largest : undefined;
};

/** Starts a process for each typed query, download and file to import. `open` waits until the file of the stock can be read. */
export const startWorkers = (data: ProcessData, open: () => Promise<unknown>) => {
  const running = new Map<Worker, number>();
  let tooLarge: Worker | undefined;

  const limitMemory = (reporting: Worker, bytes: number) => {
    if (running.has(reporting)) running.set(reporting, bytes);
    // A process that is ending soon gives its memory back.
    if (tooLarge && running.has(tooLarge)) return;
    tooLarge = findTooLarge(running);
    tooLarge?.end(TOO_LARGE);
  };

  const run = async <T>(work: (worker: Worker) => Promise<T>, signal: AbortSignal, isOfFile = false) => {
    signal.throwIfAborted();
    const worker = createWorker(
      data,
      isOfFile ? { execArgv: LIMITED_HEAP } : { onMemory: (bytes) => limitMemory(worker, bytes) },
    );
    const end = () => worker.end();
    running.set(worker, 0);
    signal.addEventListener('abort', end);
    try {
      return await work(worker);
    } finally {
      signal.removeEventListener('abort', end);
      end();
      running.delete(worker);
      signal.throwIfAborted();
    }
  };

  const [queriesAndDownloads, files] = [createTurns(MAX_AT_ONCE), createTurns()];
  const folders = new Set<string>();

  return {
    runQuery: async (name: 'queryPage' | 'queryCount', address: QueryAddress, signal: AbortSignal) => {
      await open();
      const limit = AbortSignal.timeout(TIME_LIMIT_MS);
      try {
        const ending = AbortSignal.any([signal, limit]);
        return await queriesAndDownloads(() => run(({ ask }) => ask(name, address), ending));
      } catch (error) {
        if (!limit.aborted) throw error;
        throw new Failure(
          `The query was ended after ${TIME_LIMIT_MS / 1_000} seconds. Ask for less at a time.`,
        );
      }
    },
    /**
     * Opens the file when it is complete, so that the browser gets a message instead of half a file if the work fails.
     * Removes the name of the open file, so that nothing stays on the machine.
     */
    openDownload: async (work: Omit<DownloadWork, 'out'>, signal: AbortSignal) => {
      await open();
      const folder = makeTemporaryFolder();
      folders.add(folder);
      const out = join(folder, 'download');
      try {
        const notices = await queriesAndDownloads(() =>
          run(({ ask }) => ask('download', { ...work, out }), signal),
        );
        return { handle: await openFile(out), notices };
      } finally {
        rmSync(folder, { recursive: true, force: true });
        folders.delete(folder);
      }
    },
    /** Reads one file at a time, because a large file needs much memory. It has a place of its own. */
    readFile: (work: ImportWork, signal: AbortSignal) =>
      files(() => run(({ ask }) => ask('rowsOfFile', work), signal, true)),
    end: () => {
      for (const { end } of running.keys()) end();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
};

const TOO_LARGE: ErrorResponse = {
  status: 400,
  message:
    'This needed too much memory, so it was ended. It may take 1 GB, and 2 GB together with what runs beside it. Ask for less at a time.',
};

const ENDED_EARLY: ErrorResponse = {
  status: 500,
  message:
    'The process ended early. It may have needed more memory than there is. Ask for less at a time, or import fewer rows.',
};
