import type { DatabaseSync } from 'node:sqlite';
import { readMeta, readVersion, writeMeta, writeNextVersion } from '../../database/meta.ts';
import { inTransaction } from '../../database/open-stock.ts';
import { rowsOf } from '../../database/rows.ts';
import { isLateWithoutBatch } from '../../queries/lateness.ts';
import { FINDING_TABLES, showFindings } from './show-findings.ts';

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
