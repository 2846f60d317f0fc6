import { type Session, snapshotsOf } from '../../deployment/session.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { DamagedSnapshot, type SnapshotHeader } from '../../storage/snapshot-items.ts';
import { createBatchIndex, type UnreadBatch } from '../database/batch-index.ts';
import { forgetBatches } from '../database/forget-batches.ts';
import { createBatchKeeper } from '../database/keep-batch.ts';
import { changeStock, type Stock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import type { LoadedClient } from './load-clients.ts';

/** Readers see a snapshot only after its last write. So a large snapshot may appear this long after its receipt, when newer snapshots are there already. */
const MAX_WRITE_MS = 120_000;
/** A batch needs some 30 MB while it is read. */
export const READ_AT_A_TIME = 4;

/** The checks compare the two newest batches of each client. */
export const COMPARED_BATCHES = 2;

/** The newest batch of each client. `newestSince` is when it was first seen. `canSkipNewest`: no earlier batch can appear any more. */
export type NewestBatches = Map<number, { receivedAt: number; newestSince: number; canSkipNewest: boolean }>;

export const createBatchLoader = (stock: Stock, session: Session, newest: NewestBatches) => {
  const { db } = stock;
  const index = createBatchIndex(db);
  const writeBalances = createBatchKeeper(db, stock.dictionaries);
  const reader = snapshotsOf(session);
  const findKnownUntil = db.prepare(
    `SELECT ifnull(max(received_at), 0) AS at FROM client LEFT JOIN batch ON batch.client = client.id AND received_at <= ?
     WHERE client.id = ? AND has_all_batches GROUP BY client.id`,
  );
  const findIds = db.prepare('SELECT snapshot_id AS snapshotId FROM batch WHERE client = ?');
  const setHasAllBatches = db.prepare(
    'UPDATE client SET has_all_batches = 1 WHERE id = ? AND NOT has_all_batches',
  );
  const findUnread = db.prepare(
    `SELECT instant FROM batch WHERE client = ? AND snapshot_id = ? AND state = 'unread'`,
  );
  const names = new Map<number, string>();

  const writeHeaders = (
    client: number,
    headers: readonly SnapshotHeader[],
    damages: readonly DamagedSnapshot[],
  ) => {
    for (const header of headers) index.add(client, header);
    for (const { snapshotId, receivedAt, message } of damages) {
      if (index.add(client, { snapshotId, receivedAt, requestId: '', entryCount: 0, parts: 0 }))
        index.setDamaged(client, snapshotId, message);
    }
  };

  const readHeaders = async (
    { id, name }: LoadedClient,
    range: Parameters<typeof reader.listHeaders>[1],
    limit = Number.POSITIVE_INFINITY,
  ) => {
    const headers: SnapshotHeader[] = [];
    const damages: DamagedSnapshot[] = [];
    for await (const header of reader.listHeaders(name, range, (damage) => damages.push(damage))) {
      headers.push(header);
      if (headers.length >= limit) break;
    }
    names.set(id, name);
    return { headers, damages };
  };

  const idsOf = (client: number) =>
    rowsOf<{ snapshotId: string }>(findIds, client).map(({ snapshotId }) => snapshotId);

  /** All batches until this time are in the table `batch`, perhaps unread. Undefined if some may be missing there. Leaves out batches of the future, written by hand. */
  const allKnownUntil = (client: number) =>
    rowsOf<{ at: number }>(findKnownUntil, session.now.getTime(), client)[0]?.at;

  /** Finds all new batches. If older batches of the client may be unknown, finds only the newest two. */
  const findNew = async (client: LoadedClient) => {
    if (allKnownUntil(client.id) !== undefined) return findSince(client);
    const ids = idsOf(client.id);
    const { headers, damages } = await readHeaders(
      client,
      { newestFirst: true, pageSize: COMPARED_BATCHES },
      COMPARED_BATCHES,
    );
    const oldest = headers.length < COMPARED_BATCHES ? undefined : headers.at(-1)?.snapshotId;
    const hasLostBatches = hasLostKnown([...headers, ...damages], ids, oldest);
    changeStock(stock, () => {
      if (hasLostBatches) forgetBatches(db, client.id);
      writeHeaders(client.id, headers, damages);
    });
  };

  const findSince = async (client: LoadedClient): Promise<void> => {
    const now = session.now.getTime();
    const receivedAt = allKnownUntil(client.id) ?? 0;
    const previous = newest.get(client.id);
    const { newestSince, canSkipNewest } =
      previous?.receivedAt === receivedAt ? previous : { newestSince: now, canSkipNewest: false };
    // A query for headers reads whole items: 100 read units for a large batch. So an open console leaves out the newest batch once no earlier batch can appear.
    const since = new Date(canSkipNewest ? receivedAt + 1 : Math.max(0, receivedAt - MAX_WRITE_MS));
    const ids = idsOf(client.id);
    const { headers, damages } = await readHeaders(client, { since });
    if (hasLostKnown([...headers, ...damages], ids, since.toISOString())) {
      changeStock(stock, () => forgetBatches(db, client.id));
      return findSince(client);
    }
    changeStock(stock, () => {
      setHasAllBatches.run(client.id);
      writeHeaders(client.id, headers, damages);
    });
    newest.set(client.id, { receivedAt, newestSince, canSkipNewest: now - newestSince >= MAX_WRITE_MS });
  };

  const load = async ({ client, snapshotId }: UnreadBatch) => {
    const snapshot = await reader.read(names.get(client) ?? '', snapshotId).catch((error: unknown) => {
      if (error instanceof DamagedSnapshot) return error;
      throw error;
    });
    changeStock(stock, () => {
      // Another process may have loaded the batch meanwhile, or moved it to another instant.
      const [unread] = rowsOf<{ instant: number }>(findUnread, client, snapshotId);
      if (!unread) return;
      if (snapshot instanceof DamagedSnapshot) index.setDamaged(client, snapshotId, snapshot.message);
      else if (snapshot) writeBalances({ client, ...unread }, snapshot.entries);
      else index.remove(client, snapshotId);
    });
  };

  return {
    findNew: (clients: readonly LoadedClient[]) => mapConcurrently(clients, findNew),
    /** Finds all batches of the clients of which `findNew` found only two. */
    findOlder: (clients: readonly LoadedClient[]) =>
      mapConcurrently(
        clients.filter(({ id }) => allKnownUntil(id) === undefined),
        findSince,
      ),
    findUnread: (perClient = Number.MAX_SAFE_INTEGER) =>
      index.findUnread(perClient).filter(({ client }) => names.has(client)),
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
