import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from './rows.ts';

/** Removes expired batches and their balances. Call it in a transaction. */
export const forgetExpired = (db: DatabaseSync, now: Date) => {
  const expired = rowsOf<{ client: string; next: string | null; hasOlder: number }>(
    db.prepare(`
      WITH expired AS (SELECT client, min(id) AS first, max(id) AS last FROM batch WHERE expires_at <= ?1 GROUP BY client)
      SELECT client, (
        SELECT min(id) FROM batch WHERE batch.client = expired.client AND id > last AND state = 'loaded'
      ) AS next, EXISTS (
        SELECT 1 FROM batch WHERE batch.client = expired.client AND id < last AND ifnull(expires_at > ?1, TRUE)
      ) AS hasOlder FROM expired`),
    now.toISOString(),
  );
  for (const { client, next, hasOlder } of expired) {
    // After a change of the retention, an older batch may expire later. Then all batches of the client are read again.
    if (hasOlder || next === null) forgetBatches(db, client);
    else forgetBefore(db, client, next);
  }
  db.prepare('DELETE FROM batch WHERE expires_at <= ?').run(now.toISOString());
};

const forgetBefore = (db: DatabaseSync, client: string, next: string) => {
  for (const table of ['past', 'balance']) {
    db.prepare(`DELETE FROM ${table} WHERE client = ? AND ended <= ?`).run(client, next);
    db.prepare(`UPDATE ${table} SET begun = ?2 WHERE client = ?1 AND begun < ?2`).run(client, next);
  }
};

/** Removes all batches of a client. Call it in a transaction. */
export const removeBatches = (db: DatabaseSync, client: string) => {
  for (const table of ['past', 'balance', 'batch'])
    db.prepare(`DELETE FROM ${table} WHERE client = ?`).run(client);
};

/** Removes all batches of a client, and makes the next load read them again. Call it in a transaction. */
export const forgetBatches = (db: DatabaseSync, client: string) => {
  removeBatches(db, client);
  db.prepare(
    `UPDATE client SET known_since = NULL, older_since = NULL, older_until = NULL
     WHERE name = ? AND known_since IS NOT NULL`,
  ).run(client);
};
