import { FOREVER } from '../../database/balance-rows.ts';
import { nextVersion, readMeta, readVersion } from '../../database/meta.ts';
import { type Stock, writeStock } from '../../database/open-stock.ts';
import { FINDING_TABLES, showFindingsAt } from './show-findings.ts';

/** Writes the findings of the latest stock, unless it has not changed since they were. Returns whether it wrote them. */
export const keepFindings = (stock: Stock): boolean => {
  const { db } = stock;
  const version = readVersion(db);
  if (readMeta<number>(db, 'checked') === version) return false;
  showFindingsAt(db, FOREVER);
  writeStock(stock, () => {
    for (const table of FINDING_TABLES)
      db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM temp.${table}`);
    // What another process brought meanwhile is to be checked, too.
    const isLatest = readVersion(db) === version;
    nextVersion(db);
    db.prepare(`INSERT OR REPLACE INTO meta VALUES ('checked', ?)`).run(isLatest ? readVersion(db) : 0);
  });
  showFindingsAt(db);
  return true;
};
