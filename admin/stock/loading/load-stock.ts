import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { restoreMarkOf, type Session } from '../../deployment/session.ts';
import { keepFindings } from '../checks/findings/keep-findings.ts';
import type { UnreadBatch } from '../database/batch-index.ts';
import { NoRoomForId } from '../database/dictionary.ts';
import { forgetExpired } from '../database/forget-batches.ts';
import { readMeta, writeMeta } from '../database/meta.ts';
import {
  askForAll,
  changeStock,
  forgetKnownIds,
  IdsChanged,
  inStockTransaction,
  type Stock,
  spreadStockIds,
} from '../database/open-stock.ts';
import { COMPARED_BATCHES, createBatchLoader, type NewestBatches, READ_AT_A_TIME } from './load-batches.ts';
import { createChangeLoader } from './load-changes.ts';
import { loadClients } from './load-clients.ts';
import { loadLists } from './load-lists.ts';

/** What a command needs. `newestTwo` are the newest two batches of each client. `headers` are all batches, without their balances. */
export type Needs = { batches?: 'all' | 'newestTwo' | 'headers'; lists?: true; changes?: true };
const EVERYTHING: Needs = { batches: 'all', lists: true, changes: true };
/** How many batches of each client are read before the lists and the changes. */
const READ_FIRST = { all: COMPARED_BATCHES, newestTwo: COMPARED_BATCHES, headers: 0 };

type Options = {
  /** Only this client, which may be removed. */
  client?: string | undefined;
  needs?: Needs;
  onProgress?: (progress: { done: number; total: number }) => void;
};

/** A restore adds older batches and changes. This reads the mark before any record, because the restore may go on meanwhile. */
const askAgainAfterRestore = async (stock: Stock, session: Session, { batches, changes }: Needs) => {
  if (!batches && !changes) return;
  const mark = await restoreMarkOf(session).read();
  if (mark === (readMeta<string>(stock.db, 'restore') ?? '')) return;
  askForAll(stock);
  inStockTransaction(stock, () => writeMeta(stock.db, 'restore', mark));
};

/** Time goes back only if the clock was wrong. Then this file may lack batches that have not expired. */
const askAgainAfterWrongClock = (stock: Stock, now: Date) => {
  const loadedAt = readMeta<number>(stock.db, 'loaded_at') ?? 0;
  if (loadedAt - now.getTime() > HOUR_MS) askForAll(stock);
  inStockTransaction(stock, () => writeMeta(stock.db, 'loaded_at', now.getTime()));
};

/** Loads what is new in the service. The newest two batches of each warehouse come first, and then all others, the newest first. */
export const createLoader = (stock: Stock) => {
  const newest: NewestBatches = new Map();
  const loadChanges = createChangeLoader(stock);

  const load = async (session: Session, options: Options) => {
    const { client, needs = EVERYTHING, onProgress } = options;
    const { batches, lists, changes } = needs;
    const loaded = await loadClients(stock, session, client);
    const { clients } = loaded;
    await askAgainAfterRestore(stock, session, needs);
    askAgainAfterWrongClock(stock, session.now);
    const loader = createBatchLoader(stock, session, newest);
    changeStock(stock, () => forgetExpired(stock.db, session.now));

    const loadAll = async (unread: readonly UnreadBatch[]) => {
      let done = 0;
      await forEachConcurrently(READ_AT_A_TIME, unread.values(), async (batch, signal) => {
        if (signal.aborted) return;
        await loader.load(batch);
        done += 1;
        onProgress?.({ done, total: unread.length });
      });
    };

    /** A command that loads only a part of the stock runs its own checks. */
    const check = () => {
      if (batches === 'all' && lists && client === undefined) keepFindings(stock);
    };

    if (batches) {
      await loader.findNew(clients);
      await loadAll(loader.findUnread(READ_FIRST[batches]));
    }
    if (lists) await loadLists(stock, session);
    if (changes) await loadChanges(session, clients);
    check();
    if (batches === 'all' || batches === 'headers') await loader.findOlder(clients);
    if (batches === 'all') await loadAll(loader.findUnread());
    check();
    return loaded;
  };

  const loadWithRightIds = async (session: Session, options: Options): ReturnType<typeof load> => {
    try {
      return await load(session, options);
    } catch (error) {
      forgetKnownIds(stock);
      if (error instanceof NoRoomForId) spreadStockIds(stock);
      else if (!(error instanceof IdsChanged)) throw error;
      return loadWithRightIds(session, options);
    }
  };
  return (session: Session, options: Options = {}) => loadWithRightIds(session, options);
};
