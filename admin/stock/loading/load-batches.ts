import type { DatabaseSync } from 'node:sqlite';
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { type Session, snapshotsOf } from '../../deployment/session.ts';
import type { SnapshotPage } from '../../storage/snapshot-reader.ts';
import { removeBatches } from '../database/forget-batches.ts';
import { createBatchKeeper } from '../database/keep-batch.ts';
import { readMeta } from '../database/meta.ts';
import { FOREVER, rowsOf } from '../database/rows.ts';
import {
  COMPARED_BATCHES,
  createKnownBatches,
  type Goal,
  type Known,
  type KnownOptions,
  msOf,
  NO_GAP,
} from './known-batches.ts';

/** Readers see a snapshot only after its last write. So a large snapshot may appear this long after its receipt, when newer snapshots are there already. */
const MAX_WRITE_MS = 120_000;
/** What was written before this time is also there for a read that is not consistent. */
const SETTLED_AFTER_MS = 2 * MAX_WRITE_MS;
/** A page of large batches needs some 100 MB while it is read. */
const READ_AT_A_TIME = 4;

/** Somebody may remove the newest batch, or replace the table. */
const LISTS_NEWEST_EVERY_MS = HOUR_MS;

/** The newest batch of each client, when it was first seen, and when it was last listed. */
export type NewestBatches = Map<string, { id: string; newestSince: number; listedAt: number }>;

type Options = KnownOptions & { newestBatches: NewestBatches };

export const createBatchLoader = (db: DatabaseSync, session: Session, options: Options) => {
  const { clients, newestBatches } = options;
  const { knownOf, createWriter, findUnfinished } = createKnownBatches(db, session, options);
  const now = session.now.getTime();
  const { keepNewer, keepOlder } = createBatchKeeper(db);
  const { readPages } = snapshotsOf(session);
  const findIds = db.prepare('SELECT id FROM batch WHERE client = ? AND id > ?');

  /** Forgets what was known of a client, and reads its newest batches. */
  const startOver = async (client: string) => {
    const write = createWriter(client);
    const page = await firstOf(readPages(client, { newestFirst: true, pageSize: COMPARED_BATCHES }));
    write({ since: page.last ?? '', ...NO_GAP }, () => {
      removeBatches(db, client);
      return keepNewer(client, page.snapshots.toReversed());
    });
  };

  /**
   * Where a query finds all that is new. A query reads whole items: 100 read units for a large batch. So an open console leaves out the
   * newest batch once no earlier batch can appear. Call `remember` after the query.
   */
  const startAt = (client: string, id: string) => {
    const previous = newestBatches.get(client);
    const { newestSince, listedAt } = previous?.id === id ? previous : { newestSince: now, listedAt: 0 };
    const canSkip =
      listedAt - newestSince >= MAX_WRITE_MS && Math.abs(now - listedAt) < LISTS_NEWEST_EVERY_MS;
    return {
      canSkip,
      since: new Date(canSkip ? msOf(id) + 1 : Math.max(0, msOf(id) - MAX_WRITE_MS)),
      remember: () => newestBatches.set(client, { id, newestSince, listedAt: canSkip ? listedAt : now }),
    };
  };

  /** Reads the newest batches, because more have come than a page has. Those after `until` and before them are a gap. */
  const skipToNewest = async (client: string, until: string) => {
    const write = createWriter(client);
    const page = await firstOf(readPages(client, { newestFirst: true, pageSize: COMPARED_BATCHES }));
    const known = knownOf(client);
    const since = page.last ?? '';
    // Without `since`, all batches of the client are asked for again.
    if (known.since === null) return;
    const gap = { olderSince: known.olderSince ?? known.since, olderUntil: known.olderUntil ?? until };
    write({ since, ...gap }, () => keepNewer(client, page.snapshots.toReversed()));
  };

  /** Reads a page of the gap. The oldest batches come first, because rows are appended in the order of batches. */
  const readGap = async (client: string) => {
    const { since, olderSince, olderUntil } = knownOf(client);
    if (since === null || olderUntil === null) return;
    const write = createWriter(client);
    const range = { since: new Date(msOf(olderUntil)) };
    const { snapshots, last = FOREVER } = await firstOf(readPages(client, range));
    // The ids do not begin with times, so the next page would be the same.
    if (last <= olderUntil) return startOver(client);
    const known = last >= since ? { since: olderSince, ...NO_GAP } : { since, olderSince, olderUntil: last };
    write(known, () => keepNewer(client, snapshots));
  };

  /**
   * Reads the first page of what is newer than the known batches, and then the newest. Returns false if the service has lost a known batch:
   * the table was replaced, or somebody removed the batch.
   */
  const readNewer = async (client: string, known: Known, newestId: string): Promise<boolean> => {
    const { canSkip, since, remember } = startAt(client, newestId);
    const left = rowsOf<{ id: string }>(findIds, client, since.toISOString());
    const write = createWriter(client);
    const { snapshots, last } = await firstOf(readPages(client, { since }));
    if (canSkip && snapshots.length > 0) {
      // This query did not show whether the service still has the known batches.
      newestBatches.delete(client);
      return readNewer(client, known, newestId);
    }
    const ids = new Set(snapshots.map(({ snapshotId }) => snapshotId));
    if (left.some(({ id }) => !ids.has(id) && id <= (last ?? FOREVER))) return false;
    const isWritten = write(known, () => keepNewer(client, snapshots), last);
    if (isWritten && last !== undefined) await skipToNewest(client, last);
    remember();
    return true;
  };

  const catchUp = async (client: string) => {
    const known = knownOf(client);
    const { since, newest } = known;
    if (since === null || newest === null || !(await readNewer(client, known, newest)))
      await startOver(client);
  };

  /** Reads the page before the known batches. */
  const readOlder = async (client: string) => {
    const { since, newest, olderUntil } = knownOf(client);
    if (since === null) return startOver(client);
    if (olderUntil !== null) return readGap(client);
    const write = createWriter(client);
    // A restore has just written older batches.
    const isRestored = now - (readMeta<number>(db, 'restored_at') ?? 0) < SETTLED_AFTER_MS;
    const isEventual = !isRestored && newest !== null && msOf(since) < msOf(newest) - SETTLED_AFTER_MS;
    const page = await firstOf(readPages(client, { newestFirst: true, before: since, isEventual }));
    write({ since: page.last ?? '', ...NO_GAP }, () => keepOlder(client, page.snapshots));
  };

  /** Reads older batches until the goal is reached, or until `isOver`. Returns whether it is reached. */
  const readBackTo = async (goal: Goal, isOver = () => false) => {
    const reading = new Set<string>();
    // Takes the clients in turn, so that the stock of all warehouses goes back evenly. A generator would end for all workers when one finds no client.
    const queue: IterableIterator<string, undefined> = {
      next: () => {
        const client = isOver() ? undefined : findUnfinished(goal).find((name) => !reading.has(name));
        if (client === undefined) return { done: true, value: undefined };
        reading.add(client);
        return { value: client };
      },
      [Symbol.iterator]: () => queue,
    };
    await forEachConcurrently(READ_AT_A_TIME, queue, async (client, signal) => {
      // After an error, no client is read again.
      if (signal.aborted) return;
      await readOlder(client);
      reading.delete(client);
    });
    return findUnfinished(goal).length === 0;
  };

  return {
    /** Reads all that is new. Of a client without known batches, reads the newest two. */
    readNewest: async () => {
      await forEachConcurrently(READ_AT_A_TIME, clients.values(), catchUp);
      await readBackTo({ since: session.now, at: session.now });
    },

    /** Reads the batches of all gaps, or some of them until `isOver`. */
    fillGaps: (isOver = () => false) =>
      forEachConcurrently(READ_AT_A_TIME, clients.values(), async (client, signal) => {
        while (knownOf(client).olderUntil !== null && !isOver() && !signal.aborted) await readGap(client);
      }),

    readBackTo,
  };
};

const firstOf = async (pages: AsyncIterable<SnapshotPage>): Promise<SnapshotPage> => {
  for await (const page of pages) return page;
  return { snapshots: [], last: undefined };
};
