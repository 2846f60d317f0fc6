import type { DatabaseSync } from 'node:sqlite';
import { rowsOf } from '../../stock/database/rows.ts';
import { Failure, WrongUsage } from '../../text/failure.ts';
import { joinFirstNames } from '../../text/words.ts';
import { announceEnd, readPeriod } from '../terminal/period.ts';
import { openTable } from './open-table.ts';
import type { CommandNeeds, LoadedStock } from './with-stock.ts';

export type Batch = {
  client: string;
  snapshotId: string;
  receivedAt: Date;
  requestId: string;
  entryCount: number;
  /** Only a batch that is `loaded` has entries in the stock. */
  state: string;
};

const stepsBack = new Map([
  ['latest', 0],
  ['previous', 1],
]);

const isId = (selector: string) => !stepsBack.has(selector) && readPeriod(selector) === undefined;

/** What a command has to read to find the batches of these selectors. */
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

/** Returns the sorted batches of a filter, or only the first `atMost` batches. */
export const listBatches = (
  db: DatabaseSync,
  filter: Parameters<typeof openTable>[2],
  sort: string,
  atMost?: number,
) => {
  const { columns, rows } = openTable(db, 'batches', filter);
  const [client, id, receivedAt, requestId, entries, state] = columns(
    ...['Client', 'SnapshotId', 'ReceivedAt', 'RequestId', 'EntryCount', 'State'],
  );
  return [...rows(sort, atMost)].map(
    (row): Batch => ({
      client: String(client?.value(row)),
      snapshotId: String(id?.value(row)),
      receivedAt: new Date(Number(receivedAt?.value(row))),
      requestId: String(requestId?.value(row)),
      entryCount: Number(entries?.value(row)),
      state: String(state?.value(row)),
    }),
  );
};

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
  const ofClient = { ...stock, filter: { ...stock.filter, client: after.client } };
  const hasChosenClient = isId(second) || stock.filter.client !== undefined;
  const advice = `\`${second}\` is of ${after.client}. For another client, add --client NAME.`;
  return [findBatch(ofClient, first, hasChosenClient ? SHOW_ALL : advice), after];
};

const findLatest = (
  db: DatabaseSync,
  steps: number,
  client: string | undefined,
  at: Date | undefined,
): Batch | undefined => {
  const [latest] = listBatches(db, { client, at }, '-ReceivedAt', 1);
  return latest && listBatches(db, { client: latest.client, at }, '-ReceivedAt', steps + 1)[steps];
};

const refuseDamaged = (db: DatabaseSync, batch: Batch) => {
  const [{ damage } = { damage: null }] = rowsOf<{ damage: string | null }>(
    db.prepare('SELECT damage FROM batch WHERE id = ? AND damage IS NOT NULL'),
    batch.snapshotId,
  );
  if (damage !== null) throw new Failure(damage);
  return batch;
};
