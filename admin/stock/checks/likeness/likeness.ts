import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../database/rows.ts';
import { findOriginals, ignoreCase } from '../../look-alikes.ts';
import { describeSpelling } from './describe-spelling.ts';

export const differsOnlyInCase = (code: string, original: string) =>
  ignoreCase(code) === ignoreCase(original);

/** A person can see a difference in letter case. For other differences, the text names the code points. */
export const describeLikeness = (code: string, original: string, where: string) =>
  differsOnlyInCase(code, original)
    ? `differs only in letter case from ${original} ${where}`
    : `looks like ${original} ${where}: ${describeSpelling(code, original)}`;

/** Orders the codes: those of the list first, then by id. If a code looks like an earlier code, writes both. The earlier one is its original. */
export const fillLikeness = (db: DatabaseSync) => {
  const codes = rowsOf<{ id: number; name: string; isListed: number }>(
    db.prepare(`
      SELECT id, name, id IN (SELECT material FROM check_listed) AS isListed FROM main.material
      WHERE isListed OR id IN (SELECT material FROM check_known WHERE sender_count > 0)
      ORDER BY isListed DESC, id`),
  );
  const byName = new Map(codes.map((code) => [code.name, code]));
  db.exec(`
    CREATE TEMP TABLE check_alike (material INTEGER PRIMARY KEY, original INTEGER, is_only_case INTEGER);
    CREATE INDEX temp.check_alike_of ON check_alike (original)`);
  const insert = db.prepare('INSERT INTO check_alike VALUES (?, ?, ?)');
  for (const [name, originalNames] of findOriginals(codes.map((code) => code.name))) {
    const originals = originalNames.flatMap((original) => byName.get(original) ?? []);
    const original = originals.find(({ isListed }) => isListed) ?? originals[0];
    const code = byName.get(name);
    if (code && original) insert.run(code.id, original.id, Number(differsOnlyInCase(name, original.name)));
  }
};
