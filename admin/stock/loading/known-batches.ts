import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '../../deployment/session.ts';
import { countResets, writeMeta } from '../database/meta.ts';
import { changeStock } from '../database/open-stock.ts';
import { FOREVER, rowsOf } from '../database/rows.ts';
import { untilOf } from '../queries/filter.ts';

/** The checks compare the two newest batches of each client. */
export const COMPARED_BATCHES = 2;

/** `share` is the part of the wanted time of which all batches are read, of all clients together, from 0 to 1. `batches` were written. */
export type Progress = { share: number; batches: number };

/** All batches from `since` on are read, and further back until two batches at or before `at` are known. */
export type Goal = { since: Date; at: Date };

/**
 * What the table `client` says of the batches of a client:
 *
 *     olderSince ═══ olderUntil   (the gap)   since ═══ newest
 *
 * Without a gap, there is only the second part. All batches of both parts are known.
 */
type KnownSince = { since: string | null } & Gap;

/** `newest` is the last known batch. It is null if none is known, apart from batches of the future, written by hand. */
export type Known = KnownSince & { newest: string | null };

type Gap = { olderSince: string | null; olderUntil: string | null };
export const NO_GAP: Gap = { olderSince: null, olderUntil: null };

export type KnownOptions = {
  clients: readonly string[];
  /** The start of the time that `Progress` is about. */
  wantedSince: Date;
  onProgress?: ((progress: Progress) => void) | undefined;
};

/** Remembers in the file which batches of each client are known, and how much is missing. */
export const createKnownBatches = (
  db: DatabaseSync,
  session: Session,
  { clients, wantedSince, onProgress }: KnownOptions,
) => {
  const now = session.now.getTime();
  const findKnown = db.prepare(`
    SELECT known_since AS since, older_since AS olderSince, older_until AS olderUntil,
      (SELECT max(id) FROM batch WHERE client = name AND id <= ?2) AS newest
    FROM client WHERE name = ?1`);
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
    const olderMs = first === '' ? 0 : msOf(first) - wantedSince.getTime();
    const gapMs = olderUntil === null ? 0 : msOf(since) - msOf(olderUntil);
    const newerMs = newest === null ? 0 : now - msOf(newest);
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

  /** The clients of which the goal is not reached. Of the first one, batches are known least far back. */
  const findUnfinished = ({ since, at }: Goal) => {
    const values = [JSON.stringify(clients), since.toISOString(), untilOf(at.toISOString())];
    return rowsOf<{ name: string }>(selectUnfinished, ...values).map(({ name }) => name);
  };

  return { knownOf, createWriter, findUnfinished };
};

/** The milliseconds of an id or a time, or 0 if it does not begin with a time. */
export const msOf = (id: string) => Date.parse(id.slice(0, 24)) || 0;
