import { restorePasses } from '../../shared/storage/snapshot.ts';
import { isCatalog, type TableName } from '../../shared/tables.ts';
import { explain, Failure } from '../cli/failure.ts';
import { watchWriting } from '../cli/interruption.ts';
import { withProgress } from '../cli/terminal.ts';
import type { tableCopier } from '../store/table-copier.ts';
import { type Counter, describeDone, type Found } from './count-items.ts';

export type Restore = { table: TableName; copier: ReturnType<typeof tableCopier>; newCounter: () => Counter };

/** Compares the tables and writes nothing. Keeps no items of tables that may be large. */
export const compareTables = ({ table, copier, newCounter }: Restore) =>
  withProgress(`Comparing ${table}`, undefined, async (reach) => {
    const counter = newCounter();
    const found: Found[] = [];
    for await (const pairs of copier.pairs()) {
      const puts = counter.compare(pairs, isCatalog(table));
      if (isCatalog(table) || table === 'Clients') found.push(...puts);
      reach(counter.compared());
    }
    return { counts: counter.counts, found };
  });

/** Items that were not compared may also be missing. */
const SO_FAR = 'Result of the comparison so far:';
const ADVICE = 'Run the same command again to restore the rest.';

/** Restores all missing items, or throws a Failure with the number of restored items. */
export const putBack = async ({ table, copier, newCounter }: Restore, overwrites: boolean) => {
  const counter = newCounter();
  const { signal, stopWatching } = watchWriting();
  const write = async (reach: (done: number) => void) => {
    for (const pass of table === 'BalanceSnapshots' ? restorePasses : [undefined]) {
      for await (const pairs of copier.pairs(pass, signal)) {
        await copier.put(counter.compare(pairs, overwrites), counter.onPut, signal);
        reach(counter.compared());
      }
      if (signal.aborted) return;
    }
  };
  const describeEnd = (reason: string) => `${reason} ${describeDone(counter.counts)} ${ADVICE}`;
  try {
    await withProgress(`Restoring ${table}`, undefined, write);
  } catch (error) {
    throw new Failure(describeEnd(`${explain(error)}\n${SO_FAR}`));
  } finally {
    stopWatching();
  }
  if (signal.aborted) throw new Failure(describeEnd(`Ended early. ${SO_FAR}`));
  return counter.counts;
};
