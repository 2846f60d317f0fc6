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
import { COMPARED_BATCHES, createBatchLoader, type NewestBatches } from './load-batches.ts';
import { createChangeLoader } from './load-changes.ts';
import { loadClients } from './load-clients.ts';
import { loadLists } from './load-lists.ts';

type Progress = { done: number; total: number };

/** What a command needs. `newest` batches are the last two of each client, and with `headers` no balances are read. */
export type Needs = { batches?: Batches; lists?: true; changes?: true };
type Batches = 'all' | 'newest' | 'headers';
const EVERYTHING: Needs = { batches: 'all', lists: true, changes: true };
/** The number of each client's batches whose balances are read before anything else. */
const READ_FIRST = { all: COMPARED_BATCHES, newest: COMPARED_BATCHES, headers: 0 };

type Options = {
  /** Only this client, which may be removed. */
  client?: string | undefined;
  needs?: Needs;
  onProgress?: (progress: Progress) => void;
};

/** Reads what is new in the service: the latest batch of each warehouse first, then the earlier ones, the newest first. */
export const createLoader = (stock: Stock) => {
  const newest: NewestBatches = new Map();
  const loadChanges = createChangeLoader(stock);

  const load = async (session: Session, options: Options) => {
    const { client, needs = EVERYTHING, onProgress } = options;
    const found = await loadClients(stock, session, client);
    const { clients } = found;
    const loader = createBatchLoader(stock, session, newest);
    changeStock(stock, () => forgetExpired(stock.db, session.now));

    const loadAll = async (missing: readonly ListedBatch[]) => {
      let done = 0;
      await forEachConcurrently(loader.readAtATime, missing.values(), async (batch, ending) => {
        if (ending.aborted) return;
        await loader.load(batch);
        done += 1;
        onProgress?.({ done, total: missing.length });
      });
    };

    const loadNewest = async (batches: Batches) => {
      await loader.listNewest(clients);
      await loadAll(loader.findMissing(READ_FIRST[batches]));
    };

    const loadOthers = async (batches: Batches) => {
      if (batches === 'newest') return;
      await loader.listOthers(clients);
      if (batches === 'all') await loadAll(loader.findMissing());
    };

    /** A command that reads only a part runs its own checks. */
    const check = () => {
      const isPart = needs.batches !== 'all' || !needs.lists || client !== undefined;
      if (!isPart) keepFindings(stock);
    };

    if (needs.batches) await loadNewest(needs.batches);
    if (needs.lists) await loadLists(stock, session);
    if (needs.changes) await loadChanges(session, clients);
    check();
    if (needs.batches) await loadOthers(needs.batches);
    check();
    return found;
  };

  const loadWithIds = async (session: Session, options: Options): ReturnType<typeof load> => {
    try {
      return await load(session, options);
    } catch (error) {
      forgetKnownIds(stock);
      if (error instanceof NoRoomForId) makeRoomForIds(stock);
      else if (!(error instanceof IdsChanged)) throw error;
      return loadWithIds(session, options);
    }
  };
  return (session: Session, options: Options = {}) => loadWithIds(session, options);
};
