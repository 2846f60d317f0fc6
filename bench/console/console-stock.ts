import { statSync } from 'node:fs';
import { keepFindings } from '../../admin/stock/checks/findings/keep-findings.ts';
import { NoRoomForId, sortKeyOf } from '../../admin/stock/database/dictionary.ts';
import { createBatchKeeper } from '../../admin/stock/database/keep-batch.ts';
import { createBatchIndex } from '../../admin/stock/database/list-batches.ts';
import { inTransaction, makeRoom, openStock } from '../../admin/stock/database/open-stock.ts';
import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { DAY_MS } from '../../shared/time.ts';

export type Size = { warehouses: number; balances: number; batches: number };

const UNITS = ['kg', 'm', 'pcs', 'l', 't'];
/** Codes that the list lacks. */
const UNLISTED = 20;

export const codeOf = (material: number) => `Kabel-${String(material).padStart(5, '0')}/A`;
export const nameOf = (warehouse: number) => `warehouse-${String(warehouse).padStart(3, '0')}`;

/** The same numbers in each run. */
const createRandom = () => {
  let seed = 1;
  return (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
};

const secondsOf = (work: () => void) => {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) / 1_000;
};

/** A stock of batches, each of which changed a tenth of the one before, with lists and findings. */
export const makeBenchStock = (file: string, { warehouses, balances, batches }: Size) => {
  const stock = openStock(file);
  const { db, dictionaries } = stock;
  const keep = createBatchKeeper(db, dictionaries);
  const index = createBatchIndex(db);
  const random = createRandom();
  const firstAt = Date.now() - batches * DAY_MS;
  const latestEntries = Array.from({ length: warehouses }, (_, warehouse) =>
    Array.from({ length: balances }, (__, material): StockBalanceEntry => {
      const orders = [
        `OT${1_000_000 + (material % 3_000)}`,
        `OT${2_000_000 + ((material + warehouse) % 5_000)}`,
      ];
      return {
        MaterialCode: codeOf(material),
        StockBalance: random(1_000_000) / 1_000,
        StockBalanceUnit: UNITS[material % UNITS.length] ?? '',
        PurchaseOrders: material % 4 === 0 ? orders : [],
      };
    }),
  );

  const receive = (warehouse: number, batch: number) => {
    const entries = latestEntries[warehouse] ?? [];
    const client = dictionaries.clients.idOf(nameOf(warehouse));
    const position = firstAt + batch * DAY_MS + warehouse;
    const header = { snapshotId: idOf(warehouse, batch), receivedAt: new Date(position), requestId: 'bench' };
    index.add(client, { ...header, entryCount: entries.length, parts: 1 });
    keep({ client, position }, entries);
  };
  const idOf = (warehouse: number, batch: number) =>
    `${new Date(firstAt + batch * DAY_MS + warehouse).toISOString()}-bench`;
  /** The next batch of a warehouse. */
  const next = (warehouse: number, batch: number) => {
    for (const entry of latestEntries[warehouse] ?? [])
      if (batch > 0 && random(10) === 0) entry.StockBalance = random(1_000_000) / 1_000;
    write(() => receive(warehouse, batch));
  };
  /** Repeats the work after making room for ids, like the loader. */
  const write = (work: () => void): void => {
    try {
      inTransaction(db, work);
    } catch (error) {
      if (!(error instanceof NoRoomForId)) throw error;
      makeRoom(stock);
      write(work);
    }
  };

  inTransaction(db, () => {
    dictionaries.clients.addAll(latestEntries.map((_, warehouse) => nameOf(warehouse)));
    db.exec('UPDATE client SET is_warehouse = 1, is_settled = 1');
    const insert = db.prepare(`INSERT INTO list_row VALUES ('MaterialCodes', ?, ?, '', '{}')`);
    const codes = Array.from({ length: balances }, (_, material) => codeOf(material)).slice(UNLISTED);
    dictionaries.materials.addAll(codes);
    for (const code of codes) insert.run(code, sortKeyOf(code));
  });
  const written = secondsOf(() => {
    for (let batch = 0; batch < batches; batch += 1)
      for (const warehouse of latestEntries.keys()) next(warehouse, batch);
  });
  const nextBatch = secondsOf(() => next(0, batches));
  const checked = secondsOf(() => keepFindings(stock));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return { written, nextBatch, checked, fileMb: statSync(file).size / 1e6, idOf };
};
