import { restorePasses } from '../../shared/storage/snapshot.ts';
import { isList, type TableName, tables } from '../../shared/tables.ts';
import type { RestoreMark } from '../storage/restore-mark.ts';
import type { tableCopier } from '../storage/table-copier.ts';
import { explain, Failure } from '../text/failure.ts';
import { type Counter, describeDone, type PlannedPut } from './count-items.ts';

export type Restore = {
  table: TableName;
  copier: ReturnType<typeof tableCopier>;
  newCounter: () => Counter;
  /** Whether the restore also replaces the items that differ. */
  overwrites: boolean;
  /** For the tables of which machines read only new items. */
  mark: RestoreMark | undefined;
};

/** Called with the number of items that were compared so far. */
export type OnCompared = (items: number) => void;

/** Compares the tables and writes nothing. `found` has only items of lists and Clients, because they fit in memory. */
export const compareTables = async (
  { table, copier, newCounter, overwrites }: Restore,
  onCompared: OnCompared = () => {},
  signal?: AbortSignal,
) => {
  const counter = newCounter();
  const found: PlannedPut[] = [];
  for await (const pairs of copier.pairs(undefined, signal)) {
    const puts = counter.compare(pairs, overwrites);
    if (isList(table) || table === 'Clients') found.push(...puts);
    onCompared(counter.compared());
  }
  return { counts: counter.counts, found };
};

async function* pairsInOrder(table: TableName, copier: Restore['copier'], signal: AbortSignal) {
  const hasParts = table === 'BalanceSnapshots' || table === 'AdminRecords';
  for (const pass of hasParts ? restorePasses(tables[table].partitionKey) : [undefined]) {
    yield* copier.pairs(pass, signal);
    if (signal.aborted) return;
  }
}

/** An item that was not compared yet may be missing, too. */
const SO_FAR = 'Result of the comparison so far:';
const ADVICE = 'Run the same command again to restore the rest.';

/** Restores the items. If it cannot restore all of them, the Failure says how many were restored. */
export const restoreItems = async (
  { table, copier, newCounter, overwrites, mark }: Restore,
  onCompared: OnCompared,
  signal: AbortSignal,
) => {
  const counter = newCounter();
  const endEarly = (beginning: string) =>
    new Failure(`${beginning}${SO_FAR} ${describeDone(counter.counts)} ${ADVICE}`);
  const restoreAll = async () => {
    for await (const pairs of pairsInOrder(table, copier, signal)) {
      const puts = counter.compare(pairs, overwrites);
      if (puts.length > 0) await mark?.begin();
      await copier.put(puts, counter.onPut, signal);
      onCompared(counter.compared());
    }
  };
  try {
    // Some items may be restored even after an early end.
    await restoreAll().finally(() => mark?.end());
  } catch (error) {
    throw endEarly(`${explain(error)}\n`);
  }
  if (signal.aborted) throw endEarly('Ended early. ');
  return counter.counts;
};
