import type { DatabaseSync } from 'node:sqlite';
import { compareBy } from '../../../text/words.ts';
import { rowsOf } from '../../database/rows.ts';
import { damagedSnapshot } from '../batches/damaged-snapshot.ts';
import { halvedSnapshot } from '../batches/halved-snapshot.ts';
import { noSnapshot } from '../batches/no-snapshot.ts';
import { zeroSnapshot } from '../batches/zero-snapshot.ts';
import { powerOfTen } from '../changes/power-of-ten.ts';
import { signFlipped } from '../changes/sign-flipped.ts';
import type { Check, Finding } from '../check.ts';
import { type Compared, dropCompared, prepareCompared } from '../compared.ts';
import { type Kind, kinds, severityOf } from '../kinds.ts';
import { caseDiffers, lookAlike } from '../lists/look-alike.ts';
import { noBalance } from '../lists/no-balance.ts';
import { unlistedCode } from '../lists/unlisted-code.ts';
import { unlistedOrder } from '../lists/unlisted-order.ts';
import { unusedOrder } from '../lists/unused-order.ts';
import { oddUnit } from '../units/odd-unit.ts';
import { unitChanged } from '../units/unit-changed.ts';
import { unitOfList } from '../units/unit-of-list.ts';
import { unitOfWarehouses } from '../units/unit-of-warehouses.ts';

const checks: readonly Check[] = [
  ...[damagedSnapshot, noSnapshot, halvedSnapshot, zeroSnapshot, powerOfTen, signFlipped],
  ...[unitChanged, unitOfWarehouses, unitOfList, oddUnit],
  ...[lookAlike, caseDiffers, unlistedCode, noBalance, unlistedOrder, unusedOrder],
];

export const FINDING_TABLES = ['finding', 'finding_material'] as const;

/**
 * Makes `finding` those of a moment, of one warehouse, or of both, on this connection, which may be one for reading.
 * Without any, they are those of the latest stock again.
 */
export const showFindingsAt = (db: DatabaseSync, at?: number, client?: string) => {
  for (const table of FINDING_TABLES) db.exec(`DROP TABLE IF EXISTS temp.${table}`);
  if (at !== undefined || client !== undefined) inOneTransaction(db, () => fillFindings(db, { at, client }));
};

/** All checks read the same state, also while another process writes. */
const inOneTransaction = (db: DatabaseSync, work: () => void) => {
  if (db.isTransaction) return work();
  db.exec('BEGIN');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

const fillFindings = (db: DatabaseSync, compared: Compared) => {
  createTables(db);
  prepareCompared(db, compared);
  const insert = db.prepare(`
    INSERT INTO temp.finding (kind, severity, client, subject, since, position, detail, advice, count)
    VALUES (:kind, :severity, :client, :subject, :since, :position, :detail, :advice, :count)`);
  const insertMaterials = db.prepare(
    'INSERT INTO temp.finding_material SELECT :id, value FROM json_each(:materials) WHERE value IS NOT NULL',
  );
  for (const kind of kindsInOrder) {
    const ofKind = checks.filter((check) => check.kind === kind).flatMap(({ read }) => read(db));
    for (const { materials, ...finding } of ofKind.sort(inOrder)) {
      const { lastInsertRowid: id } = insert.run({ ...finding, kind, severity: severityOf(kind) });
      if (materials !== null) insertMaterials.run({ id, materials });
    }
  }
  dropCompared(db);
};

const isKind = (name: string): name is Kind => name in kinds;
const kindsInOrder = Object.keys(kinds).filter(isKind);

const bySubject = compareBy(({ subject }: Finding) => subject);
/** By subject. Ids of clients are in the order of their names. Rows that stand for many findings come last. */
const inOrder = (one: Finding, other: Finding) =>
  Number(one.count > 1) - Number(other.count > 1) ||
  bySubject(one, other) ||
  (one.client ?? 0) - (other.client ?? 0);

/** Like the tables of the file. */
const createTables = (db: DatabaseSync) => {
  const find = db.prepare('SELECT sql FROM main.sqlite_schema WHERE name = ?');
  for (const table of FINDING_TABLES) {
    const [{ sql } = { sql: '' }] = rowsOf<{ sql: string }>(find, table);
    db.exec(sql.replace('CREATE TABLE', 'CREATE TEMP TABLE'));
  }
};
