import type { DatabaseSync } from 'node:sqlite';
import { compareBy } from '../../../text/words.ts';
import { inTransaction } from '../../database/open-stock.ts';
import { rowsOf } from '../../database/rows.ts';
import { damagedSnapshot } from '../batches/damaged-snapshot.ts';
import { halvedSnapshot } from '../batches/halved-snapshot.ts';
import { noSnapshot } from '../batches/no-snapshot.ts';
import { zeroSnapshot } from '../batches/zero-snapshot.ts';
import type { Check, Finding } from '../check.ts';
import { type CheckScope, createCheckTables, dropCheckTables } from '../check-tables.ts';
import { powerOfTen } from '../differences/power-of-ten.ts';
import { signFlipped } from '../differences/sign-flipped.ts';
import { unitChanged } from '../differences/unit-changed.ts';
import { kindsBySeverity } from '../kinds.ts';
import { caseDiffers, lookAlike } from '../lists/look-alike.ts';
import { noBalance } from '../lists/no-balance.ts';
import { unlistedCode } from '../lists/unlisted-code.ts';
import { unlistedOrder } from '../lists/unlisted-order.ts';
import { unusedOrder } from '../lists/unused-order.ts';
import { unitOfList } from '../units/unit-of-list.ts';
import { unitOfWarehouses } from '../units/unit-of-warehouses.ts';
import { unitSpelling } from '../units/unit-spelling.ts';

const checks: readonly Check[] = [
  ...[damagedSnapshot, noSnapshot, halvedSnapshot, zeroSnapshot, powerOfTen, signFlipped],
  ...[unitChanged, unitOfWarehouses, unitOfList, unitSpelling],
  ...[lookAlike, caseDiffers, unlistedCode, noBalance, unlistedOrder, unusedOrder],
];

export const FINDING_TABLES = ['finding', 'finding_material'] as const;

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
  createFindingTables(db);
  createCheckTables(db, scope);
  const insert = db.prepare(`
    INSERT INTO temp.finding (kind, severity, client, subject, since, batch, detail, advice, count)
    VALUES (:kind, :severity, :client, :subject, :since, :batch, :detail, :advice, :count)`);
  const insertMaterials = db.prepare(
    'INSERT OR IGNORE INTO temp.finding_material SELECT :id, value FROM json_each(:materials) WHERE value IS NOT NULL',
  );
  for (const [severity, kinds] of Object.entries(kindsBySeverity)) {
    for (const kind of Object.keys(kinds)) {
      const findings = checks.filter((check) => check.kind === kind).flatMap(({ read }) => read(db));
      for (const { materials, ...finding } of findings.sort(inOrder)) {
        const { lastInsertRowid: id } = insert.run({ ...finding, kind, severity });
        if (materials !== null) insertMaterials.run({ id, materials });
      }
    }
  }
  dropCheckTables(db);
};

const bySubject = compareBy(({ subject }: Finding) => subject);
const byClient = compareBy(({ client }: Finding) => client ?? '');
/** A finding that stands for many findings comes last. */
const inOrder = (first: Finding, second: Finding) =>
  Number(first.count > 1) - Number(second.count > 1) || bySubject(first, second) || byClient(first, second);

const createFindingTables = (db: DatabaseSync) => {
  const find = db.prepare('SELECT sql FROM main.sqlite_schema WHERE name = ?');
  for (const table of FINDING_TABLES) {
    const [{ sql } = { sql: '' }] = rowsOf<{ sql: string }>(find, table);
    db.exec(sql.replace('CREATE TABLE', 'CREATE TEMP TABLE'));
  }
};
