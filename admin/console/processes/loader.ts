import { openSession } from '../../deployment/session.ts';
import { emptyStock, openStock } from '../../stock/database/open-stock.ts';
import { loadClients } from '../../stock/loading/load-clients.ts';
import { createHistoryLoader } from '../../stock/loading/load-history.ts';
import { loadLists } from '../../stock/loading/load-lists.ts';
import { createLoader } from '../../stock/loading/load-stock.ts';
import { loadTold } from '../../stock/loading/load-told.ts';
import { readProcessData, respondToRequests } from './requests.ts';

/** A load of many batches ends early after this time, so that the next one finds what is new meanwhile. */
const LOADS_FOR_MS = 30_000;

const { file, where } = readProcessData();
const db = openStock(file);
const load = createLoader(db);
const loadHistory = createHistoryLoader(db);
let opened: ReturnType<typeof openSession> | undefined;

const open = async () => {
  opened ??= openSession(where);
  try {
    const session = await opened;
    return { ...session, now: session.deployment.now() };
  } catch (error) {
    opened = undefined;
    throw error;
  }
};

/** The only process that writes the stock. `open` responds when the file can be read. The others read all that is new, back to `since`, or only one part. */
const handlers = {
  open: ({ isFresh }: { isFresh: boolean }) => {
    if (isFresh) emptyStock(db);
  },
  /** Returns whether all was read that is to be read. */
  load: async ({ since }: { since: Date | undefined }) => {
    const startedAt = performance.now();
    const isOver = () => performance.now() - startedAt > LOADS_FOR_MS;
    const { isComplete } = await load(await open(), { since, isOver });
    return isComplete;
  },
  lists: async () => {
    const session = await open();
    await loadLists(db, session);
    await loadHistory(session, true);
  },
  told: async () => loadTold(db, await open()),
  clients: async () => void (await loadClients(db, await open())),
};
export type LoaderHandlers = typeof handlers;

respondToRequests(handlers);
