import type { DatabaseSync } from 'node:sqlite';
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { restoreMarkOf, type Session } from '../../deployment/session.ts';
import { keepFindings } from '../checks/show-findings.ts';
import { forgetExpired } from '../database/keep-batch.ts';
import { readMeta, writeMeta } from '../database/meta.ts';
import { askForAll, changeStock, inTransaction } from '../database/open-stock.ts';
import {
  COMPARED_BATCHES,
  createBatchLoader,
  type NewestBatches,
  READ_AT_A_TIME,
  type UnreadBatch,
} from './load-batches.ts';
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
const askAgainAfterRestore = async (db: DatabaseSync, session: Session, { batches, changes }: Needs) => {
  if (!batches && !changes) return;
  const mark = await restoreMarkOf(session).read();
  if (mark === (readMeta<string>(db, 'restore') ?? '')) return;
  askForAll(db);
  inTransaction(db, () => writeMeta(db, 'restore', mark));
};

/** Time goes back only if the clock was wrong. Then this file may lack batches that have not expired. */
const askAgainAfterWrongClock = (db: DatabaseSync, now: Date) => {
  const loadedAt = readMeta<number>(db, 'loaded_at') ?? 0;
  if (loadedAt - now.getTime() > HOUR_MS) askForAll(db);
  inTransaction(db, () => writeMeta(db, 'loaded_at', now.getTime()));
};

/** Loads what is new in the service. The newest two batches of each warehouse come first, and then all others, the newest first. */
export const createLoader = (db: DatabaseSync) => {
  const newest: NewestBatches = new Map();
  const loadChanges = createChangeLoader(db);

  const load = async (session: Session, options: Options) => {
    const { client, needs = EVERYTHING, onProgress } = options;
    const { batches, lists, changes } = needs;
    const loaded = await loadClients(db, session, client);
    const { clients } = loaded;
    await askAgainAfterRestore(db, session, needs);
    askAgainAfterWrongClock(db, session.now);
    const loader = createBatchLoader(db, session, newest);
    changeStock(db, () => forgetExpired(db, session.now));

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
      if (batches === 'all' && lists && client === undefined) keepFindings(db);
    };

    if (batches) {
      await loader.findNew(clients);
      await loadAll(loader.findUnread(READ_FIRST[batches]));
    }
    if (lists) await loadLists(db, session);
    if (changes) await loadChanges(session, clients);
    check();
    if (batches === 'all' || batches === 'headers') await loader.findOlder(clients);
    if (batches === 'all') await loadAll(loader.findUnread());
    check();
    return loaded;
  };

  return (session: Session, options: Options = {}) => load(session, options);
};
