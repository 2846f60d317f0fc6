import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../database/rows.ts';
import { differInOneDigit, findNearCodes } from './one-edit.ts';

type UnlistedCode = { name: string; material: number; client: number };
type ListedCode = { name: string; material: number; isSent: number };

/**
 * For each unlisted code, writes a listed code that differs by one edit, if possible a listed code without a balance. If a warehouse
 * sends two codes that differ in one digit, both are right, as numbers of a series.
 */
export const fillMeantCodes = (db: DatabaseSync) => {
  db.exec('CREATE TEMP TABLE check_meant (material INTEGER PRIMARY KEY, meant TEXT)');
  const unlisted = Map.groupBy(
    rowsOf<UnlistedCode>(
      db.prepare(`
        SELECT material.name, materials AS material, client FROM check_found
        JOIN main.material ON material.id = materials
        WHERE NOT EXISTS (SELECT 1 FROM check_alike WHERE check_alike.material = materials AND original IN (SELECT material FROM check_listed))`),
    ),
    ({ name }) => name,
  );
  if (unlisted.size === 0) return;
  const listed = rowsOf<ListedCode>(
    db.prepare(`
      SELECT name, id AS material, ifnull(sender_count, 0) > 0 AS isSent
      FROM check_listed JOIN main.material ON id = check_listed.material
      LEFT JOIN check_known ON check_known.material = id ORDER BY id`),
  );
  const byName = new Map(listed.map((code) => [code.name, code]));
  const sends = db.prepare('SELECT 1 FROM check_of_material WHERE client = ? AND material = ?');
  const insert = db.prepare('INSERT INTO check_meant VALUES (?, ?)');
  for (const [name, candidates] of findNearCodes([...unlisted.keys()], [...byName.keys()])) {
    const senders = unlisted.get(name) ?? [];
    const isOfSeries = (near: ListedCode) =>
      differInOneDigit(name, near.name) &&
      senders.some(({ client }) => sends.get(client, near.material) !== undefined);
    const nearCodes = candidates.flatMap((candidate) => byName.get(candidate) ?? []);
    const meant = nearCodes.find(({ isSent }) => !isSent) ?? nearCodes.find((near) => !isOfSeries(near));
    const [{ material } = {}] = senders;
    if (meant && material !== undefined) insert.run(material, meant.name);
  }
};
