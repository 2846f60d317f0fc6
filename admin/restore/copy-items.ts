import { restorePasses } from '../../shared/storage/snapshot.ts';
import { isList, type TableName } from '../../shared/tables.ts';
import type { tableCopier } from '../storage/table-copier.ts';
import { explain, Failure } from '../text/failure.ts';
import { type Counter, describeDone, type FoundItem } from './count-items.ts';

export type Restore = {
  table: TableName;
  copier: ReturnType<typeof tableCopier>;
  newCounter: () => Counter;
  /** Also restores the rows that differ. */
  overwrites: boolean;
};

/** Called with the number of items that are compared so far. */
type OnCompared = (items: number) => void;

/** Compares the tables and writes nothing. Returns items only of tables that fit in memory. */
export const compareTables = async (
  { table, copier, newCounter, overwrites }: Restore,
  onCompared: OnCompared = () => {},
) => {
  const counter = newCounter();
  const found: FoundItem[] = [];
  for await (const pairs of copier.pairs()) {
    const puts = counter.compare(pairs, overwrites);
    if (isList(table) || table === 'Clients') found.push(...puts);
    onCompared(counter.compared());
  }
  return { counts: counter.counts, found };
};

/** The items that were not compared yet may also be missing. */
const SO_FAR = 'Result of the comparison so far:';
const ADVICE = 'Run the same command again to restore the rest.';

/** Restores all missing items, or throws a Failure with the number of restored items. */
export const restoreItems = async (
  { table, copier, newCounter, overwrites }: Restore,
  onCompared: OnCompared,
  signal: AbortSignal,
) => {
  const counter = newCounter();
  const endEarly = (beginning: string) =>
    new Failure(`${beginning}${SO_FAR} ${describeDone(counter.counts)} ${ADVICE}`);
  try {
    for (const pass of table === 'BalanceSnapshots' ? restorePasses : [undefined]) {
      for await (const pairs of copier.pairs(pass, signal)) {
        await copier.put(counter.compare(pairs, overwrites), counter.onPut, signal);
        onCompared(counter.compared());
      }
      if (signal.aborted) break;
    }
  } catch (error) {
    throw endEarly(`${explain(error)}\n`);
  }
  if (signal.aborted) throw endEarly('Ended early. ');
  return counter.counts;
};
