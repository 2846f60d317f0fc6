import { stat } from 'node:fs/promises';
import { HTTPException } from 'hono/http-exception';
import type { Session } from '../../deployment/session.ts';
import { chooseStockFile, removeStockFile } from '../../stock/database/stock-file.ts';
import type { StockState } from '../api.ts';
import type { ClientRequest } from '../client-requests.ts';
import { createProcesses } from '../processes/create-processes.ts';
import type { readStockState } from '../queries/read-state.ts';
import type { StockRequest } from '../queries/stock-requests.ts';
import type { ChangeRequest } from './changes-thread.ts';
import type { ListRequest } from './list-changes.ts';
import { createQueryThreads } from './query-threads.ts';
import { startLoader } from './start-loader.ts';
import { startThread, type Thread } from './thread-requests.ts';

/** What the routes need of the stock. */
export type StockService = Pick<ReturnType<typeof createProcesses>, 'write' | 'query'> & {
  /** A response in JSON. */
  ask: (request: StockRequest, signal?: AbortSignal) => Promise<string>;
  /** The state as of now. Reads the service again if that is due. */
  readState: () => Promise<Omit<StockState, 'what' | 'asOf'>>;
  /** Responds in JSON. */
  changeLists: (request: ListRequest, signal: AbortSignal) => Promise<string>;
  changeClients: (request: ClientRequest) => Promise<string>;
  /** Call it after a change of this part. Settles when the part is read. */
  readNow: (part: 'lists' | 'clients') => Promise<void>;
  /** After any change. */
  readAtNextRequest: () => void;
  /** Ends all threads and processes. */
  end: () => Promise<void>;
};

const MADE_ANEW =
  'The file with the stock on this machine was damaged or removed, so it is created again. Wait a moment.';

const LOOK_FIRST =
  'A write may be incomplete. Review the changes of a list again. Of a client, look at its row first.';

type Options = {
  /** Reads everything again. */
  fresh?: true | undefined;
  /** Without it, nothing stays on this machine. */
  cache?: boolean | undefined;
};

/** Reads and queries the stock of a deployment, and changes its lists and clients, in threads. */
export const startStockThreads = (
  { deployment, where }: Session,
  { fresh, cache }: Options = {},
): StockService => {
  const { file, remove } = chooseStockFile(deployment, cache);
  // Ignores an error: the next thread that opens the file tells it.
  const onUnusable = () => void makeAnew().catch(() => {});
  const queries = createQueryThreads({ file, onUnusable });
  const processes = createProcesses({ file, where });
  const openLoader = (isFresh = false) => {
    const loader = startLoader({ file, where, isFresh, onUnusable });
    // The number tells a file from another one of the same name.
    const inode = loader.opened.then(() => inodeOf(file));
    inode.catch(() => {});
    return { ...loader, inode };
  };
  let loader = openLoader(fresh);
  let making: Promise<void> | undefined;
  /** Starts with the first change, and keeps what was reviewed. */
  let changing: Thread<ChangeRequest> | undefined;
  let hasEnded = false;

  /** No thread may have the file open while it is removed. */
  const makeAnew = () => {
    making ??= (async () => {
      await Promise.all([loader.end(), queries.end()]);
      removeStockFile(file);
      if (!hasEnded) loader = openLoader();
    })().finally(() => {
      making = undefined;
    });
    return making;
  };

  const requireFile = async () => {
    if (making) throw new HTTPException(503, { message: MADE_ANEW });
    await loader.opened;
  };

  /** Open connections read a removed file without an error, so this looks at the file itself. */
  const checkFile = async () => {
    if ((await inodeOf(file)) !== (await loader.inode)) await makeAnew();
  };

  const ask = async (request: StockRequest, signal?: AbortSignal) => {
    await requireFile();
    return queries.ask(request, signal);
  };

  const change = async (request: ChangeRequest, signal?: AbortSignal) => {
    changing ??= startThread<ChangeRequest>('changes-thread.ts', {
      workerData: { where },
      describeEnd: (why) => `The thread that writes changes has ended (${why}). ${LOOK_FIRST}`,
      onEnd: () => {
        changing = undefined;
      },
    });
    return changing.ask(request, signal);
  };

  return {
    ask,
    readState: async () => {
      // Also of a thread that has ended.
      const failure = loader.failure();
      if (loader.hasEnded()) loader = openLoader();
      await requireFile();
      await checkFile();
      loader.readIfDue();
      const json = await ask({ kind: 'state' });
      const { version, ...state }: ReturnType<typeof readStockState> = JSON.parse(json);
      return { ...state, version: `${version}`, ...(failure === undefined ? {} : { failure }) };
    },
    readNow: (part) => loader.readNow(part),
    readAtNextRequest: () => loader.readAtNextRequest(),
    write: async (work, signal) => {
      await requireFile();
      return processes.write(work, signal);
    },
    query: async (request, signal) => {
      await requireFile();
      return processes.query(request, signal);
    },
    changeLists: (request, signal) => change({ ofLists: request }, signal),
    changeClients: (request) => change({ ofClients: request }),
    end: async () => {
      hasEnded = true;
      processes.end();
      await Promise.all([loader.end(), queries.end(), changing?.end()]);
      remove();
    },
  };
};

const inodeOf = async (file: string) => (await stat(file).catch(() => undefined))?.ino;
