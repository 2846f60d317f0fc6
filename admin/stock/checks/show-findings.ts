import type { DatabaseSync } from 'node:sqlite';
import { readMeta, readVersion, writeMeta, writeNextVersion } from '../database/meta.ts';
import { inTransaction } from '../database/open-stock.ts';
import { rowsOf } from '../database/rows.ts';
import { isLate } from '../queries/columns.ts';
import { untilOf } from '../queries/filter.ts';
import { type CheckScope, createCheckTables, dropCheckTables } from './check-tables.ts';
import { kinds } from './kinds.ts';
import { type Check, displayNameOf, type Kind, SCOPE, scopeOfList } from './parts/define-kind.ts';

/** Of all warehouses together. An empty list of codes may cause a million findings. One finding stands for the rest of a warehouse. */
export const MAX_FINDINGS_OF_KIND = 10_000;

/** Checks the stock, and makes the table `finding` of this connection show these findings. A connection that only reads is enough. */
export const showFindingsOf = (db: DatabaseSync, scope: CheckScope) => {
  showKeptFindings(db);
  // All checks read the same state, also while another process writes.
  inTransaction(db, () => fillFindings(db, scope), 'BEGIN');
};

/** Makes the table `finding` of this connection show the findings of the latest stock again, which `keepFindings` wrote. */
export const showKeptFindings = (db: DatabaseSync) => db.exec('DROP TABLE IF EXISTS temp.finding');

const COLUMNS = 'kind, severity, scope, client, subject, since, batch, data, count, materials';

const fillFindings = (db: DatabaseSync, scope: CheckScope) => {
  createCheckTables(db, scope);
  db.exec(`CREATE TEMP TABLE check_result (place, ${COLUMNS})`);
  for (const [place, kind] of kinds.entries())
    for (const check of kind.checks) runCheck(db, check, kind, place);
  // People read findings in this order. A finding that stands for others comes last.
  db.exec(`
    CREATE TEMP TABLE finding AS
      SELECT row_number() OVER (ORDER BY place, data ->> 'others' IS NOT NULL, subject, client) AS id, ${COLUMNS} FROM check_result`);
  dropCheckTables(db);
};

const runCheck = (db: DatabaseSync, check: Check, { kind, severity, list }: Kind, place: number) => {
  const { found, prepare, joins = '', since = 'NULL', batch = 'latest.id', data } = check;
  const { scope = list ? scopeOfList(list) : SCOPE } = check;
  // If there are too many, the first findings of each warehouse are kept, and one finding stands for the rest of each warehouse.
  db.exec(`
    DROP TABLE IF EXISTS temp.check_all;
    DROP VIEW IF EXISTS temp.check_found;
    CREATE TEMP TABLE check_all AS
      SELECT *, row_number() OVER (ORDER BY turn, subject, client) > ${MAX_FINDINGS_OF_KIND} AS is_left_out FROM (
        SELECT *, row_number() OVER (PARTITION BY client ORDER BY subject) AS turn, ${scope} AS scope FROM (${found}) AS found
      );
    CREATE TEMP VIEW check_found AS SELECT * FROM check_all WHERE NOT is_left_out`);
  prepare?.(db);
  const values = Object.entries({ client: displayNameOf('found.client'), subject: 'found.subject', ...data });
  const object = values.map(([name, sql]) => `'${name}', ${sql}`).join(', ');
  const insert = (select: string) =>
    db
      .prepare(`INSERT INTO check_result (place, ${COLUMNS}) SELECT ?, ?, ?, ${select}`)
      .run(place, kind, severity);
  insert(`
    found.scope, found.client, found.subject, ${since}, ${batch}, json_object(${object}), 1, found.materials
    FROM check_found AS found LEFT JOIN check_latest AS latest ON latest.client = found.client ${joins}`);
  insert(`
    scope, client, '', NULL, NULL, json_object('client', client, 'subject', '', 'others', others), others, materials FROM (
      SELECT scope, client, count(DISTINCT check_all.rowid) AS others, json_group_array(DISTINCT material.value) AS materials
      FROM check_all LEFT JOIN json_each(materials) AS material WHERE is_left_out GROUP BY scope, client
    )`);
};

const LATEST: CheckScope = {};

/** Writes the findings of the latest stock if the stock has changed since the last check. Returns whether it wrote findings. */
export const keepFindings = (db: DatabaseSync): boolean => {
  const version = readVersion(db);
  const late = countLate(db);
  if (readMeta(db, 'checked') === version && readMeta(db, 'late') === late) return false;
  showFindingsOf(db, LATEST);
  inTransaction(db, () => {
    db.exec('DELETE FROM main.finding; INSERT INTO main.finding SELECT * FROM temp.finding');
    // If another process has written meanwhile, the next call checks again.
    const isLatest = readVersion(db) === version;
    writeNextVersion(db);
    writeMeta(db, 'checked', isLatest ? readVersion(db) : 0);
    writeMeta(db, 'late', late);
  });
  showKeptFindings(db);
  return true;
};

/** A warehouse becomes late as time passes. This is a new finding, although the stock stays the same. */
const countLate = (db: DatabaseSync) => {
  const now = new Date();
  const findLate = db.prepare(`
    SELECT 1 FROM (
      SELECT item, (SELECT max(id) FROM batch WHERE batch.client = name AND id <= ?) AS last FROM client WHERE is_warehouse
    ) WHERE ${isLate('last', '?')}`);
  return rowsOf(findLate, untilOf(now.toISOString()), now.getTime()).length;
};
