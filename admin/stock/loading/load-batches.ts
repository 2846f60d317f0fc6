import { type Session, snapshotsOf } from '../../deployment/session.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { DamagedSnapshot, type SnapshotHeader } from '../../storage/snapshot-reader.ts';
import { forgetBatches } from '../database/forget-batches.ts';
import { createBatchKeeper } from '../database/keep-batch.ts';
import { createBatchIndex, type ListedBatch } from '../database/list-batches.ts';
import { type Stock, writeStock } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import type { LoadedClient } from './load-clients.ts';

/** A snapshot becomes visible with its last write, so a large one may appear after a newer one. */
const LATEST_WRITE_MS = 120_000;
/** Each needs some 30 MB while it is read. */
const READ_AT_A_TIME = 4;

/** A comparison needs the two latest batches of each client. */
export const COMPARED_BATCHES = 2;

type Known = { settledAt: number; newestAt: number | null };

/** `verified`: the clients whose newest batch was found in the service, since this process started. */
export const createBatchLoader = (stock: Stock, session: Session, verified: Set<number>) => {
  const { db } = stock;
  const index = createBatchIndex(db);
  const keep = createBatchKeeper(db, stock.dictionaries);
  const reader = snapshotsOf(session);
  const findKnown = db.prepare(
    `SELECT settled_at AS settledAt, (SELECT max(received_at) FROM batch WHERE batch.client = client.id) AS newestAt
     FROM client WHERE id = ?`,
  );
  const findIds = db.prepare('SELECT snapshot_id AS snapshotId FROM batch WHERE client = ?');
  const settle = db.prepare('UPDATE client SET settled_at = ? WHERE id = ?');
  const findState = db.prepare('SELECT state FROM batch WHERE client = ? AND position = ?');
  const names = new Map<number, string>();

  const write = (client: number, headers: readonly SnapshotHeader[], damages: readonly DamagedSnapshot[]) => {
    const added = headers.filter((header) => index.add(client, header));
    for (const { snapshotId, message } of damages) {
      const receivedAt = new Date(Date.parse(snapshotId.slice(0, 24)) || 0);
      const unknown = { requestId: '', entryCount: 0, parts: 0 };
      if (index.add(client, { snapshotId, receivedAt, ...unknown }))
        index.setDamaged(client, snapshotId, message);
    }
    return added.length + damages.length;
  };

  const readHeaders = async (
    { id, name }: LoadedClient,
    range: Parameters<typeof reader.listHeaders>[1],
    most = Number.POSITIVE_INFINITY,
  ) => {
    const headers: SnapshotHeader[] = [];
    const damages: DamagedSnapshot[] = [];
    for await (const header of reader.listHeaders(name, range, (damage) => damages.push(damage))) {
      headers.push(header);
      if (headers.length >= most) break;
    }
    names.set(id, name);
    return { headers, damages };
  };

  const idsOf = (client: number) =>
    rowsOf<{ snapshotId: string }>(findIds, client).map(({ snapshotId }) => snapshotId);

  /** Lists the new batches. For a client that the file does not know, lists only two. */
  const listNewest = async (client: LoadedClient) => {
    const [known] = rowsOf<Known>(findKnown, client.id);
    if (known?.settledAt) return listNew(client);
    const ids = idsOf(client.id);
    const { headers, damages } = await readHeaders(
      client,
      { newestFirst: true, pageSize: COMPARED_BATCHES },
      COMPARED_BATCHES,
    );
    const oldest = headers.length < COMPARED_BATCHES ? undefined : headers.at(-1)?.snapshotId;
    const areGone = lacksSome([...headers, ...damages], ids, oldest);
    return writeStock(stock, () => {
      if (areGone) forgetBatches(db, client.id);
      return write(client.id, headers, damages);
    });
  };

  const listNew = async (client: LoadedClient): Promise<number> => {
    const [known] = rowsOf<Known>(findKnown, client.id);
    const isVerified = verified.has(client.id);
    const { settledAt = 0, newestAt = null } = known ?? {};
    const since = new Date(isVerified ? settledAt : Math.min(settledAt, newestAt ?? settledAt));
    const ids = idsOf(client.id);
    const { headers, damages } = await readHeaders(client, { since });
    if (!isVerified && lacksSome([...headers, ...damages], ids, since.toISOString())) {
      writeStock(stock, () => forgetBatches(db, client.id));
      return 1 + (await listNew(client));
    }
    verified.add(client.id);
    return writeStock(stock, () => {
      settle.run(session.now.getTime() - LATEST_WRITE_MS, client.id);
      return write(client.id, headers, damages);
    });
  };

  const load = async ({ client, position, snapshotId }: ListedBatch) => {
    const damages: DamagedSnapshot[] = [];
    const snapshot = await reader.read(names.get(client) ?? '', snapshotId).catch((error: unknown) => {
      if (!(error instanceof DamagedSnapshot)) throw error;
      damages.push(error);
    });
    writeStock(stock, () => {
      const [{ state } = {}] = rowsOf<{ state?: string }>(findState, client, position);
      // Another process may have read it meanwhile.
      if (state !== 'listed') return;
      for (const { message } of damages) index.setDamaged(client, snapshotId, message);
      if (snapshot) keep({ client, position }, snapshot.entries);
      else if (damages.length === 0) index.remove(client, snapshotId);
    });
  };

  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  return {
    listNewest: async (clients: readonly LoadedClient[]) => sum(await mapConcurrently(clients, listNewest)),
    /** Lists the rest for those clients. */
    listOthers: async (clients: readonly LoadedClient[]) =>
      sum(
        await mapConcurrently(
          clients.filter(({ id }) => !verified.has(id)),
          listNew,
        ),
      ),
    /** Batches to read, the newest first: all, or those among the newest of each client. */
    findMissing: (newest = Number.MAX_SAFE_INTEGER) =>
      index.findMissing(newest).filter(({ client }) => names.has(client)),
    load,
    readAtATime: READ_AT_A_TIME,
  };
};

/** Whether known batches are gone from the service: its table was replaced, or somebody removed them. */
const lacksSome = (
  listed: readonly { snapshotId: string }[],
  known: readonly string[],
  since: string | undefined = '',
) => {
  const ids = new Set(listed.map(({ snapshotId }) => snapshotId));
  return known.some((id) => id >= since && !ids.has(id));
};
