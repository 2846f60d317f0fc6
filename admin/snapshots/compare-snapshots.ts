import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { compareBy } from '../store/order.ts';

export type Difference = {
  change: 'added' | 'gone' | 'changed';
  materialCode: string;
  before?: StockBalanceEntry;
  after?: StockBalanceEntry;
};

type Entries = Pick<Snapshot, 'entries'>;

export const compareSnapshots = (first: Entries, second: Entries): Difference[] => {
  const afters = new Map(second.entries.map((entry) => [entry.MaterialCode, entry]));
  const differences = first.entries.flatMap((before): Difference[] => {
    const materialCode = before.MaterialCode;
    const after = afters.get(materialCode);
    afters.delete(materialCode);
    if (!after) return [{ change: 'gone', materialCode, before }];
    return isSame(before, after) ? [] : [{ change: 'changed', materialCode, before, after }];
  });
  for (const [materialCode, after] of afters) differences.push({ change: 'added', materialCode, after });
  return differences.sort(compareBy(({ materialCode }) => materialCode));
};

export const haveOrdersChanged = ({ before, after }: Pick<Difference, 'before' | 'after'>) =>
  before?.PurchaseOrders.join() !== after?.PurchaseOrders.join();

const isSame = (before: StockBalanceEntry, after: StockBalanceEntry) =>
  before.StockBalance === after.StockBalance &&
  before.StockBalanceUnit === after.StockBalanceUnit &&
  !haveOrdersChanged({ before, after });

export const summarizeDifferences = (
  first: Snapshot,
  second: Snapshot,
  differences: readonly Difference[],
) => {
  const count = (wanted: Difference['change']) =>
    differences.filter(({ change }) => change === wanted).length;
  const same = first.entries.length - count('gone') - count('changed');
  const what = `${first.snapshotId} of ${first.client} to ${second.snapshotId} of ${second.client}`;
  return `${what}: ${count('added')} added, ${count('gone')} gone, ${count('changed')} changed, ${same} the same`;
};
