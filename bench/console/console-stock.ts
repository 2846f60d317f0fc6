import { statSync } from 'node:fs';
import { keepFindings } from '../../admin/stock/checks/show-findings.ts';
import { createBatchKeeper } from '../../admin/stock/database/keep-batch.ts';
import { inTransaction, openStock } from '../../admin/stock/database/open-stock.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { allOrders, codeOf, createBatches, nameOf, type Size } from './make-batches.ts';

/** The number of codes, and of orders, that are in batches but in no list. */
const UNLISTED = 20;

const secondsOf = (work: () => void) => {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1_000;
};

/** Makes a stock of batches, with lists and findings, and measures the times of the writes. */
export const makeBenchStock = (file: string, size: Size) => {
  const db = openStock(file);
  const { keepNewer } = createBatchKeeper(db);
  const { all, next, snapshotIdOf } = createBatches(size);

  const write = ({ entries, ...snapshot }: Snapshot) =>
    inTransaction(db, () => {
      const header = { ...snapshot, entryCount: entries.length, parts: 1, damage: null };
      keepNewer(snapshot.client, [{ ...header, entries: [...entries] }]);
    });

  inTransaction(db, () => {
    const insertClient = db.prepare(`INSERT INTO client (name, is_warehouse, known_since) VALUES (?, 1, '')`);
    const insertWord = db.prepare(`INSERT INTO word VALUES ('client', ?1, fold(?1))`);
    for (let warehouse = 0; warehouse < size.warehouses; warehouse += 1) {
      insertClient.run(nameOf(warehouse));
      insertWord.run(nameOf(warehouse));
    }
    const insertRow = db.prepare(`INSERT INTO list_row VALUES (?, ?, '', '{}')`);
    const codes = Array.from({ length: size.balances }, (_, material) => codeOf(material)).slice(UNLISTED);
    for (const code of codes) insertRow.run('MaterialCodes', code);
    for (const order of allOrders.slice(UNLISTED)) insertRow.run('PurchaseOrders', order);
  });
  const writeSeconds = secondsOf(() => {
    for (const batch of all()) write(batch);
  });
  const nextBatchSeconds = secondsOf(() => write(next(0, size.batches)));
  const checkSeconds = secondsOf(() => keepFindings(db));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return { writeSeconds, nextBatchSeconds, checkSeconds, fileMb: statSync(file).size / 1e6, snapshotIdOf };
};
