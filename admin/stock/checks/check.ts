import type { DatabaseSync } from 'node:sqlite';
import { formatCount } from '../../text/words.ts';
import { iterateRows, rowsOf } from '../database/rows.ts';
import { type Kind, kinds } from './kinds.ts';

/** What `detailsSql` selects for each finding. `materials` is an array in JSON. */
type FoundRow = {
  client: string | null;
  subject: string;
  /** Every batch in the stock since this batch shows the finding. */
  since: string | null;
  /** The batch that shows the finding. */
  batch: string | null;
  materials: string | null;
};

type Description = { detail: string; advice: string; since?: string | null };

/** `count` is more than 1 where one row stands for many findings of a kind. */
export type Finding = FoundRow & { detail: string; advice: string; count: number };

export type Check = { kind: Kind; read: (db: DatabaseSync) => Finding[] };

type Definition<TRow> = {
  /** Several checks may find one kind. */
  kind: Kind;
  /** Fills the table `check_found` with `client` and `materials` of each finding, in the order in which people read findings. */
  findingsSql: string;
  /** Fills the tables that `detailsSql` needs, from `check_found`. */
  prepare?: (db: DatabaseSync) => void;
  /** Selects what `describe` needs for each row of `check_found`. */
  detailsSql: string;
  describe: (row: TRow) => Description;
};

/** Of all warehouses together. An empty list of codes may cause a million findings. One finding stands for the rest of a warehouse. */
export const MAX_FINDINGS_OF_KIND = 10_000;

export const defineCheck = <TRow>(check: Definition<TRow>): Check => ({
  kind: check.kind,
  read: (db) => {
    db.exec(`DROP TABLE IF EXISTS temp.check_found; CREATE TEMP TABLE check_found AS ${check.findingsSql}`);
    const others = addUpOthers(db, check.kind);
    check.prepare?.(db);
    const findings: Finding[] = [];
    for (const row of iterateRows<TRow & FoundRow>(db.prepare(check.detailsSql))) {
      const { client, subject, since, batch, materials } = row;
      findings.push({ client, subject, since, batch, materials, count: 1, ...check.describe(row) });
    }
    return [...findings, ...others];
  },
});

type Others = { client: string | null; count: number; materials: string };

/** If there are too many findings, keeps the first findings of each warehouse. Returns one finding for the rest of each warehouse. */
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
    batch: null,
    subject: `${formatCount(rows.count)} more`,
    detail: `${formatCount(rows.count)} more ${kinds[kind]}.`,
    advice: 'There are too many to show each. First correct the shown findings of this kind.',
  }));
  db.exec('DELETE FROM check_found WHERE rowid NOT IN (SELECT id FROM check_kept); DROP TABLE check_kept');
  return others;
};
