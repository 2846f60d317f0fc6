import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { type Column, columnsOf } from '../cli/output.ts';
import { formatAge } from '../cli/time.ts';
import type { Session } from '../deployment/session.ts';

/** For people only. Programs get the time, because an age changes every second. */
export const ageColumn = <TRow>(
  { format, now }: Session,
  timeOf: (row: TRow) => Date | undefined,
  name = 'Age',
): Column<TRow>[] => {
  const value = (row: TRow) => {
    const at = timeOf(row);
    return at && formatAge(at, now);
  };
  return format.kind === 'table' ? [{ name, value, align: 'right' }] : [];
};

export const formatBalance = (entry: StockBalanceEntry | undefined) =>
  entry ? `${entry.StockBalance} ${entry.StockBalanceUnit}` : '';

export const entryColumns: Column<StockBalanceEntry>[] = [
  { name: 'MaterialCode', value: ({ MaterialCode }) => MaterialCode },
  { name: 'StockBalance', value: ({ StockBalance }) => StockBalance, align: 'right' },
  { name: 'StockBalanceUnit', value: ({ StockBalanceUnit }) => StockBalanceUnit, title: 'Unit' },
  { name: 'PurchaseOrders', value: ({ PurchaseOrders }) => PurchaseOrders },
];

/** The columns that identify a snapshot, or its uncommitted parts. */
export const snapshotColumns = columnsOf<Pick<Snapshot, 'client' | 'snapshotId' | 'receivedAt'>>({
  Client: 'client',
  SnapshotId: 'snapshotId',
  ReceivedAt: 'receivedAt',
});

/** A snapshot as one JSON object. */
export const toDocument = ({ client, snapshotId, receivedAt, requestId, entries }: Snapshot) => ({
  Client: client,
  SnapshotId: snapshotId,
  ReceivedAt: receivedAt,
  RequestId: requestId,
  EntryCount: entries.length,
  MaterialCodes: entries,
});
