import type { DatabaseSync } from 'node:sqlite';
import type { Column } from '../../text/output.ts';
import { countOf } from '../../text/words.ts';
import { type Output, toTable } from '../terminal/output.ts';
import { type Batch, findBatch, listBatches, needsOf } from './find-batch.ts';
import { describeDamages, openTable, type Row } from './open-table.ts';
import { type LoadedStock, withStock } from './with-stock.ts';

export const exportBatches = (
  selector: string | undefined,
  options: Parameters<typeof withStock>[0],
  { format }: Output,
) => {
  const needs = selector === undefined ? ({ batches: 'all' } as const) : needsOf(selector);
  return withStock(options, needs, async function* (stock) {
    const { db } = stock;
    const damages = selector === undefined ? describeDamages(stock) : [];
    yield* damages;
    const batches = selector === undefined ? listLoaded(stock) : [findBatch(stock, selector)];
    yield format.kind === 'json'
      ? { documents: batches.values().map((batch) => toDocument(db, batch)) }
      : toTable(lineColumns, linesOf(db, batches));
    const leftOut = damages.length > 0 ? ` Damaged snapshots left out: ${damages.length}.` : '';
    const entries = batches.reduce((sum, { EntryCount }) => sum + EntryCount, 0);
    yield `Written: ${countOf(batches.length, 'snapshot')} with ${countOf(entries, 'entry', 'entries')}.${leftOut}`;
  });
};

const listLoaded = ({ db, filter }: LoadedStock) =>
  listBatches(db, filter, 'ReceivedAt').filter(({ State }) => State === 'loaded');

const ENTRY = ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders'];

export const openEntries = (db: DatabaseSync, { Client: client, SnapshotId: id }: Batch) =>
  openTable(db, 'entries', { client, id }, ENTRY);

const lineColumns = ['Client', 'SnapshotId', 'ReceivedAt', ...ENTRY].map(
  (name): Column<Row> => ({ name, value: (row) => row[name] }),
);

function* linesOf(db: DatabaseSync, batches: readonly Batch[]): Generator<Row> {
  for (const batch of batches) for (const entry of openEntries(db, batch).rows) yield { ...batch, ...entry };
}

export const toDocument = (db: DatabaseSync, { State, ...batch }: Batch) => {
  const MaterialCodes = [...openEntries(db, { State, ...batch }).rows];
  return { ...batch, MaterialCodes };
};
