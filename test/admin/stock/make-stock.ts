import { createBatchIndex } from '../../../admin/stock/database/batch-index.ts';
import { createBatchKeeper } from '../../../admin/stock/database/keep-batch.ts';
import { inTransaction, openStock } from '../../../admin/stock/database/open-stock.ts';
import type { StockBalanceEntry } from '../../../shared/schemas/stock-balance.ts';

export type Batch = { at: number; entries: readonly StockBalanceEntry[]; expiresAt?: Date };

export const entry = (
  MaterialCode: string,
  StockBalance: number,
  StockBalanceUnit = 'kg',
  PurchaseOrders: readonly string[] = [],
): StockBalanceEntry => ({
  MaterialCode,
  StockBalance,
  StockBalanceUnit,
  PurchaseOrders: [...PurchaseOrders],
});

/** A stock in memory with these batches of each warehouse, loaded in this order. */
export const makeStock = (batchesOf: Record<string, readonly Batch[]>, file = ':memory:') => {
  const stock = openStock(file);
  const { db, dictionaries } = stock;
  const keep = createBatchKeeper(db, dictionaries);
  const list = createBatchIndex(db);
  inTransaction(db, () => {
    dictionaries.clients.addAll(Object.keys(batchesOf));
    db.exec('UPDATE client SET is_warehouse = 1');
    for (const [name, batches] of Object.entries(batchesOf)) {
      const client = dictionaries.clients.idOf(name);
      for (const { at, entries, ...expiry } of batches) {
        const header = { snapshotId: `${name}-${at}`, receivedAt: new Date(at), requestId: 'request' };
        list.add(client, { ...header, entryCount: entries.length, parts: 1, ...expiry });
      }
      for (const { at, entries } of batches) keep({ client, instant: at }, entries);
    }
  });
  return stock;
};
