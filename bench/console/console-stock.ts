import { statSync } from 'node:fs';
import { keepFindings } from '../../admin/stock/checks/findings/keep-findings.ts';
import { createBatchIndex } from '../../admin/stock/database/batch-index.ts';
import { NoRoomForId, sortKeyOf } from '../../admin/stock/database/dictionary.ts';
import { createBatchKeeper } from '../../admin/stock/database/keep-batch.ts';
import { inTransaction, openStock, spreadStockIds } from '../../admin/stock/database/open-stock.ts';
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
  const stock = openStock(file);
  const { db, dictionaries } = stock;
  const writeBalances = createBatchKeeper(db, dictionaries);
  const index = createBatchIndex(db);
  const { all, next, snapshotIdOf } = createBatches(size);

  const receive = ({ client: name, entries, ...header }: Snapshot) => {
    const client = dictionaries.clients.idOf(name);
    index.add(client, { ...header, entryCount: entries.length, parts: 1 });
    writeBalances({ client, instant: header.receivedAt.getTime() }, entries);
  };
  /** Like the loader. Ids are in the order of their texts, so a new id needs a gap. If there is none, spreads the ids and repeats the work. */
  const write = (work: () => void): void => {
    try {
      inTransaction(db, work);
    } catch (error) {
      if (!(error instanceof NoRoomForId)) throw error;
      spreadStockIds(stock);
      write(work);
    }
  };

  inTransaction(db, () => {
    dictionaries.clients.addAll(Array.from({ length: size.warehouses }, (_, warehouse) => nameOf(warehouse)));
    db.exec('UPDATE client SET is_warehouse = 1, has_all_batches = 1');
    const insert = db.prepare(`INSERT INTO list_row VALUES (?, ?, ?, '', '{}')`);
    const codes = Array.from({ length: size.balances }, (_, material) => codeOf(material)).slice(UNLISTED);
    dictionaries.materials.addAll(codes);
    for (const code of codes) insert.run('MaterialCodes', code, sortKeyOf(code));
    for (const order of allOrders.slice(UNLISTED)) insert.run('PurchaseOrders', order, sortKeyOf(order));
  });
  const writeSeconds = secondsOf(() => {
    for (const batch of all()) write(() => receive(batch));
  });
  const nextBatchSeconds = secondsOf(() => write(() => receive(next(0, size.batches))));
  const checkSeconds = secondsOf(() => keepFindings(stock));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return { writeSeconds, nextBatchSeconds, checkSeconds, fileMb: statSync(file).size / 1e6, snapshotIdOf };
};
