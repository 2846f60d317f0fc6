import { statSync } from 'node:fs';
import type { Session } from '../../admin/deployment/session.ts';
import { keepFindings } from '../../admin/stock/checks/show-findings.ts';
import { createBatchKeeper } from '../../admin/stock/database/keep-batch.ts';
import { changeStock, openStock } from '../../admin/stock/database/open-stock.ts';
import { loadClients } from '../../admin/stock/loading/load-clients.ts';
import { loadLists } from '../../admin/stock/loading/load-lists.ts';
import { type Snapshot, toSnapshotItems } from '../../shared/storage/snapshot.ts';
import { fillTable } from '../service.ts';
import { allOrders, codeOf, createBatches, type Size } from './make-batches.ts';

/** The number of codes, and of orders, that are in batches but in no list. */
const UNLISTED = 20;

const secondsOf = (work: () => void) => {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1_000;
};

/** Opens a new stock that has the clients and the lists of the service. `write` adds a batch. */
export const openBenchStock = async (session: Session, file: string) => {
  const db = openStock(file);
  const { keepNewer } = createBatchKeeper(db);
  await loadClients(db, session);
  await loadLists(db, session);
  // No batch is older than those that are written.
  db.exec(`UPDATE client SET known_since = ''`);
  return {
    db,
    write: ({ entries, ...snapshot }: Snapshot) =>
      changeStock(db, () => {
        const header = { ...snapshot, entryCount: entries.length, parts: 1, damage: null };
        keepNewer(snapshot.client, [{ ...header, entries: [...entries] }]);
      }),
    close: () => {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
};

/**
 * Makes a stock of batches, with lists and findings, and measures the times of the writes. The service gets the lists and the newest batch of
 * each warehouse, so a console does not read the others again. `arriving` is one more batch, which the service does not have yet.
 */
export const makeBenchStock = async (session: Session, file: string, size: Size) => {
  const { dynamodb } = session.deployment;
  const { all, next, latest, snapshotIdOf } = createBatches(size);
  const codes = Array.from({ length: size.balances }, (_, material) => codeOf(material));
  const listed = codes.slice(UNLISTED).map((S) => ({ MaterialCode: { S } }));
  await fillTable(dynamodb, 'MaterialCodes', listed);
  const listedOrders = allOrders.slice(UNLISTED).map((S) => ({ PurchaseOrder: { S } }));
  await fillTable(dynamodb, 'PurchaseOrders', listedOrders);

  const { db, write, close } = await openBenchStock(session, file);
  const writeSeconds = secondsOf(() => {
    for (const batch of all()) write(batch);
  });
  const nextBatchSeconds = secondsOf(() => write(next(0, size.batches)));
  const checkSeconds = secondsOf(() => keepFindings(db));
  close();

  for (let warehouse = 0; warehouse < size.warehouses; warehouse += 1) {
    const newest = latest(warehouse, warehouse === 0 ? size.batches : size.batches - 1);
    await fillTable(dynamodb, 'BalanceSnapshots', toSnapshotItems(newest));
  }
  const arriving = toSnapshotItems(next(0, size.batches + 1));
  const fileMb = statSync(file).size / 1e6;
  return { writeSeconds, nextBatchSeconds, checkSeconds, fileMb, snapshotIdOf, arriving };
};
