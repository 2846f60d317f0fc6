import type { DatabaseSync } from 'node:sqlite';
import type { SnapshotHeader } from '../../storage/snapshot-items.ts';
import { rowsOf } from './rows.ts';

export type BatchKey = { client: number; position: number };
export type ListedBatch = BatchKey & { snapshotId: string };

/** Writes which batches the service has. Call it in a transaction. */
export const createBatchIndex = (db: DatabaseSync) => {
  const find = db.prepare('SELECT 1 FROM batch WHERE client = ? AND snapshot_id = ?');
  const isTaken = db.prepare('SELECT 1 FROM batch WHERE client = ? AND position = ?');
  const insert = db.prepare(
    `INSERT INTO batch (client, position, snapshot_id, received_at, request_id, entries, parts, expires_at, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'unread')`,
  );
  const setDamaged = db.prepare(
    `UPDATE batch SET state = 'damaged', damage = ? WHERE client = ? AND snapshot_id = ?`,
  );
  const findUnread = db.prepare(
    `SELECT client, position, snapshot_id AS snapshotId FROM (
       SELECT *, row_number() OVER (PARTITION BY client ORDER BY position DESC) AS place FROM batch
     ) WHERE state = 'unread' AND place <= ? ORDER BY position DESC`,
  );
  const remove = db.prepare('DELETE FROM batch WHERE client = ? AND snapshot_id = ?');

  const freePosition = (client: number, from: number) => {
    let position = from;
    while (isTaken.get(client, position)) position += 1;
    return position;
  };

  return {
    /** Returns whether the batch is new. */
    add: (client: number, header: Omit<SnapshotHeader, 'client'>): boolean => {
      const { snapshotId, receivedAt, requestId, entryCount, parts, expiresAt } = header;
      if (find.get(client, snapshotId)) return false;
      const at = receivedAt.getTime();
      const position = freePosition(client, at);
      const expiry = expiresAt?.getTime() ?? null;
      insert.run(client, position, snapshotId, at, requestId, entryCount, parts, expiry);
      return true;
    },
    setDamaged: (client: number, snapshotId: string, message: string) =>
      setDamaged.run(message, client, snapshotId),
    remove: (client: number, snapshotId: string) => remove.run(client, snapshotId),
    /** Batches whose balances are not read yet, the newest first. Looks only at the newest `perClient` batches of each client. */
    findUnread: (perClient: number) => rowsOf<ListedBatch>(findUnread, perClient),
  };
};
