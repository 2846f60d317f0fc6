import type { DatabaseSync } from 'node:sqlite';
import { formatCount } from '../../text/words.ts';
import { iterateRows, rowsOf } from '../database/rows.ts';
import { type Kind, kinds } from './kinds.ts';

/** What a check reads of each finding. `materials` are ids: one, or an array in JSON. */
type FoundRow = {
  client: number | null;
  subject: string;
  /** The first batch that showed it, without interruption, as far as the stock goes. */
  since: number | null;
  /** The batch that shows it. */
  position: number | null;
  materials: string | number | null;
};

type Words = { detail: string; advice: string; since?: number | null };

/** `count` is more than 1 where one row stands for many findings of a kind. */
export type Finding = FoundRow & { detail: string; advice: string; count: number };

export type Check = { kind: Kind; read: (db: DatabaseSync) => Finding[] };

type Definition<TRow> = {
  kind: Kind;
  /** Selects a row for each finding, with `client` and `materials`, in the order in which people read them. */
  found: string;
  /** Fills the tables that `shown` needs, from the rows `check_found`. */
  prepare?: (db: DatabaseSync) => void;
  /** Selects what the words need for each row of `check_found`. */
  shown: string;
  toWords: (row: TRow) => Words;
};

/** At most this many findings of a kind have a row each. With an empty list, there may be a million. */
export const MAX_TOLD = 10_000;

export const defineCheck = <TRow>({ kind, found, prepare, shown, toWords }: Definition<TRow>): Check => ({
  kind,
  read: (db) => {
    db.exec(`DROP TABLE IF EXISTS temp.check_found; CREATE TEMP TABLE check_found AS ${found}`);
    const others = takeOthers(db, kind);
    prepare?.(db);
    const findings: Finding[] = [];
    for (const row of iterateRows<TRow & FoundRow>(db.prepare(shown))) {
      const { client, subject, since, position, materials } = row;
      findings.push({ client, subject, since, position, materials, count: 1, ...toWords(row) });
    }
    return [...findings, ...others];
  },
});

type Others = { client: number | null; count: number; materials: string };

/** Keeps the first ones of each warehouse. The others become one finding of the warehouse. */
const takeOthers = (db: DatabaseSync, kind: Kind): Finding[] => {
  const [{ count: total } = { count: 0 }] = rowsOf<{ count: number }>(
    db.prepare('SELECT count(*) AS count FROM check_found'),
  );
  if (total <= MAX_TOLD) return [];
  db.exec(`
    CREATE TEMP TABLE check_told AS SELECT id FROM (
      SELECT rowid AS id, row_number() OVER (PARTITION BY client ORDER BY rowid) AS place FROM check_found
    ) ORDER BY place, id LIMIT ${MAX_TOLD}`);
  const others = rowsOf<Others>(
    db.prepare(`
      SELECT client, count(DISTINCT check_found.rowid) AS count, json_group_array(DISTINCT json_each.value) AS materials
      FROM check_found LEFT JOIN json_each(check_found.materials)
      WHERE check_found.rowid NOT IN (SELECT id FROM check_told) GROUP BY client ORDER BY client`),
  ).map(({ client, count, materials }) => ({
    ...{ client, materials, count, since: null, position: null },
    subject: `${formatCount(count)} more`,
    detail: `${formatCount(count)} more ${kinds[kind]}.`,
    advice: 'There are too many to show each. Correct the ones shown of this kind first.',
  }));
  db.exec('DELETE FROM check_found WHERE rowid NOT IN (SELECT id FROM check_told); DROP TABLE check_told');
  return others;
};
