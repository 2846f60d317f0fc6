import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { type Column, columnsOf } from '../cli/output.ts';
import { formatAge } from '../cli/time.ts';
import type { Session } from '../deployment/session.ts';
import type { BalanceReport } from '../store/snapshot-reader.ts';
import type { Difference } from './compare-snapshots.ts';

/** Only in tables for people, because an age changes every second. */
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

type Line = Pick<Snapshot, 'client' | 'snapshotId' | 'receivedAt'> & StockBalanceEntry;

export const lineColumns: Column<Line>[] = [...snapshotColumns, ...entryColumns];

export const toLines = ({ entries, ...snapshot }: Snapshot): Line[] =>
  entries.map((entry) => ({ ...entry, ...snapshot }));

export const balanceColumns: Column<BalanceReport>[] = [
  ...entryColumns,
  ...columnsOf<BalanceReport>({ Client: 'client', ReceivedAt: 'receivedAt', SnapshotId: 'snapshotId' }),
];

export const historyColumns: Column<BalanceReport>[] = [
  ...columnsOf<BalanceReport>({ ReceivedAt: 'receivedAt', Client: 'client' }),
  ...entryColumns.filter(({ name }) => name !== 'MaterialCode'),
  ...columnsOf<BalanceReport>({ SnapshotId: 'snapshotId' }),
];

export const differenceColumns: Column<Difference>[] = [
  { name: 'Change', value: ({ change }) => change },
  { name: 'MaterialCode', value: ({ materialCode }) => materialCode },
  ...(['StockBalance', 'StockBalanceUnit', 'PurchaseOrders'] as const).flatMap((name) => [
    { name: `${name}Before`, value: ({ before }: Difference) => before?.[name] },
    { name: `${name}After`, value: ({ after }: Difference) => after?.[name] },
  ]),
];

export const toDocument = ({ client, snapshotId, receivedAt, requestId, entries }: Snapshot) => ({
  Client: client,
  SnapshotId: snapshotId,
  ReceivedAt: receivedAt,
  RequestId: requestId,
  EntryCount: entries.length,
  MaterialCodes: entries,
});
