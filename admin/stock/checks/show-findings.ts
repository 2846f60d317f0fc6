import type { DatabaseSync } from 'node:sqlite';
import { isLateWithoutBatch } from '../database/lateness.ts';
import { readMeta, readVersion, writeMeta, writeNextVersion } from '../database/meta.ts';
import { inTransaction } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import { type CheckScope, createCheckTables, dropCheckTables } from './check-tables.ts';
import { kinds } from './kinds.ts';
import type { Check } from './parts/define-kind.ts';

/** Of all warehouses together. An empty list of codes may cause a million findings. One finding stands for the rest of a warehouse. */
export const MAX_FINDINGS_OF_KIND = 10_000;

const FINDING_TABLES = ['finding', 'finding_material'] as const;

/**
 * Checks the stock, and makes the table `finding` of this connection show these findings. Without a scope, the table shows the kept
 * findings again. A connection that only reads is enough.
 */
export const showFindings = (db: DatabaseSync, scope?: CheckScope) => {
  for (const table of FINDING_TABLES) db.exec(`DROP TABLE IF EXISTS temp.${table}`);
  // All checks read the same state, also while another process writes.
  if (scope) inTransaction(db, () => fillFindings(db, scope), 'BEGIN');
};

const fillFindings = (db: DatabaseSync, scope: CheckScope) => {
  const find = db.prepare('SELECT sql FROM main.sqlite_schema WHERE name = ?');
  for (const table of FINDING_TABLES) {
    const [{ sql } = { sql: '' }] = rowsOf<{ sql: string }>(find, table);
    db.exec(sql.replace('CREATE TABLE', 'CREATE TEMP TABLE'));
  }
  createCheckTables(db, scope);
  db.exec(
    'CREATE TEMP TABLE check_result (place, count, kind, severity, client, subject, materials, since, batch, data)',
  );
  for (const [place, { kind, severity, checks }] of kinds.entries())
    for (const check of checks) runCheck(db, check, [place, kind, severity]);
  // People read findings in this order. A finding that stands for many findings comes last.
  db.exec(`
    CREATE TEMP TABLE check_sorted AS
      SELECT row_number() OVER (ORDER BY place, count > 1, subject, client) AS id, * FROM check_result;
    INSERT INTO temp.finding
      SELECT id, kind, severity, client, subject, since, batch, data, count FROM check_sorted;
    INSERT OR IGNORE INTO temp.finding_material
      SELECT check_sorted.id, value FROM check_sorted JOIN json_each(materials) WHERE value IS NOT NULL`);
  dropCheckTables(db);
};

type OfKind = [place: number, kind: string, severity: string];

const runCheck = (db: DatabaseSync, check: Check, ofKind: OfKind) => {
  const { found, prepare, joins = '', since = 'NULL', batch = 'latest.id', data } = check;
  db.exec(`DROP TABLE IF EXISTS temp.check_found; CREATE TEMP TABLE check_found AS ${found}`);
  addUpOthers(db, ofKind);
  prepare?.(db);
  const values = Object.entries({ client: 'found.client', subject: 'found.subject', ...data });
  const object = values.map(([name, sql]) => `'${name}', ${sql}`).join(', ');
  db.prepare(`
    INSERT INTO check_result (place, count, kind, severity, client, subject, materials, since, batch, data)
    SELECT ?, 1, ?, ?, found.client, found.subject, found.materials, ${since}, ${batch}, json_object(${object})
    FROM check_found AS found LEFT JOIN check_latest AS latest ON latest.client = found.client ${joins}`).run(
    ...ofKind,
  );
};

/** If there are too many findings, keeps the first findings of each warehouse, and adds one finding for the rest of each warehouse. */
const addUpOthers = (db: DatabaseSync, ofKind: OfKind) => {
  const [{ count } = { count: 0 }] = rowsOf<{ count: number }>(
    db.prepare('SELECT count(*) AS count FROM check_found'),
  );
  if (count <= MAX_FINDINGS_OF_KIND) return;
  db.exec(`
    CREATE TEMP TABLE check_kept AS SELECT id FROM (
      SELECT rowid AS id, subject, client, row_number() OVER (PARTITION BY client ORDER BY subject) AS turn FROM check_found
    ) ORDER BY turn, subject, client LIMIT ${MAX_FINDINGS_OF_KIND}`);
  db.prepare(`
    INSERT INTO check_result (place, kind, severity, count, client, subject, materials, data)
    SELECT ?, ?, ?, others, client, '', materials, json_object('client', client, 'subject', '', 'others', others) FROM (
      SELECT client, count(DISTINCT check_found.rowid) AS others, json_group_array(DISTINCT json_each.value) AS materials
      FROM check_found LEFT JOIN json_each(check_found.materials)
      WHERE check_found.rowid NOT IN (SELECT id FROM check_kept) GROUP BY client
    )`).run(...ofKind);
  db.exec('DELETE FROM check_found WHERE rowid NOT IN (SELECT id FROM check_kept); DROP TABLE check_kept');
};

/** Writes the findings of the latest stock if the stock has changed since the last check. Returns whether it wrote findings. */
export const keepFindings = (db: DatabaseSync): boolean => {
  const version = readVersion(db);
  const lateCount = countLateWithoutBatch(db);
  if (readMeta<string>(db, 'checked') === `${version} ${lateCount}`) return false;
  // Checks the latest stock.
  showFindings(db, {});
  inTransaction(db, () => {
    for (const table of FINDING_TABLES)
      db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM temp.${table}`);
    // If another process has written meanwhile, the next call checks again.
    const isLatest = readVersion(db) === version;
    writeNextVersion(db);
    const checked = isLatest ? `${readVersion(db)} ${lateCount}` : '';
    writeMeta(db, 'checked', checked);
  });
  // Shows the kept findings again.
  showFindings(db);
  return true;
};

/** A warehouse that has never sent a batch becomes late as time passes. This is a new finding, although the stock stays the same. */
const countLateWithoutBatch = (db: DatabaseSync) => {
  const findLate = db.prepare(`SELECT 1 FROM client WHERE is_warehouse AND ${isLateWithoutBatch('?')}
    AND NOT EXISTS (SELECT 1 FROM batch WHERE batch.client = client.name)`);
  return rowsOf(findLate, Date.now()).length;
};
