import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../database/rows.ts';
import { findOriginals } from '../../look-alikes.ts';
import { charactersOf, differentMiddle, differsOnlyInCase } from './describe-spelling.ts';

const selectNames = (db: DatabaseSync, sql: string) =>
  rowsOf<{ name: string }>(db.prepare(sql)).map(({ name }) => name);

/** Orders the codes: those of the list first, then by their texts. If a code looks like an earlier code, writes both. The earlier one is its original. */
export const fillLikeness = (db: DatabaseSync) => {
  const listed = selectNames(db, 'SELECT material AS name FROM check_listed ORDER BY name');
  const unlisted = selectNames(
    db,
    `SELECT material AS name FROM check_known
    WHERE sender_count > 0 AND material NOT IN (SELECT material FROM check_listed) ORDER BY name`,
  );
  db.exec(`
    CREATE TEMP TABLE check_alike (material TEXT PRIMARY KEY, original TEXT, is_only_case INTEGER) WITHOUT ROWID;
    CREATE INDEX temp.check_alike_of ON check_alike (original)`);
  const insert = db.prepare('INSERT INTO check_alike VALUES (?, ?, ?)');
  for (const [name, original] of findOriginals(listed, unlisted))
    insert.run(name, original, Number(differsOnlyInCase(name, original)));
};

/**
 * For each unlisted code, writes a listed code that differs by one edit, if possible a listed code without a balance. If a warehouse
 * sends two codes that differ in one digit, both are right, as numbers of a series.
 */
export const fillMeantCodes = (db: DatabaseSync) => {
  db.exec('CREATE TEMP TABLE check_near (material TEXT, near TEXT, is_one_digit INTEGER)');
  const insert = db.prepare('INSERT INTO check_near VALUES (?, ?, ?)');
  const listed = selectNames(db, 'SELECT material AS name FROM check_listed');
  const unlisted = selectNames(
    db,
    `SELECT DISTINCT subject AS name FROM check_found WHERE subject NOT IN (
      SELECT material FROM check_alike WHERE original IN (SELECT material FROM check_listed)
    )`,
  );
  for (const { code, near } of findNearCodes(unlisted, listed))
    insert.run(code, near, Number(differInOneDigit(code, near)));
  db.exec(`
    CREATE TEMP TABLE check_meant AS
      -- A code without a balance comes first. SQLite takes \`near\` from the row with the minimum.
      SELECT material, near AS meant, min(is_sent || near) FROM (
        SELECT *, near IN (SELECT material FROM check_present) AS is_sent FROM check_near
      ) AS found WHERE NOT (is_sent AND is_one_digit AND EXISTS (
        SELECT 1 FROM check_present AS b JOIN check_present AS other USING (client)
        WHERE b.material = found.material AND other.material = found.near
      )) GROUP BY material;
    CREATE INDEX temp.check_meant_of ON check_meant (material)`);
};

/** Longer codes are left out, because a code has as many shorter forms as characters. */
const LONGEST = 40;

/**
 * The codes of `others` that differ from one of `codes` by one edit: a character added, removed or replaced, or two neighbours swapped.
 * If each of two such codes loses at most one character, the same text can be left. So an index of these shorter texts finds the pairs.
 */
export const findNearCodes = (codes: readonly string[], others: readonly string[]) => {
  const forms = codes.flatMap((code) => [...shorterForms(code)].map((form) => ({ form, code })));
  const index = Map.groupBy(forms, ({ form }) => form);
  return others.flatMap((near) => {
    const alike = [...shorterForms(near)].flatMap((form) => index.get(form) ?? []);
    return [...new Set(alike.map(({ code }) => code))]
      .filter((code) => isOneEdit(code, near))
      .map((code) => ({ code, near }));
  });
};

/** The code, and each text that is left when the code loses one character. */
const shorterForms = (code: string): Set<string> => {
  const characters = charactersOf(code);
  if (characters.length > LONGEST) return new Set();
  return new Set([code, ...characters.map((_, index) => characters.toSpliced(index, 1).join(''))]);
};

const middleOf = (code: string, other: string) => differentMiddle(charactersOf(code), charactersOf(other));
const lengthOf = (text: string) => charactersOf(text).length;

const isOneEdit = (code: string, other: string) => {
  const { here, there } = middleOf(code, other);
  if (lengthOf(here) <= 1 && lengthOf(there) <= 1) return true;
  return here.length === 2 && here === [...there].reverse().join('');
};

/** Whether only digits differ, or one letter. Then both codes may be right, as two of a series. */
export const mayBeSeries = (code: string, other: string) => {
  const { here, there } = middleOf(code, other);
  return [/^\d*$/, /^\p{L}$/u].some((signs) => signs.test(here) && signs.test(there));
};

/** Whether only one digit differs. Then both codes may be right, as numbers of a series. */
const differInOneDigit = (code: string, other: string) => {
  const { here, there } = middleOf(code, other);
  return /^\d$/.test(here) && /^\d$/.test(there);
};
