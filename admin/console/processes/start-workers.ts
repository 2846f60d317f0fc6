import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Where } from '../../deployment/deployment.ts';
import { makeTemporaryFolder } from '../../stock/database/stock-file.ts';
import { MAX_BYTES } from '../../stock/sql/watch-process.ts';
import { Failure } from '../../text/failure.ts';
import type { QueryAddress } from '../addresses.ts';
import type { ErrorResponse } from '../error-response.ts';
import type { DownloadWork } from '../queries/write-download.ts';
import { startProcess } from './requests.ts';
import type { ImportWork, WorkerHandlers } from './worker.ts';

/** The limit of a query on the page. A download has no limit. */
const TIME_LIMIT_MS = 60_000;

/** More processes would use up the memory of the machine. */
const MAX_PROCESSES = 4;

/** The memory that all processes together may take. Some is left for what they take until the next report. */
const MAX_BYTES_TOGETHER = 1.6 * 2 ** 30;

const LIMITED_HEAP = ['--max-old-space-size=1024'];

type Running = { end: () => void; bytes: number; isTooLarge: boolean };
type Options = { file: string; where: Where; maxGigabytes?: number | undefined };

/** Starts a process for each typed query, download and file to import. */
export const startWorkers = ({ file: stockFile, where, maxGigabytes = 1 }: Options) => {
  const running = new Set<Running>();
  const waiting: (() => void)[] = [];
  let freePlaces = MAX_PROCESSES;

  /** A process ends itself if it takes too much alone. */
  const limitMemory = (reporting: Running) => {
    if (reporting.bytes > MAX_BYTES) reporting.isTooLarge = true;
    const all = [...running];
    // A process that is ending soon gives its memory back.
    if (all.some(({ isTooLarge }) => isTooLarge)) return;
    const [largest] = all.toSorted((a, b) => b.bytes - a.bytes);
    const together = all.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!largest || together < MAX_BYTES_TOGETHER) return;
    largest.isTooLarge = true;
    largest.end();
  };

  const start = (execArgv: string[]) => {
    const worker = startProcess<WorkerHandlers>(
      'worker.ts',
      {},
      {
        execArgv,
        describeEnd: () => (entry.isTooLarge ? TOO_LARGE : ENDED_EARLY),
        onEnd: () => running.delete(entry),
        onOutput: (reports) => {
          entry.bytes = Number(reports.trim().split('\n').at(-1));
          limitMemory(entry);
        },
      },
    );
    const entry: Running = { end: worker.end, bytes: 0, isTooLarge: false };
    running.add(entry);
    return worker;
  };

  const run = async <T>(
    work: (worker: ReturnType<typeof start>) => Promise<T>,
    signal: AbortSignal,
    execArgv: string[] = [],
  ) => {
    signal.throwIfAborted();
    const worker = start(execArgv);
    signal.addEventListener('abort', worker.end);
    try {
      return await work(worker);
    } finally {
      signal.removeEventListener('abort', worker.end);
      worker.end();
      signal.throwIfAborted();
    }
  };

  const runInTurn = async <T>(
    work: (worker: ReturnType<typeof start>) => Promise<T>,
    signal: AbortSignal,
  ) => {
    if (freePlaces > 0) freePlaces -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run(work, signal);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else freePlaces += 1;
    }
  };

  const folders = new Set<string>();
  let lastRead: Promise<unknown> = Promise.resolve();

  return {
    runQuery: async (name: 'page' | 'count', address: QueryAddress, signal: AbortSignal) => {
      const limit = AbortSignal.timeout(TIME_LIMIT_MS);
      try {
        return await runInTurn(
          ({ ask }) => ask(name, { address, file: stockFile }),
          AbortSignal.any([signal, limit]),
        );
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
    openDownload: async (work: Pick<DownloadWork, 'download' | 'format'>, signal: AbortSignal) => {
      const folder = makeTemporaryFolder();
      folders.add(folder);
      const out = join(folder, 'download');
      try {
        const request = { ...work, stockFile, where, maxGigabytes, out };
        const notices = await runInTurn(({ ask }) => ask('download', request), signal);
        return { handle: await open(out), notices };
      } finally {
        rmSync(folder, { recursive: true, force: true });
        folders.delete(folder);
      }
    },
    /** Reads the rows of one file at a time, because a large file needs much memory. It has a place of its own. */
    readFile: (work: ImportWork, signal: AbortSignal) => {
      const read = lastRead.then(() => run(({ ask }) => ask('file', work), signal, LIMITED_HEAP));
      lastRead = read.catch(() => {});
      return read;
    },
    end: () => {
      for (const { end } of running) end();
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
  message: 'The process ended early. It may have needed more memory than there is.',
};
