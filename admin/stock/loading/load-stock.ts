import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { restoreMarkOf, type Session } from '../../deployment/session.ts';
import { keepFindings } from '../checks/show-findings.ts';
import { forgetExpired } from '../database/forget-batches.ts';
import { historyFailure, readMeta, writeMeta } from '../database/meta.ts';
import { askForAll, changeStock, inTransaction } from '../database/open-stock.ts';
import { HORIZON_DAYS } from '../horizon.ts';
import { type Estimate, estimateOlder } from '../queries/estimate-older.ts';
import type { Progress } from './known-batches.ts';
import { createBatchLoader, type NewestBatches } from './load-batches.ts';
import { createChangeLoader } from './load-changes.ts';
import { loadClients } from './load-clients.ts';
import { createHistoryLoader } from './load-history.ts';
import { loadLists } from './load-lists.ts';
import { createRefusalLoader } from './load-refusals.ts';
import { loadTold } from './load-told.ts';

/** What a command needs. `newestTwo` are the newest two batches of each client. The lists come with their history. */
export type Needs = {
  batches?: 'all' | 'newestTwo';
  lists?: true;
  changes?: true;
  history?: true;
  refusals?: true;
};
export const EVERYTHING: Needs = { batches: 'all', lists: true, changes: true, refusals: true };

export type LoadOptions = {
  /** Only this client, which may be removed. */
  client?: string | undefined;
  needs?: Needs | undefined;
  /** Batches are read back to this time, or to the horizon if that is earlier. */
  since?: Date | undefined;
  /** The moment to show: two batches before it are read of each client. */
  at?: Date | undefined;
  onProgress?: (progress: Progress) => void;
  /** Called before batches from before the horizon are read. */
  onOlder?: (estimate: Estimate) => void;
  /** Ends the load early when it returns true. The newest batches are read in any case. */
  isOver?: () => boolean;
};

/** A restore adds older batches and changes. This reads the mark before any record, because the restore may go on meanwhile. */
const askAgainAfterRestore = async (db: DatabaseSync, session: Session, { batches, changes }: Needs) => {
  if (!batches && !changes) return;
  const mark = await restoreMarkOf(session).read();
  if (mark === (readMeta<string>(db, 'restore') ?? '')) return;
  askForAll(db);
  inTransaction(db, () => {
    writeMeta(db, 'restore', mark);
    writeMeta(db, 'restored_at', session.now.getTime());
  });
};

/** Time goes back only if the clock was wrong. Then this file may lack batches that have not expired. */
const askAgainAfterWrongClock = (db: DatabaseSync, now: Date) => {
  const loadedAt = readMeta<number>(db, 'loaded_at') ?? 0;
  if (loadedAt - now.getTime() > HOUR_MS) askForAll(db);
  inTransaction(db, () => writeMeta(db, 'loaded_at', now.getTime()));
};

const NO_CLIENTS: Awaited<ReturnType<typeof loadClients>> = { clients: [], current: [], doctors: [] };

/** Loads what is new in the service. The newest two batches of each warehouse come first, and then older ones, back to the horizon or further. */
export const createLoader = (db: DatabaseSync) => {
  const newestBatches: NewestBatches = new Map();
  const loadChanges = createChangeLoader(db);
  const loadHistory = createHistoryLoader(db);
  const loadRefusals = createRefusalLoader(db);

  const loadListsAndHistory = async (session: Session, { lists, history = lists }: Needs) => {
    if (lists) await loadLists(db, session);
    if (history) await loadHistory(session, lists);
    // Marks are in the table of the history, so what refuses one refuses the other.
    if (lists && !historyFailure(db)) await loadTold(db, session);
  };

  const loadNeededClients = (session: Session, { batches, lists, changes }: Needs, client?: string) =>
    batches || lists || changes ? loadClients(db, session, client) : NO_CLIENTS;

  return async (session: Session, options: LoadOptions = {}) => {
    const { client, needs = EVERYTHING, at = session.now, onProgress, onOlder, isOver } = options;
    const { batches, lists, changes } = needs;
    const loaded = await loadNeededClients(session, needs, client);
    const { clients } = loaded;
    await askAgainAfterRestore(db, session, needs);
    askAgainAfterWrongClock(db, session.now);
    changeStock(db, () => forgetExpired(db, session.now));
    const horizon = new Date(session.now.getTime() - HORIZON_DAYS * DAY_MS);
    const since = new Date(Math.min(horizon.getTime(), at.getTime(), Number(options.since ?? horizon)));
    const batchLoader = createBatchLoader(db, session, {
      clients,
      wantedSince: since,
      newestBatches,
      onProgress,
    });

    /** Reads back to the horizon, and then further if somebody asks for it. Returns whether all of it is read. */
    const readBack = async () => {
      await batchLoader.readBackTo({ since: horizon, at: session.now }, isOver);
      const older = estimateOlder(db, { clients, since, now: session.now });
      if (older) onOlder?.(older);
      const isComplete = await batchLoader.readBackTo({ since, at }, isOver);
      if (isComplete && readMeta(db, 'share') !== 1) inTransaction(db, () => writeMeta(db, 'share', 1));
      return isComplete;
    };

    /** A command that loads only a part of the stock runs its own checks. */
    const check = () => {
      if (batches === 'all' && lists && client === undefined) keepFindings(db);
    };

    if (batches) await batchLoader.readNewest();
    await loadListsAndHistory(session, needs);
    if (changes) await loadChanges(session, clients);
    check();
    // A search of large logs takes long, so the page does not wait for it.
    if (needs.refusals) await loadRefusals(session);
    if (batches) await batchLoader.fillGaps(isOver);
    const isComplete = batches !== 'all' || (await readBack());
    check();
    return { ...loaded, isComplete };
  };
};
