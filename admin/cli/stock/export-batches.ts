import type { DatabaseSync } from 'node:sqlite';
import type { Column } from '../../text/output.ts';
import { countOf } from '../../text/words.ts';
import { type Output, toTable } from '../terminal/output.ts';
import { type Batch, findBatch, listBatches, needsOf } from './find-batch.ts';
import { describeDamages, openTable, type Row } from './open-table.ts';
import { type LoadedStock, withStock } from './with-stock.ts';

/** Exports the batch of the selector. Without a selector, exports all batches that the options choose. */
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
      : toTable(lineColumns(db), linesOf(db, batches));
    const leftOut = damages.length > 0 ? ` Damaged snapshots left out: ${damages.length}.` : '';
    const entries = batches.reduce((sum, { entryCount }) => sum + entryCount, 0);
    yield `Written: ${countOf(batches.length, 'snapshot')} with ${countOf(entries, 'entry', 'entries')}.${leftOut}`;
  });
};

const listLoaded = ({ db, filter }: LoadedStock) =>
  listBatches(db, filter, 'ReceivedAt').filter(({ state }) => state === 'loaded');

export const openEntries = (db: DatabaseSync, batch: Pick<Batch, 'client' | 'snapshotId'>) => {
  const { columns, rows } = openTable(db, 'entries', { client: batch.client, id: batch.snapshotId });
  return { columns: columns('MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders'), rows };
};

type Line = { batch: Batch; row: Row };

const lineColumns = (db: DatabaseSync): Column<Line>[] => [
  { name: 'Client', value: ({ batch }) => batch.client },
  { name: 'SnapshotId', value: ({ batch }) => batch.snapshotId },
  { name: 'ReceivedAt', value: ({ batch }) => batch.receivedAt },
  ...openEntries(db, { client: '', snapshotId: '' }).columns.map(
    ({ name, value }): Column<Line> => ({ name, value: ({ row }) => value(row) }),
  ),
];

function* linesOf(db: DatabaseSync, batches: readonly Batch[]): Generator<Line> {
  for (const batch of batches) for (const row of openEntries(db, batch).rows()) yield { batch, row };
}

/** A batch as a JSON document. */
export const toDocument = (db: DatabaseSync, batch: Batch) => {
  const { columns, rows } = openEntries(db, batch);
  const entries = [...rows()].map((row) =>
    Object.fromEntries(columns.map(({ name, value }) => [name, value(row)])),
  );
  return {
    Client: batch.client,
    SnapshotId: batch.snapshotId,
    ReceivedAt: batch.receivedAt,
    RequestId: batch.requestId,
    EntryCount: entries.length,
    MaterialCodes: entries,
  };
};
