import type { DatabaseSync } from 'node:sqlite';
import { formatCount } from '../../text/words.ts';
import { iterateRows, rowsOf } from '../database/rows.ts';
import { type Kind, kinds } from './kinds.ts';

/** What `wordsSql` selects for each finding. `materials` is an id, or an array of ids in JSON. */
type FoundRow = {
  client: number | null;
  subject: string;
  /** Of the batches that have shown the finding without a break, the earliest one in the stock. */
  since: number | null;
  /** The batch in which it was found. */
  position: number | null;
  materials: string | number | null;
};

type Words = { detail: string; advice: string; since?: number | null };

/** `count` is more than 1 where one row stands for many findings of a kind. */
export type Finding = FoundRow & { detail: string; advice: string; count: number };

export type Check = { kind: Kind; read: (db: DatabaseSync) => Finding[] };

type Definition<TRow> = {
  kind: Kind;
  /** Fills the table `check_found` with `client` and `materials` of each finding, in the order in which people read findings. */
  findingsSql: string;
  /** Fills the tables that `wordsSql` needs, from `check_found`. */
  prepare?: (db: DatabaseSync) => void;
  /** Selects what `toWords` needs for each row of `check_found`. */
  wordsSql: string;
  toWords: (row: TRow) => Words;
};

/** For all warehouses together. Each warehouse gets one finding for its others. An empty list of codes may cause a million. */
export const MAX_FINDINGS_OF_KIND = 10_000;

export const defineCheck = <TRow>(check: Definition<TRow>): Check => ({
  kind: check.kind,
  read: (db) => {
    db.exec(`DROP TABLE IF EXISTS temp.check_found; CREATE TEMP TABLE check_found AS ${check.findingsSql}`);
    const others = addUpOthers(db, check.kind);
    check.prepare?.(db);
    const findings: Finding[] = [];
    for (const row of iterateRows<TRow & FoundRow>(db.prepare(check.wordsSql))) {
      const { client, subject, since, position, materials } = row;
      findings.push({ client, subject, since, position, materials, count: 1, ...check.toWords(row) });
    }
    return [...findings, ...others];
  },
});

type Others = { client: number | null; count: number; materials: string };

/** Removes the last findings of warehouses from `check_found` if there are too many. Returns one finding for those of a warehouse. */
const addUpOthers = (db: DatabaseSync, kind: Kind): Finding[] => {
  const [{ count: total } = { count: 0 }] = rowsOf<{ count: number }>(
    db.prepare('SELECT count(*) AS count FROM check_found'),
  );
  if (total <= MAX_FINDINGS_OF_KIND) return [];
  db.exec(`
    CREATE TEMP TABLE check_kept AS SELECT id FROM (
      SELECT rowid AS id, row_number() OVER (PARTITION BY client ORDER BY rowid) AS turn FROM check_found
    ) ORDER BY turn, id LIMIT ${MAX_FINDINGS_OF_KIND}`);
  const others = rowsOf<Others>(
    db.prepare(`
      SELECT client, count(DISTINCT check_found.rowid) AS count, json_group_array(DISTINCT json_each.value) AS materials
      FROM check_found LEFT JOIN json_each(check_found.materials)
      WHERE check_found.rowid NOT IN (SELECT id FROM check_kept) GROUP BY client ORDER BY client`),
  ).map((rows) => ({
    ...rows,
    since: null,
    position: null,
    subject: `${formatCount(rows.count)} more`,
    detail: `${formatCount(rows.count)} more ${kinds[kind]}.`,
    advice: 'There are too many to show each. First correct those of this kind that are shown.',
  }));
  db.exec('DELETE FROM check_found WHERE rowid NOT IN (SELECT id FROM check_kept); DROP TABLE check_kept');
  return others;
};
