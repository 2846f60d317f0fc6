import type { DatabaseSync } from 'node:sqlite';
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import { HOUR_MS } from '../../../shared/time.ts';
import { type Session, snapshotsOf } from '../../deployment/session.ts';
import type { SnapshotPage } from '../../storage/snapshot-reader.ts';
import { removeBatches } from '../database/forget-batches.ts';
import { createBatchKeeper } from '../database/keep-batch.ts';
import { countResets, readMeta, writeMeta } from '../database/meta.ts';
import { changeStock } from '../database/open-stock.ts';
import { FOREVER, rowsOf } from '../database/rows.ts';
import { untilOf } from '../queries/filter.ts';

/** Readers see a snapshot only after its last write. So a large snapshot may appear this long after its receipt, when newer snapshots are there already. */
const MAX_WRITE_MS = 120_000;
/** What was written before this time is also there for a read that is not consistent. */
const SETTLED_AFTER_MS = 2 * MAX_WRITE_MS;
/** A page of large batches needs some 100 MB while it is read. */
const READ_AT_A_TIME = 4;

/** The checks compare the two newest batches of each client. */
const COMPARED_BATCHES = 2;

/** Somebody may remove the newest batch, or replace the table. */
const LISTS_NEWEST_EVERY_MS = HOUR_MS;

/** The newest batch of each client, when it was first seen, and when it was last listed. */
export type NewestBatches = Map<string, { id: string; newestSince: number; listedAt: number }>;

/** `share` is the part of the wanted time of which all batches are read, of all clients together, from 0 to 1. `batches` were written. */
export type Progress = { share: number; batches: number };

/** All batches from `since` on are read, and further back until two batches at or before `at` are known. */
type Goal = { since: Date; at: Date };

/** Since when the batches of a client are known, apart from those of a gap. */
type KnownSince = { since: string | null } & Gap;

/** `newest` is the last known batch. It is null if none is known, apart from batches of the future, written by hand. */
type Known = KnownSince & { newest: string | null };

/** The batches before a gap: from `olderSince` to `olderUntil`. Those between them and `since` are missing. */
type Gap = { olderSince: string | null; olderUntil: string | null };
const NO_GAP: Gap = { olderSince: null, olderUntil: null };

type Options = {
  clients: readonly string[];
  /** The start of the time that `Progress` is about. */
  wantedSince: Date;
  newestBatches: NewestBatches;
  onProgress?: ((progress: Progress) => void) | undefined;
};

export const createBatchLoader = (db: DatabaseSync, session: Session, options: Options) => {
  const { clients, wantedSince, newestBatches, onProgress } = options;
  const now = session.now.getTime();
  const { keepNewer, keepOlder } = createBatchKeeper(db);
  const { readPages } = snapshotsOf(session);
  const findKnown = db.prepare(`
    SELECT known_since AS since, older_since AS olderSince, older_until AS olderUntil,
      (SELECT max(id) FROM batch WHERE client = name AND id <= ?2) AS newest
    FROM client WHERE name = ?1`);
  const findIds = db.prepare('SELECT id FROM batch WHERE client = ? AND id > ?');
  const setKnown = db.prepare(`
    UPDATE client SET known_since = ?2, older_since = ?3, older_until = ?4
    WHERE name = ?1 AND (known_since, older_since, older_until) IS NOT (?2, ?3, ?4)`);
  const selectUnfinished = db.prepare(`
    SELECT name FROM client WHERE name IN (SELECT value FROM json_each(?1))
    AND (known_since IS NULL OR (known_since <> '' AND (known_since > ?2 OR (
      SELECT count(*) FROM (SELECT 1 FROM batch WHERE client = name AND id <= ?3 LIMIT ${COMPARED_BATCHES})
    ) < ${COMPARED_BATCHES})))
    ORDER BY ifnull(known_since, '${FOREVER}') DESC`);

  const knownOf = (client: string): Known =>
    rowsOf<Known>(findKnown, client, untilOf(session.now.toISOString()))[0] ?? {
      since: null,
      newest: null,
      ...NO_GAP,
    };

  const wantedMs = now - wantedSince.getTime();
  /** The wanted time of which batches are not read: before `since`, in the gap, and after `newest`. */
  const missingMsOf = ({ since, newest, olderSince, olderUntil }: Known) => {
    if (since === null) return wantedMs;
    const first = olderSince ?? since;
    const olderMs = first === '' ? 0 : timeOf(first) - wantedSince.getTime();
    const gapMs = olderUntil === null ? 0 : timeOf(since) - timeOf(olderUntil);
    const newerMs = newest === null ? 0 : now - timeOf(newest);
    return Math.max(0, olderMs) + Math.max(0, gapMs) + Math.max(0, newerMs);
  };
  const missingMs = new Map(clients.map((client) => [client, missingMsOf(knownOf(client))]));
  let batches = 0;
  const readProgress = (): Progress => {
    const missing = missingMs.values().reduce((sum, ms) => sum + ms, 0);
    return {
      share: clients.length === 0 ? 1 : Math.max(0, 1 - missing / (wantedMs * clients.length)),
      batches,
    };
  };

  /** Create it before the page is read. It returns false, and writes nothing, if another process has meanwhile written, or made loads ask for all again. */
  const createWriter = (client: string) => {
    const resets = countResets(db);
    const { since, olderUntil } = knownOf(client);
    /** `known` is what is known with the page. What is newer than `leftAfter` is left to read, if that is given. */
    return (known: KnownSince, write: () => number, leftAfter: string | null = null) => {
      missingMs.set(client, missingMsOf({ ...known, newest: leftAfter }));
      const isWritten = changeStock(db, () => {
        const before = knownOf(client);
        if (countResets(db) !== resets || before.since !== since || before.olderUntil !== olderUntil)
          return false;
        setKnown.run(client, known.since, known.olderSince, known.olderUntil);
        const written = write();
        batches += written;
        if (written > 0) writeMeta(db, 'share', readProgress().share);
        return true;
      });
      onProgress?.(readProgress());
      return isWritten;
    };
  };

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
      since: new Date(canSkip ? timeOf(id) + 1 : Math.max(0, timeOf(id) - MAX_WRITE_MS)),
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
    const range = { since: new Date(timeOf(olderUntil)) };
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
    const isEventual = !isRestored && newest !== null && timeOf(since) < timeOf(newest) - SETTLED_AFTER_MS;
    const page = await firstOf(readPages(client, { newestFirst: true, before: since, isEventual }));
    write({ since: page.last ?? '', ...NO_GAP }, () => keepOlder(client, page.snapshots));
  };

  /** The clients of which the goal is not reached. Of the first one, batches are known least far back. */
  const findUnfinished = ({ since, at }: Goal) => {
    const values = [JSON.stringify(clients), since.toISOString(), untilOf(at.toISOString())];
    return rowsOf<{ name: string }>(selectUnfinished, ...values).map(({ name }) => name);
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

/** The milliseconds of an id or a time, or 0 if it does not begin with a time. */
const timeOf = (id: string) => Date.parse(id.slice(0, 24)) || 0;

const firstOf = async (pages: AsyncIterable<SnapshotPage>): Promise<SnapshotPage> => {
  for await (const page of pages) return page;
  return { snapshots: [], last: undefined };
};
