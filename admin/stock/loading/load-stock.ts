import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import type { Session } from '../../deployment/session.ts';
import { keepFindings } from '../checks/findings/keep-findings.ts';
import type { ListedBatch } from '../database/batch-index.ts';
import { NoRoomForId } from '../database/dictionary.ts';
import { forgetExpired } from '../database/forget-batches.ts';
import {
  changeStock,
  forgetKnownIds,
  IdsChanged,
  makeRoomForIds,
  type Stock,
} from '../database/open-stock.ts';
import { COMPARED_BATCHES, createBatchLoader, type NewestBatches, READ_AT_A_TIME } from './load-batches.ts';
import { createChangeLoader } from './load-changes.ts';
import { loadClients } from './load-clients.ts';
import { loadLists } from './load-lists.ts';

type Progress = { done: number; total: number };

/** What a command needs. `newest` are the last two batches of each client. `headers` are all batches without balances. */
export type Needs = { batches?: BatchesToRead; lists?: true; changes?: true };
type BatchesToRead = 'all' | 'newest' | 'headers';
const EVERYTHING: Needs = { batches: 'all', lists: true, changes: true };
/** How many batches of each client are read before the lists and the changes. */
const READ_FIRST = { all: COMPARED_BATCHES, newest: COMPARED_BATCHES, headers: 0 };

type Options = {
  /** Only this client, which may be removed. */
  client?: string | undefined;
  needs?: Needs;
  onProgress?: (progress: Progress) => void;
};

/** Loads what is new in the service. The latest batches of each warehouse come first, and then the others, from new to old. */
export const createLoader = (stock: Stock) => {
  const newest: NewestBatches = new Map();
  const loadChanges = createChangeLoader(stock);

  const load = async (session: Session, options: Options) => {
    const { client, needs = EVERYTHING, onProgress } = options;
    const loaded = await loadClients(stock, session, client);
    const { clients } = loaded;
    const loader = createBatchLoader(stock, session, newest);
    changeStock(stock, () => forgetExpired(stock.db, session.now));

    const loadAll = async (unread: readonly ListedBatch[]) => {
      let done = 0;
      await forEachConcurrently(READ_AT_A_TIME, unread.values(), async (batch, ending) => {
        if (ending.aborted) return;
        await loader.load(batch);
        done += 1;
        onProgress?.({ done, total: unread.length });
      });
    };

    const loadNewest = async (batches: BatchesToRead) => {
      await loader.listNewest(clients);
      await loadAll(loader.findUnread(READ_FIRST[batches]));
    };

    const loadOthers = async (batches: BatchesToRead) => {
      if (batches === 'newest') return;
      await loader.listOthers(clients);
      if (batches === 'all') await loadAll(loader.findUnread());
    };

    /** A command that reads only a part runs its own checks. */
    const check = () => {
      if (needs.batches === 'all' && needs.lists && client === undefined) keepFindings(stock);
    };

    if (needs.batches) await loadNewest(needs.batches);
    if (needs.lists) await loadLists(stock, session);
    if (needs.changes) await loadChanges(session, clients);
    check();
    if (needs.batches) await loadOthers(needs.batches);
    check();
    return loaded;
  };

  const loadWithRightIds = async (session: Session, options: Options): ReturnType<typeof load> => {
    try {
      return await load(session, options);
    } catch (error) {
      forgetKnownIds(stock);
      if (error instanceof NoRoomForId) makeRoomForIds(stock);
      else if (!(error instanceof IdsChanged)) throw error;
      return loadWithRightIds(session, options);
    }
  };
  return (session: Session, options: Options = {}) => loadWithRightIds(session, options);
};
