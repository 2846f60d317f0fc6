import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { by } from '../store/order.ts';

/** What one snapshot says about a material otherwise than another does. */
export type Difference = {
  change: 'added' | 'gone' | 'changed';
  materialCode: string;
  before?: StockBalanceEntry;
  after?: StockBalanceEntry;
};

/** In the order of the codes. */
export const compare = (first: Snapshot, second: Snapshot): Difference[] => {
  const afters = new Map(second.entries.map((entry) => [entry.MaterialCode, entry]));
  const codesBefore = new Set(first.entries.map(({ MaterialCode }) => MaterialCode));
  const goneOrChanged = first.entries.flatMap((before): Difference[] => {
    const materialCode = before.MaterialCode;
    const after = afters.get(materialCode);
    if (!after) return [{ change: 'gone', materialCode, before }];
    return isSame(before, after) ? [] : [{ change: 'changed', materialCode, before, after }];
  });
  const added = second.entries
    .filter(({ MaterialCode }) => !codesBefore.has(MaterialCode))
    .map((after): Difference => ({ change: 'added', materialCode: after.MaterialCode, after }));
  return [...goneOrChanged, ...added].sort(by(({ materialCode }) => materialCode));
};

const ordersOf = (entry?: StockBalanceEntry) => entry?.PurchaseOrders.join();

export const hasOtherOrders = ({ before, after }: Pick<Difference, 'before' | 'after'>) =>
  ordersOf(before) !== ordersOf(after);

const isSame = (before: StockBalanceEntry, after: StockBalanceEntry) =>
  before.StockBalance === after.StockBalance &&
  before.StockBalanceUnit === after.StockBalanceUnit &&
  !hasOtherOrders({ before, after });

/** A line that sums it up. */
export const inCounts = (first: Snapshot, second: Snapshot, differences: readonly Difference[]) => {
  const count = (wanted: Difference['change']) =>
    differences.filter(({ change }) => change === wanted).length;
  const same = first.entries.length - count('gone') - count('changed');
  const what = `${first.snapshotId} of ${first.client} to ${second.snapshotId} of ${second.client}`;
  return `${what}: ${count('added')} added, ${count('gone')} gone, ${count('changed')} changed, ${same} the same`;
};
