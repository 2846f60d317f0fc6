import { stat } from 'node:fs/promises';
import { HTTPException } from 'hono/http-exception';
import type { Session } from '../../deployment/session.ts';
import { chooseStockFile, removeStockFile } from '../../stock/database/stock-file.ts';
import type { StockState } from '../api.ts';
import type { ClientRequest } from '../client-requests.ts';
import { createProcesses } from '../processes/create-processes.ts';
import type { readStockState } from '../queries/read-state.ts';
import type { StockRequest } from '../queries/stock-requests.ts';
import { createQueryThreads } from './create-query-threads.ts';
import type { EditRequest } from './edit-thread.ts';
import type { ListRequest } from './list-edits.ts';
import { startLoader } from './start-loader.ts';
import { startThread, type Thread } from './thread-requests.ts';

/** What the routes need of the stock. A `Promise<string>` is the JSON of a response. */
export type StockService = Pick<ReturnType<typeof createProcesses>, 'openDownload' | 'runQuery'> & {
  ask: (request: StockRequest, signal?: AbortSignal) => Promise<string>;
  /** Also reads the service again if the last read is old. */
  readState: () => Promise<Omit<StockState, 'deploymentName' | 'asOf'>>;
  planOrWrite: (request: ListRequest, signal: AbortSignal) => Promise<string>;
  readOrChangeClients: (request: ClientRequest) => Promise<string>;
  /** Reads a part that was just changed. Ignores an error. */
  readNow: (part: 'lists' | 'clients') => Promise<void>;
  /** The next `readState` reads the service again, even if the last read is recent. */
  readAtNextRequest: () => void;
  /** Ends all threads and processes. */
  end: () => Promise<void>;
};

const FILE_IS_REPLACED =
  'The file with the stock on this machine was damaged or removed, so it is created again. Wait a moment.';

const BEFORE_RETRY =
  'A write may be incomplete. Before you try again, review the changes of a list again, or look at the row of the client.';

type Options = {
  /** Reads everything again. */
  fresh?: true | undefined;
  /** With false, nothing stays on this machine. */
  cache?: boolean | undefined;
  /** The largest file to download. */
  maxGigabytes?: number;
};

/** Reads and queries the stock of a deployment, and changes its lists and clients, in threads. */
export const startStockThreads = (
  { deployment, where }: Session,
  { fresh, cache, ...limits }: Options = {},
): StockService => {
  const { file, remove } = chooseStockFile(deployment, cache);
  // Ignores an error, because the next thread that opens the file reports it.
  const onUnusable = () => void replaceFile().catch(() => {});
  const queries = createQueryThreads({ file, onUnusable });
  /** However many pages wait for tables, this thread responds to what all pages ask for every few seconds. */
  const shortQueries = createQueryThreads({ file, onUnusable, maxThreads: 1 });
  const endQueries = () => Promise.all([queries.end(), shortQueries.end()]);
  const processes = createProcesses({ stockFile: file, where, ...limits });
  const openLoader = (isFresh = false) => {
    const loader = startLoader({ file, where, isFresh, onUnusable });
    // A file that replaces this one has the same name, but another inode.
    const inode = loader.opened.then(() => inodeOf(file));
    inode.catch(() => {});
    return { ...loader, inode };
  };
  let loader = openLoader(fresh);
  let replacement: Promise<void> | undefined;
  /** Edits lists and clients. Starts with the first request for them. Keeps the list plans that a person reviews. */
  let editThread: Thread<EditRequest> | undefined;
  let hasEnded = false;

  /** No thread may have the file open while it is removed. */
  const replaceFile = () => {
    replacement ??= (async () => {
      await Promise.all([loader.end(), endQueries()]);
      removeStockFile(file);
      if (!hasEnded) loader = openLoader();
    })().finally(() => {
      replacement = undefined;
    });
    return replacement;
  };

  const requireFile = async () => {
    if (replacement) throw new HTTPException(503, { message: FILE_IS_REPLACED });
    await loader.opened;
  };

  /** An open connection can still read a removed file. So this compares the file itself. */
  const checkFile = async () => {
    if ((await inodeOf(file)) !== (await loader.inode)) await replaceFile();
  };

  const ask = async (request: StockRequest, signal?: AbortSignal) => {
    await requireFile();
    return (isShort(request) ? shortQueries : queries).ask(request, signal);
  };

  const askEditThread = async (request: EditRequest, signal?: AbortSignal) => {
    editThread ??= startThread<EditRequest>('edit-thread.ts', {
      workerData: { where },
      describeEnd: (why) => `The thread that writes changes has ended (${why}). ${BEFORE_RETRY}`,
      onEnd: () => {
        editThread = undefined;
      },
    });
    return editThread.ask(request, signal);
  };

  return {
    ask,
    readState: async () => {
      // A new loader has no failure yet, so this reads the failure of the old loader first.
      const failure = loader.failure();
      if (loader.hasEnded()) loader = openLoader();
      await requireFile();
      await checkFile();
      loader.readIfDue();
      const state: ReturnType<typeof readStockState> = JSON.parse(await ask({ kind: 'state' }));
      return { ...state, ...(failure === undefined ? {} : { failure }) };
    },
    readNow: (part) => loader.readNow(part),
    readAtNextRequest: () => loader.readAtNextRequest(),
    openDownload: async (work, signal) => {
      await requireFile();
      return processes.openDownload(work, signal);
    },
    runQuery: async (work, signal) => {
      await requireFile();
      return processes.runQuery(work, signal);
    },
    planOrWrite: (request, signal) => askEditThread({ ofLists: request }, signal),
    readOrChangeClients: (request) => askEditThread({ ofClients: request }),
    end: async () => {
      hasEnded = true;
      processes.end();
      await Promise.all([loader.end(), endQueries(), editThread?.end()]);
      remove();
    },
  };
};

/** The choices of an earlier moment may need a check of all its findings. */
const isShort = ({ kind, parameters }: StockRequest) =>
  kind === 'state' || (kind === 'choices' && parameters?.['at'] === undefined);

const inodeOf = async (file: string) => (await stat(file).catch(() => undefined))?.ino;
