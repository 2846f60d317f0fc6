import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { rowsOf } from '../../stock/database/rows.ts';
import { Failure, WrongUsage } from '../../text/failure.ts';
import { joinFirstNames } from '../../text/words.ts';
import { announceEnd, readPeriod } from '../terminal/period.ts';
import { type Filter, openTable } from './open-table.ts';
import type { CommandNeeds, LoadedStock } from './with-stock.ts';

const Batch = v.object({
  Client: v.string(),
  SnapshotId: v.string(),
  ReceivedAt: v.date(),
  RequestId: v.string(),
  EntryCount: v.number(),
  /** Only a batch that is `loaded` has entries in the stock. */
  State: v.string(),
});
export type Batch = v.InferOutput<typeof Batch>;

const stepsBack = new Map([
  ['latest', 0],
  ['previous', 1],
]);

const isId = (selector: string) => !stepsBack.has(selector) && readPeriod(selector) === undefined;

export const needsOf =
  (...selectors: string[]) =>
  (at: Date | undefined): CommandNeeds => {
    const times = selectors.flatMap((selector) => (stepsBack.has(selector) ? (at ?? []) : timeOf(selector)));
    if (times.length === 0) return { batches: 'newestTwo' };
    return { batches: 'all', at: new Date(Math.min(...times.map(Number))) };
  };

/** A day means its end. An id begins with its time. */
const timeOf = (selector: string) =>
  readPeriod(selector)?.until ?? new Date(Date.parse(selector.slice(0, 24)) || Date.now());

export const listBatches = (db: DatabaseSync, filter: Filter, sort: string, limit?: number) =>
  v.parse(v.array(Batch), [
    ...openTable(db, 'batches', filter, Object.keys(Batch.entries), { sort, limit }).rows,
  ]);

/**
 * Finds a batch by a selector: its id, `latest`, `previous`, or a time or a day. For a day, it finds the latest batch at its end.
 * `previous` means the batch before the latest batch, from the same client.
 */
export const findBatch = (stock: LoadedStock, selector: string, advice = SHOW_ALL): Batch => {
  const { client, at } = stock.filter;
  const steps = stepsBack.get(selector);
  if (at && steps === undefined) throw new WrongUsage('--at goes with `latest` and `previous` only.');
  const period = readPeriod(selector);
  const found = isId(selector)
    ? listBatches(stock.db, { client, id: selector }, '-ReceivedAt')[0]
    : findLatest(stock.db, steps ?? 0, client, period ? announceEnd(period) : at);
  if (found) return refuseDamaged(stock.db, found);
  const clientNames = client ?? joinFirstNames(stock.clients);
  const missing = period
    ? `snapshot of ${clientNames} at that time`
    : `${describe(selector)} of ${clientNames}`;
  throw new Failure(`There is no ${missing}. ${advice}`);
};

const describe = (selector: string) => (isId(selector) ? `snapshot ${selector}` : `${selector} snapshot`);

const SHOW_ALL = '`snapshots list` shows all snapshots.';

/** Finds two batches to compare. They are of one client, unless both selectors are ids. */
export const findPair = (stock: LoadedStock, first: string, second: string): [Batch, Batch] => {
  if (isId(first) && !isId(second)) {
    // The second selector decides the client, and an id has to decide it. So the two are swapped.
    const [after, before] = findPair(stock, second, first);
    return [before, after];
  }
  const after = findBatch(stock, second);
  if (isId(first)) return [findBatch(stock, first), after];
  const ofClient = { ...stock, filter: { ...stock.filter, client: after.Client } };
  const hasChosenClient = isId(second) || stock.filter.client !== undefined;
  const advice = `\`${second}\` is of ${after.Client}. For another client, add --client NAME.`;
  return [findBatch(ofClient, first, hasChosenClient ? SHOW_ALL : advice), after];
};

const findLatest = (
  db: DatabaseSync,
  steps: number,
  client: string | undefined,
  at: Date | undefined,
): Batch | undefined => {
  const [latest] = listBatches(db, { client, at }, '-ReceivedAt', 1);
  return latest && listBatches(db, { client: latest.Client, at }, '-ReceivedAt', steps + 1)[steps];
};

const refuseDamaged = (db: DatabaseSync, batch: Batch) => {
  const [{ damage } = { damage: null }] = rowsOf<{ damage: string | null }>(
    db.prepare('SELECT damage FROM batch WHERE id = ? AND damage IS NOT NULL'),
    batch.SnapshotId,
  );
  if (damage !== null) throw new Failure(damage);
  return batch;
};
