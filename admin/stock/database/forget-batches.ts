import type { DatabaseSync } from 'node:sqlite';
import { createBalanceRows, FOREVER } from './balance-rows.ts';
import { rowsOf } from './rows.ts';

type Expired = { client: number; instant: number; next: number | null; hasOlder: number };

/** Removes expired batches and their balances. Call it in a transaction. */
export const forgetExpired = (db: DatabaseSync, now: Date) => {
  const expired = rowsOf<Expired>(
    db.prepare(
      `SELECT client, instant, (
         SELECT min(instant) FROM batch next
         WHERE next.client = batch.client AND next.instant > batch.instant AND next.state = 'loaded'
       ) AS next, EXISTS (
         SELECT 1 FROM batch older
         WHERE older.client = batch.client AND older.instant < batch.instant
         AND (older.expires_at IS NULL OR older.expires_at > ?1)
       ) AS hasOlder
       FROM batch WHERE expires_at <= ?1 ORDER BY instant`,
    ),
    now.getTime(),
  );
  const remove = db.prepare('DELETE FROM batch WHERE client = ? AND instant = ?');
  const rowsOfClient = createBalanceRows(db);
  for (const { client, instant, next, hasOlder } of expired) {
    remove.run(client, instant);
    // After a change of the retention, an older batch may expire later than this one. Then all batches of the client are read again.
    if (hasOlder) {
      forgetBatches(db, client);
      continue;
    }
    // A balance that the next batch does not have was known from expired batches only.
    const rows = rowsOfClient(client);
    rows.removeUntil(next ?? FOREVER);
    rows.finish();
  }
};

/** Removes all batches of a client, for example because the table was replaced. Call it in a transaction. */
export const forgetBatches = (db: DatabaseSync, client: number) => {
  const rows = createBalanceRows(db)(client);
  rows.removeUntil(FOREVER);
  rows.finish();
  db.prepare('DELETE FROM batch WHERE client = ?').run(client);
  db.prepare('UPDATE client SET has_all_batches = 0 WHERE id = ?').run(client);
};
