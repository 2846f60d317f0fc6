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

/** Orders the codes: those of the list first, then by their texts. If a code looks like an earlier code, writes both. The earlier one is its original. */
export const fillLikeness = (db: DatabaseSync) => {
  const codes = rowsOf<{ name: string; isListed: number }>(
    db.prepare(`
      SELECT material AS name, TRUE AS isListed FROM check_listed
      UNION ALL SELECT material, FALSE FROM check_known
      WHERE sender_count > 0 AND material NOT IN (SELECT material FROM check_listed)
      ORDER BY isListed DESC, name`),
  );
  const listed = new Set(codes.flatMap(({ name, isListed }) => (isListed ? [name] : [])));
  db.exec(`
    CREATE TEMP TABLE check_alike (material TEXT PRIMARY KEY, original TEXT, is_only_case INTEGER) WITHOUT ROWID;
    CREATE INDEX temp.check_alike_of ON check_alike (original)`);
  const insert = db.prepare('INSERT INTO check_alike VALUES (?, ?, ?)');
  for (const [name, originals] of findOriginals(codes.map((code) => code.name))) {
    const original = originals.find((candidate) => listed.has(candidate)) ?? originals[0];
    if (original !== undefined) insert.run(name, original, Number(differsOnlyInCase(name, original)));
  }
};
