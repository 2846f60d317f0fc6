import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../database/rows.ts';
import { differInOneDigit, findNearCodes } from './one-edit.ts';

/**
 * For each unlisted code, writes a listed code that differs by one edit, if possible a listed code without a balance. If a warehouse
 * sends two codes that differ in one digit, both are right, as numbers of a series.
 */
export const fillMeantCodes = (db: DatabaseSync) => {
  db.exec('CREATE TEMP TABLE check_meant (material TEXT PRIMARY KEY, meant TEXT) WITHOUT ROWID');
  const unlisted = Map.groupBy(
    rowsOf<{ name: string; client: string }>(
      db.prepare(`
        SELECT material AS name, client FROM check_found WHERE NOT EXISTS (
          SELECT 1 FROM check_alike
          WHERE check_alike.material = check_found.material AND original IN (SELECT material FROM check_listed)
        )`),
    ),
    ({ name }) => name,
  );
  if (unlisted.size === 0) return;
  const listed = rowsOf<{ name: string; isSent: number }>(
    db.prepare(`
      SELECT material AS name, ifnull(sender_count, 0) > 0 AS isSent
      FROM check_listed LEFT JOIN check_known USING (material) ORDER BY material`),
  );
  const sent = new Set(listed.flatMap(({ name, isSent }) => (isSent ? [name] : [])));
  const sends = db.prepare('SELECT 1 FROM check_present WHERE client = ? AND material = ?');
  const insert = db.prepare('INSERT INTO check_meant VALUES (?, ?)');
  const nearCodes = findNearCodes(
    [...unlisted.keys()],
    listed.map(({ name }) => name),
  );
  for (const [name, candidates] of nearCodes) {
    const senders = unlisted.get(name) ?? [];
    const isOfSeries = (near: string) =>
      differInOneDigit(name, near) && senders.some(({ client }) => sends.get(client, near) !== undefined);
    const meant = candidates.find((near) => !sent.has(near)) ?? candidates.find((near) => !isOfSeries(near));
    if (meant !== undefined) insert.run(name, meant);
  }
};
