import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import type { Column } from '../cli/output.ts';

export const balanceInWords = (entry: StockBalanceEntry | undefined) =>
  entry ? `${entry.StockBalance} ${entry.StockBalanceUnit}` : '';

export const entryColumns: Column<StockBalanceEntry>[] = [
  { name: 'MaterialCode', value: ({ MaterialCode }) => MaterialCode },
  { name: 'StockBalance', value: ({ StockBalance }) => StockBalance, align: 'right' },
  { name: 'StockBalanceUnit', value: ({ StockBalanceUnit }) => StockBalanceUnit, title: 'Unit' },
  { name: 'PurchaseOrders', value: ({ PurchaseOrders }) => PurchaseOrders },
];

/** A snapshot as one JSON object. */
export const toDocument = ({ client, snapshotId, receivedAt, requestId, entries }: Snapshot) => ({
  Client: client,
  SnapshotId: snapshotId,
  ReceivedAt: receivedAt.toISOString(),
  RequestId: requestId,
  EntryCount: entries.length,
  MaterialCodes: entries,
});
