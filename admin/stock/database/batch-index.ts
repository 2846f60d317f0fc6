import type { DatabaseSync } from 'node:sqlite';
import type { SnapshotHeader } from '../../storage/snapshot-items.ts';
import { rowsOf } from './rows.ts';

/** schema.sql says how `instant` differs from the time of receipt. */
export type BatchKey = { client: number; instant: number };
export type UnreadBatch = BatchKey & { snapshotId: string };

/** Writes the table of batches that the service has. Call its functions in a transaction. */
export const createBatchIndex = (db: DatabaseSync) => {
  const find = db.prepare('SELECT 1 FROM batch WHERE client = ? AND snapshot_id = ?');
  // SQLite compares texts by their bytes, as DynamoDB does.
  const findAt = db.prepare(
    'SELECT snapshot_id > ?3 AS isLater FROM batch WHERE client = ?1 AND instant = ?2',
  );
  const updateInstant = db.prepare('UPDATE batch SET instant = ?2 + 1 WHERE client = ?1 AND instant = ?2');
  const updateTimes = ['begun', 'ended', 'superseded'].map((column) =>
    db.prepare(`UPDATE balance SET ${column} = ?2 + 1 WHERE client = ?1 AND ${column} = ?2`),
  );
  const insertBatch = db.prepare(
    `INSERT INTO batch (client, instant, snapshot_id, received_at, request_id, entries, parts, expires_at, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'unread')`,
  );
  const updateDamage = db.prepare(
    `UPDATE batch SET state = 'damaged', damage = ? WHERE client = ? AND snapshot_id = ?`,
  );
  const selectUnread = db.prepare(
    `SELECT client, instant, snapshot_id AS snapshotId FROM (
       SELECT *, row_number() OVER (PARTITION BY client ORDER BY instant DESC) AS age_rank FROM batch
     ) WHERE state = 'unread' AND age_rank <= ? ORDER BY instant DESC`,
  );
  const deleteBatch = db.prepare('DELETE FROM batch WHERE client = ? AND snapshot_id = ?');

  /** Moves a batch, and the batches behind it, by a millisecond. */
  const moveOn = (client: number, instant: number) => {
    if (findAt.get(client, instant + 1, '')) moveOn(client, instant + 1);
    for (const update of [updateInstant, ...updateTimes]) update.run(client, instant);
  };

  /** Batches of one millisecond are in the order of their ids, also if they become visible in another order. */
  const makeRoom = (client: number, from: number, snapshotId: string): number => {
    const [taken] = rowsOf<{ isLater: number }>(findAt, client, from, snapshotId);
    if (taken && !taken.isLater) return makeRoom(client, from + 1, snapshotId);
    if (taken) moveOn(client, from);
    return from;
  };

  return {
    /** Returns false if the table already has the batch. */
    add: (client: number, header: Omit<SnapshotHeader, 'client'>): boolean => {
      const { snapshotId, receivedAt, requestId, entryCount, parts, expiresAt } = header;
      if (find.get(client, snapshotId)) return false;
      const at = receivedAt.getTime();
      const instant = makeRoom(client, at, snapshotId);
      const expiry = expiresAt?.getTime() ?? null;
      insertBatch.run(client, instant, snapshotId, at, requestId, entryCount, parts, expiry);
      return true;
    },
    setDamaged: (client: number, snapshotId: string, message: string) =>
      updateDamage.run(message, client, snapshotId),
    remove: (client: number, snapshotId: string) => deleteBatch.run(client, snapshotId),
    /** Batches whose balances are not read yet, the newest first. Looks only at the newest `perClient` batches of each client. */
    findUnread: (perClient: number) => rowsOf<UnreadBatch>(selectUnread, perClient),
  };
};
