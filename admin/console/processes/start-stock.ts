import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { MINUTE_MS } from '../../../shared/time.ts';
import { createTurns } from '../../../shared/turns.ts';
import type { Session } from '../../deployment/session.ts';
import { openForReading } from '../../stock/database/open-stock.ts';
import { chooseStockFile, removeStockFile } from '../../stock/database/stock-file.ts';
import { readChoices } from '../../stock/queries/choices.ts';
import { readStockState } from '../../stock/queries/read-state.ts';
import { Failure } from '../../text/failure.ts';
import type { StockState } from '../api.ts';
import { toErrorResponse } from '../error-response.ts';
import type { Readers } from '../queries/read-stock.ts';
import type { ProcessData } from '../queries/write-download.ts';
import type { LoaderHandlers } from './loader.ts';
import { createProcess } from './requests.ts';
import { startWorkers } from './start-workers.ts';

const READ_EVERY_MS = 30_000;

type Options = {
  fresh?: boolean | undefined;
  /** With false, nothing stays on this machine. */
  cache?: boolean | undefined;
  /** Reads batches back to this time, and not only to the horizon. */
  history?: Date | undefined;
  maxGigabytes?: number;
};

export type StockService = ReturnType<typeof startStock>;

/** Reads and queries the stock of a deployment, in other processes. */
export const startStock = (
  { deployment, where }: Pick<Session, 'deployment' | 'where'>,
  { fresh: isFresh = false, cache, history, maxGigabytes = 1 }: Options = {},
) => {
  const { file, remove } = chooseStockFile(deployment, cache);
  const data: ProcessData = { file, where, maxGigabytes };
  const failed = Promise.withResolvers<Failure>();
  const onUnusable = () => {
    removeStockFile(file);
    failed.resolve(new Failure(`${file} was damaged, and has been removed. Start the console again.`));
  };
  const loader = createProcess<LoaderHandlers>('loader.ts', data, { ended: LOADER_ENDED, onUnusable });
  const reader = createProcess<Readers>('reader.ts', data, { ended: READER_ENDED, onUnusable });
  const workers = startWorkers(data, () => open());
  const inTurn = createTurns();

  let opened: Promise<unknown> | undefined;
  const open = () => {
    opened ??= loader.ask('open', { isFresh }).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };

  /** By a clock that nobody can set back. */
  let dueAt = 0;
  let isReading = false;
  let failure: string | undefined;
  let since = history;
  const load = async (): Promise<void> => {
    dueAt = performance.now() + READ_EVERY_MS;
    isReading = true;
    let hasMore = false;
    try {
      await open();
      hasMore = !(await loader.ask('load', { since }));
      failure = undefined;
    } catch (error) {
      failure = toErrorResponse(error).message;
    }
    isReading = false;
    if (hasMore) return load();
  };
  void load();
  const estimateMinutes = createEstimate();

  /** For what all pages ask every few seconds, and what is short. */
  let own: DatabaseSync | undefined;
  let ownFile: number | undefined;
  const openOwn = async () => {
    await open();
    if (own) return own;
    ownFile = findFile(file);
    own = openForReading(file);
    return own;
  };

  let hasEnded = false;

  return {
    ...workers,
    /** A request that the browser has ended before its turn is not read. */
    ask: async <TName extends keyof Readers>(
      name: TName,
      address: Parameters<Readers[TName]>[0],
      signal: AbortSignal,
    ) => {
      await open();
      return inTurn(() => {
        signal.throwIfAborted();
        return reader.ask(name, address);
      });
    },
    readChoices: async () => readChoices(await openOwn()),
    /** Also reads the service again if the last read is old. */
    readState: async (): Promise<Omit<StockState, 'deploymentName' | 'asOf'>> => {
      const db = await openOwn();
      // An open connection can still read a removed file, also if a command has made a new one.
      if (findFile(file) !== ownFile)
        failed.resolve(new Failure(`${file} was removed. Start the console again.`));
      const state = readStockState(db);
      if (!isReading && performance.now() >= dueAt) void load();
      return { ...state, ...estimateMinutes(state.share), ...(failure === undefined ? {} : { failure }) };
    },
    /** Reads a part that was just changed. Ignores an error, because the next full read reports it. */
    readNow: (part: 'lists' | 'clients' | 'told') => loader.ask(part, undefined).catch(() => {}),
    /** Reads batches back to this time, too. */
    readOlder: (time: Date) => {
      since = new Date(Math.min(Number(since ?? time), time.getTime()));
      dueAt = 0;
    },
    /** The next `readState` reads the service again, even if the last read is recent. */
    readAtNextRequest: () => {
      dueAt = 0;
    },
    /** Why the stock cannot be read any more. */
    failed: failed.promise,
    end: async () => {
      if (hasEnded) return;
      hasEnded = true;
      for (const { end } of [workers, loader, reader]) end();
      own?.close();
      remove();
    },
  };
};

const findFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

const LOADER_ENDED = {
  status: 503,
  message: 'The process that reads the service has ended. It starts again.',
} as const;
const READER_ENDED = {
  status: 503,
  message: 'The stock could not be read, because a process ended. Load the page again.',
} as const;

/** What is read first says little about the rest. */
const LEAST_SHARE = 0.02;

/** Estimates the rest of a read from what was read since it began. */
const createEstimate = () => {
  let first: { share: number; at: number } | undefined;
  return (share: number): Pick<StockState, 'minutesLeft'> => {
    const now = performance.now();
    if (share === 1 || (first && share < first.share)) first = undefined;
    first ??= { share, at: now };
    const read = share - first.share;
    return read < LEAST_SHARE ? {} : { minutesLeft: (((1 - share) / read) * (now - first.at)) / MINUTE_MS };
  };
};
