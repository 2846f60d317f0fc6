import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { restoreMarkOf, type Session } from '../../deployment/session.ts';
import { keepFindings } from '../checks/show-findings.ts';
import { forgetExpired } from '../database/forget-batches.ts';
import { readMeta, writeMeta } from '../database/meta.ts';
import { askForAll, changeStock, inTransaction } from '../database/open-stock.ts';
import { HORIZON_DAYS } from '../horizon.ts';
import { type Estimate, estimateOlder } from '../queries/estimate-older.ts';
import { createBatchLoader, type Goal, type NewestBatches, type Progress } from './load-batches.ts';
import { createChangeLoader } from './load-changes.ts';
import { loadClients } from './load-clients.ts';
import { loadLists } from './load-lists.ts';

/** What a command needs. `newestTwo` are the newest two batches of each client. */
export type Needs = { batches?: 'all' | 'newestTwo'; lists?: true; changes?: true };
export const EVERYTHING: Needs = { batches: 'all', lists: true, changes: true };

type LoadOptions = {
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

/** Loads what is new in the service. The newest two batches of each warehouse come first, and then older ones, back to the horizon or further. */
export const createLoader = (db: DatabaseSync) => {
  const newest: NewestBatches = new Map();
  const loadChanges = createChangeLoader(db);

  return async (session: Session, options: LoadOptions = {}) => {
    const { client, needs = EVERYTHING, onProgress } = options;
    const { batches, lists, changes } = needs;
    const loaded = await loadClients(db, session, client);
    const { clients } = loaded;
    await askAgainAfterRestore(db, session, needs);
    askAgainAfterWrongClock(db, session.now);
    changeStock(db, () => forgetExpired(db, session.now));
    const goals = goalsOf(session.now, options);
    const wantedSince = goals.further.since;
    const loader = createBatchLoader(db, session, { clients, wantedSince, newest, onProgress });

    /** A command that loads only a part of the stock runs its own checks. */
    const check = () => {
      if (batches === 'all' && lists && client === undefined) keepFindings(db);
    };

    if (batches) await loader.readNewest();
    if (lists) await loadLists(db, session);
    if (changes) await loadChanges(session, clients);
    check();
    if (batches) await loader.fillGaps(options.isOver);
    const estimate = () => estimateOlder(db, { clients, since: wantedSince, now: session.now });
    const isComplete = batches !== 'all' || (await readBack(loader, goals, options, estimate));
    if (batches === 'all' && isComplete) writeShare(db);
    check();
    return { ...loaded, isComplete };
  };
};

/** Reads back to the horizon, and then further if somebody asks for it. Returns whether all of it is read. */
const readBack = async (
  { readBackTo }: ReturnType<typeof createBatchLoader>,
  { usual, further }: ReturnType<typeof goalsOf>,
  { onOlder, isOver }: LoadOptions,
  estimate: () => Estimate | undefined,
) => {
  await readBackTo(usual, isOver);
  const older = estimate();
  if (older) onOlder?.(older);
  return readBackTo(further, isOver);
};

const writeShare = (db: DatabaseSync) => {
  if (readMeta(db, 'share') !== 1) inTransaction(db, () => writeMeta(db, 'share', 1));
};

/** How far back a load reads in any case, and how far it reads in the end. */
const goalsOf = (now: Date, { since, at = now }: LoadOptions): Record<'usual' | 'further', Goal> => {
  const horizon = new Date(now.getTime() - HORIZON_DAYS * DAY_MS);
  const earliest = Math.min(horizon.getTime(), at.getTime(), Number(since ?? horizon));
  return { usual: { since: horizon, at: now }, further: { since: new Date(earliest), at } };
};
