import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../database/rows.ts';
import { findOneEdit, isOtherDigit } from './one-edit.ts';

type Found = { name: string; material: number; client: number };
type Listed = { name: string; material: number; isSent: number };

/**
 * Writes the code of the list that differs by one edit from a found code, preferably one without a balance.
 * Skips codes that differ in one digit if a warehouse sends both: they are a series.
 */
export const fillMeantCodes = (db: DatabaseSync) => {
  db.exec(
    'DROP TABLE IF EXISTS temp.check_meant; CREATE TEMP TABLE check_meant (material INTEGER PRIMARY KEY, meant TEXT)',
  );
  const found = Map.groupBy(
    rowsOf<Found>(
      db.prepare(`
        SELECT material.name, materials AS material, client FROM check_found
        JOIN main.material ON material.id = materials
        WHERE NOT EXISTS (SELECT 1 FROM check_alike WHERE check_alike.material = materials AND original IN (SELECT material FROM check_listed))`),
    ),
    ({ name }) => name,
  );
  if (found.size === 0) return;
  const listed = rowsOf<Listed>(
    db.prepare(`
      SELECT name, id AS material, ifnull(senders, 0) > 0 AS isSent
      FROM check_listed JOIN main.material ON id = check_listed.material
      LEFT JOIN check_known ON check_known.material = id ORDER BY id`),
  );
  const byName = new Map(listed.map((code) => [code.name, code]));
  const sends = db.prepare('SELECT 1 FROM check_of_material WHERE client = ? AND material = ?');
  const insert = db.prepare('INSERT INTO check_meant VALUES (?, ?)');
  for (const [name, candidates] of findOneEdit([...found.keys()], [...byName.keys()])) {
    const senders = found.get(name) ?? [];
    const isNeighbour = (other: Listed) =>
      isOtherDigit(name, other.name) &&
      senders.some(({ client }) => sends.get(client, other.material) !== undefined);
    const others = candidates.flatMap((candidate) => byName.get(candidate) ?? []);
    const meant = others.find(({ isSent }) => !isSent) ?? others.find((other) => !isNeighbour(other));
    const [{ material } = {}] = senders;
    if (meant && material !== undefined) insert.run(material, meant.name);
  }
};
