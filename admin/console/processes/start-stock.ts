import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '../../deployment/session.ts';
import { openForReading } from '../../stock/database/open-stock.ts';
import { chooseStockFile, removeStockFile } from '../../stock/database/stock-file.ts';
import { readChoices } from '../../stock/tables/overview.ts';
import { Failure } from '../../text/failure.ts';
import type { StockState } from '../api.ts';
import { toErrorResponse } from '../error-response.ts';
import { readStockState } from '../queries/read-state.ts';
import type { LoaderData, LoaderHandlers } from './loader.ts';
import type { ReaderHandlers } from './reader.ts';
import { startProcess } from './requests.ts';
import { startWorkers } from './start-workers.ts';

const READ_EVERY_MS = 30_000;

type Options = {
  /** Reads everything again. */
  fresh?: boolean | undefined;
  /** With false, nothing stays on this machine. */
  cache?: boolean | undefined;
  maxGigabytes?: number;
};

export type StockService = ReturnType<typeof startStock>;

/** Reads and queries the stock of a deployment, in other processes. A process that has ended starts again with the next request. */
export const startStock = (
  { deployment, where }: Pick<Session, 'deployment' | 'where'>,
  { fresh = false, cache, maxGigabytes }: Options = {},
) => {
  const { file, remove } = chooseStockFile(deployment, cache);
  const { runQuery, openDownload, readFile, end: endWorkers } = startWorkers({ file, where, maxGigabytes });
  let isFresh = fresh;
  const failed = Promise.withResolvers<Failure>();
  const onUnusable = () => {
    removeStockFile(file);
    failed.resolve(new Failure(`${file} was damaged, and has been removed. Start the console again.`));
  };
  let hasEnded = false;

  const createProcess = <TProcess>(start: (onEnd: () => void) => TProcess) => {
    let running: TProcess | undefined;
    return {
      get: () =>
        (running ??= start(() => {
          running = undefined;
        })),
      running: () => running,
    };
  };
  const loader = createProcess((onEnd) => {
    const data: LoaderData = { file, where, isFresh };
    isFresh = false;
    const started = startProcess<LoaderHandlers>('loader.ts', data, {
      describeEnd: () => LOADER_ENDED,
      onUnusable,
      onEnd,
    });
    const opened = started.ask('open', undefined);
    // Each request awaits it and reports its error.
    opened.catch(() => {});
    return { ...started, opened };
  });
  const reader = createProcess((onEnd) =>
    startProcess<ReaderHandlers>(
      'reader.ts',
      { file },
      { describeEnd: () => READER_ENDED, onEnd, onUnusable },
    ),
  );

  /** By a clock that nobody can set back. */
  let dueAt = 0;
  let isReading = false;
  let failure: string | undefined;
  const load = async () => {
    dueAt = performance.now() + READ_EVERY_MS;
    isReading = true;
    failure = await failureOf(loader.get().ask('load', undefined));
    isReading = false;
  };
  void load();

  /** For what all pages ask every few seconds, and what is short. */
  let own: DatabaseSync | undefined;
  const openOwn = async () => {
    await loader.get().opened;
    own ??= openForReading(file);
    return own;
  };

  let lastRead: Promise<unknown> = Promise.resolve();

  return {
    runQuery: async (...work: Parameters<typeof runQuery>) => {
      await loader.get().opened;
      return runQuery(...work);
    },
    openDownload: async (...[work, signal]: Parameters<typeof openDownload>) => {
      await loader.get().opened;
      return openDownload(work, signal);
    },
    readFile,
    /** A request that the browser has ended before its turn is not read. */
    ask: async <TName extends keyof ReaderHandlers>(
      name: TName,
      address: Parameters<ReaderHandlers[TName]>[0],
      signal: AbortSignal,
    ) => {
      await loader.get().opened;
      const read = lastRead.then(() => {
        signal.throwIfAborted();
        return reader.get().ask(name, address);
      });
      lastRead = read.catch(() => {});
      return read;
    },
    readChoices: async () => readChoices(await openOwn()),
    /** Also reads the service again if the last read is old. */
    readState: async (): Promise<Omit<StockState, 'deploymentName' | 'asOf'>> => {
      const db = await openOwn();
      // An open connection can still read a removed file.
      if (!existsSync(file)) failed.resolve(new Failure(`${file} was removed. Start the console again.`));
      const state = readStockState(db);
      if (!isReading && performance.now() >= dueAt) void load();
      return { ...state, ...(failure === undefined ? {} : { failure }) };
    },
    /** Reads a part that was just changed. Ignores an error, because the next full read reports it. */
    readNow: async (part: 'lists' | 'clients') => void (await failureOf(loader.get().ask(part, undefined))),
    /** The next `readState` reads the service again, even if the last read is recent. */
    readAtNextRequest: () => {
      dueAt = 0;
    },
    /** Why the stock cannot be read any more. */
    failed: failed.promise,
    /** Ends all processes. */
    end: async () => {
      if (hasEnded) return;
      hasEnded = true;
      endWorkers();
      loader.running()?.end();
      reader.running()?.end();
      own?.close();
      remove();
    },
  };
};

const LOADER_ENDED = {
  status: 503,
  message: 'The process that reads the service has ended. It starts again.',
} as const;
const READER_ENDED = {
  status: 503,
  message: 'The stock could not be read, because a process ended. Load the page again.',
} as const;

const failureOf = (response: Promise<unknown>) =>
  response.then(
    () => undefined,
    (error: unknown) => toErrorResponse(error).message,
  );
