import type { DatabaseSync } from 'node:sqlite';
import { type Session, snapshotsOf } from '../../deployment/session.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { DamagedSnapshot, type SnapshotHeader } from '../../storage/snapshot-items.ts';
import { createBatchKeeper, forgetBatches } from '../database/keep-batch.ts';
import { countAsked } from '../database/meta.ts';
import { changeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';

/** Readers see a snapshot only after its last write. So a large snapshot may appear this long after its receipt, when newer snapshots are there already. */
const MAX_WRITE_MS = 120_000;
/** A batch needs some 30 MB while it is read. */
export const READ_AT_A_TIME = 4;

/** The checks compare the two newest batches of each client. */
export const COMPARED_BATCHES = 2;

/** The newest batch of each client. `newestSince` is when it was first seen. `canSkipNewest`: no earlier batch can appear any more. */
export type NewestBatches = Map<string, { receivedAt: string; newestSince: number; canSkipNewest: boolean }>;

export type UnreadBatch = { client: string; id: string };

/** Batches newer than the loaded ones come in their order, and then older ones, the newest first: so the fewest rows are written twice. */
const SELECT_UNREAD = `
  SELECT client, id FROM (
    SELECT *, row_number() OVER (PARTITION BY client ORDER BY id DESC) AS age_rank,
      max(iif(state = 'loaded', id, '')) OVER (PARTITION BY client) AS newest_loaded FROM batch
  ) WHERE state = 'unread' AND age_rank <= ?
  ORDER BY id > newest_loaded AND newest_loaded <> '' DESC, iif(id > newest_loaded AND newest_loaded <> '', id, NULL), id DESC`;

export const createBatchLoader = (db: DatabaseSync, session: Session, newest: NewestBatches) => {
  const keepBatch = createBatchKeeper(db);
  const reader = snapshotsOf(session);
  const findKnownUntil = db.prepare(
    `SELECT ifnull(max(received_at), '') AS at FROM client LEFT JOIN batch ON batch.client = name AND received_at <= ?
     WHERE name = ? AND has_all_batches GROUP BY name`,
  );
  const findIds = db.prepare('SELECT id FROM batch WHERE client = ?');
  const setHasAllBatches = db.prepare(
    'UPDATE client SET has_all_batches = 1 WHERE name = ? AND NOT has_all_batches',
  );
  const findUnread = db.prepare(`SELECT 1 FROM batch WHERE client = ? AND id = ? AND state = 'unread'`);
  const insert = db.prepare('INSERT OR IGNORE INTO batch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const setDamaged = db.prepare(`UPDATE batch SET state = 'damaged', damage = ? WHERE client = ? AND id = ?`);
  const remove = db.prepare('DELETE FROM batch WHERE client = ? AND id = ?');
  const listed = new Set<string>();

  const writeHeaders = (
    client: string,
    headers: readonly SnapshotHeader[],
    damages: readonly DamagedSnapshot[],
  ) => {
    for (const { snapshotId, receivedAt, requestId, entryCount, parts, expiresAt } of headers) {
      const times = [
        receivedAt.toISOString(),
        requestId,
        entryCount,
        parts,
        expiresAt?.toISOString() ?? null,
      ];
      insert.run(client, snapshotId, ...times, 'unread', null);
    }
    for (const { snapshotId, receivedAt, message } of damages)
      insert.run(client, snapshotId, receivedAt.toISOString(), '', 0, 0, null, 'damaged', message);
  };

  const readHeaders = async (
    client: string,
    range: Parameters<typeof reader.listHeaders>[1],
    limit = Number.POSITIVE_INFINITY,
  ) => {
    const headers: SnapshotHeader[] = [];
    const damages: DamagedSnapshot[] = [];
    for await (const header of reader.listHeaders(client, range, (damage) => damages.push(damage))) {
      headers.push(header);
      if (headers.length >= limit) break;
    }
    listed.add(client);
    return { headers, damages };
  };

  const idsOf = (client: string) => rowsOf<{ id: string }>(findIds, client).map(({ id }) => id);

  /** All batches until this time are in the table `batch`, perhaps unread. Undefined if some may be missing there. Leaves out batches of the future, written by hand. */
  const allKnownUntil = (client: string) =>
    rowsOf<{ at: string }>(findKnownUntil, session.now.toISOString(), client)[0]?.at;

  /** Finds all new batches. If older batches of the client may be unknown, finds only the newest two. */
  const findNew = async (client: string) => {
    if (allKnownUntil(client) !== undefined) return findSince(client);
    const ids = idsOf(client);
    const { headers, damages } = await readHeaders(
      client,
      { newestFirst: true, pageSize: COMPARED_BATCHES },
      COMPARED_BATCHES,
    );
    const oldest = headers.length < COMPARED_BATCHES ? undefined : headers.at(-1)?.snapshotId;
    const hasLostBatches = hasLostKnown([...headers, ...damages], ids, oldest);
    changeStock(db, () => {
      if (hasLostBatches) forgetBatches(db, client);
      writeHeaders(client, headers, damages);
    });
  };

  const findSince = async (client: string): Promise<void> => {
    const now = session.now.getTime();
    const receivedAt = allKnownUntil(client) || new Date(0).toISOString();
    const previous = newest.get(client);
    const { newestSince, canSkipNewest } =
      previous?.receivedAt === receivedAt ? previous : { newestSince: now, canSkipNewest: false };
    // A query for headers reads whole items: 100 read units for a large batch. So an open console leaves out the newest batch once no earlier batch can appear.
    const since = new Date(
      canSkipNewest ? Date.parse(receivedAt) + 1 : Math.max(0, Date.parse(receivedAt) - MAX_WRITE_MS),
    );
    const ids = idsOf(client);
    const asked = countAsked(db);
    const { headers, damages } = await readHeaders(client, { since });
    if (hasLostKnown([...headers, ...damages], ids, since.toISOString())) {
      changeStock(db, () => forgetBatches(db, client));
      return findSince(client);
    }
    changeStock(db, () => {
      // Meanwhile, another process may have made loads ask for all again.
      if (countAsked(db) === asked) setHasAllBatches.run(client);
      writeHeaders(client, headers, damages);
    });
    newest.set(client, { receivedAt, newestSince, canSkipNewest: now - newestSince >= MAX_WRITE_MS });
  };

  /** Batches are written in the order in which their reads began, because a batch between others is slow to write. */
  let lastWrite: Promise<void> = Promise.resolve();

  const read = ({ client, id }: UnreadBatch) =>
    reader.read(client, id).catch((error: unknown) => {
      if (error instanceof DamagedSnapshot) return error;
      throw error;
    });

  const write = ({ client, id }: UnreadBatch, snapshot: Awaited<ReturnType<typeof read>>) =>
    changeStock(db, () => {
      // Another process may have loaded the batch meanwhile.
      if (findUnread.get(client, id) === undefined) return;
      if (snapshot instanceof DamagedSnapshot) setDamaged.run(snapshot.message, client, id);
      else if (snapshot) keepBatch(client, id, snapshot.entries);
      else remove.run(client, id);
    });

  const load = (batch: UnreadBatch) => {
    const reading = read(batch);
    // After an error of an earlier batch, nobody waits for this one.
    reading.catch(() => {});
    lastWrite = lastWrite.then(async () => write(batch, await reading));
    return lastWrite;
  };

  return {
    findNew: (clients: readonly string[]) => mapConcurrently(clients, findNew),
    /** Finds all batches of the clients of which `findNew` found only two. */
    findOlder: (clients: readonly string[]) =>
      mapConcurrently(
        clients.filter((client) => allKnownUntil(client) === undefined),
        findSince,
      ),
    findUnread: (perClient = Number.MAX_SAFE_INTEGER) =>
      rowsOf<UnreadBatch>(db.prepare(SELECT_UNREAD), perClient).filter(({ client }) => listed.has(client)),
    load,
  };
};

/** Whether the service has lost a known batch: the table was replaced, or somebody removed the batch. `fromId` may be a time, because an id begins with its time. */
const hasLostKnown = (
  listed: readonly { snapshotId: string }[],
  known: readonly string[],
  fromId: string | undefined = '',
) => {
  const ids = new Set(listed.map(({ snapshotId }) => snapshotId));
  return known.some((id) => id >= fromId && !ids.has(id));
};
