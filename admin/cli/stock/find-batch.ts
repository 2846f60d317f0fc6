import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../stock/database/rows.ts';
import type { Needs } from '../../stock/loading/load-stock.ts';
import { Failure, WrongUsage } from '../../text/failure.ts';
import { joinFirstNames } from '../../text/words.ts';
import { readEnd, readPeriod } from '../terminal/period.ts';
import { openTable, type Row } from './open-table.ts';
import type { LoadedStock } from './with-stock.ts';

export type Batch = {
  client: string;
  snapshotId: string;
  receivedAt: Date;
  requestId: string;
  entryCount: number;
  /** A batch that is unread or damaged has no entries here. */
  state: string;
};

const stepsBack = new Map([
  ['latest', 0],
  ['previous', 1],
]);

const isId = (which: string) => !stepsBack.has(which) && readPeriod(which) === undefined;

/** What has to be read to find these. */
export const needsOf = (which: readonly string[], at: Date | undefined): Needs =>
  which.every((one) => stepsBack.has(one)) && !at ? { batches: 'newest' } : { batches: 'all' };

/** The batches of a filter, and their values. */
export const openBatches = (db: DatabaseSync, filter: Parameters<typeof openTable>[2]) => {
  const { columns, rows } = openTable(db, 'batches', filter);
  const [client, id, receivedAt, requestId, entries, state] = columns(
    ...['Client', 'SnapshotId', 'ReceivedAt', 'RequestId', 'EntryCount', 'State'],
  );
  const toBatch = (row: Row): Batch => ({
    client: String(client?.value(row)),
    snapshotId: String(id?.value(row)),
    receivedAt: new Date(Number(receivedAt?.value(row))),
    requestId: String(requestId?.value(row)),
    entryCount: Number(entries?.value(row)),
    state: String(state?.value(row)),
  });
  return (sort: string, atMost?: number) => [...rows(sort, atMost)].map(toBatch);
};

/**
 * Finds a batch by its id, `latest`, `previous`, or a time, which means the latest one at that time. The previous one
 * has the same client as the latest.
 */
export const findBatch = (stock: LoadedStock, which: string, advice = SHOW_ALL): Batch => {
  const { client, at } = stock.filter;
  const steps = stepsBack.get(which);
  if (at && steps === undefined) throw new WrongUsage('--at goes with `latest` and `previous` only.');
  const time = readPeriod(which);
  const found = isId(which)
    ? openBatches(stock.db, { client, id: which })('-ReceivedAt')[0]
    : findNewest(stock.db, steps ?? 0, client, time ? readEnd(time) : at);
  if (found) return refuseDamaged(stock.db, found);
  const whose = client ?? joinFirstNames(stock.clients);
  const wanted = time ? `of ${whose} at that time` : `${which} of ${whose}`;
  throw new Failure(`There is no snapshot ${wanted}. ${advice}`);
};

const SHOW_ALL = '`snapshots list` shows all snapshots.';

/** Finds two batches to compare. They can only have different clients if both are named by id. */
export const findPair = (stock: LoadedStock, first: string, second: string): [Batch, Batch] => {
  if (isId(first) && !isId(second)) {
    const [after, before] = findPair(stock, second, first);
    return [before, after];
  }
  const after = findBatch(stock, second);
  if (isId(first)) return [findBatch(stock, first), after];
  const ofClient = { ...stock, filter: { ...stock.filter, client: after.client } };
  const isChosen = isId(second) || stock.filter.client !== undefined;
  const advice = `\`${second}\` is of ${after.client}: add --client NAME for another one.`;
  return [findBatch(ofClient, first, isChosen ? SHOW_ALL : advice), after];
};

const findNewest = (
  db: DatabaseSync,
  steps: number,
  client: string | undefined,
  at: Date | undefined,
): Batch | undefined => {
  const [latest] = openBatches(db, { client, at })('-ReceivedAt', 1);
  return latest && openBatches(db, { client: latest.client, at })('-ReceivedAt', steps + 1)[steps];
};

const refuseDamaged = (db: DatabaseSync, batch: Batch) => {
  const [{ damage } = { damage: null }] = rowsOf<{ damage: string | null }>(
    db.prepare('SELECT damage FROM batch WHERE snapshot_id = ? AND damage IS NOT NULL'),
    batch.snapshotId,
  );
  if (damage !== null) throw new Failure(damage);
  return batch;
};
