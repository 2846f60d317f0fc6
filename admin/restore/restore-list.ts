import type { ListName } from '../../shared/tables.ts';
import type { HistoryTarget } from '../lists/history/history-writer.ts';
import { writeChanges } from '../lists/history/write-changes.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import type { Counts } from './count-items.ts';

const advice = 'Run the same command again to restore the rest.';

type ReviewedRestore = { table: ListName; from: string; counts: Counts; changes: readonly RowChange[] };

/** Restores the rows of a list as one change, which the history of the list keeps. Returns the counts of the comparison with what was written. */
export const restoreList = async (
  deployment: HistoryTarget,
  { table, from, counts, changes }: ReviewedRestore,
  onWritten: (rows: number) => void,
  signal: AbortSignal,
): Promise<Counts> => {
  const origin = { kind: 'restore', source: from } as const;
  const writing = { deployment, origin, signal, advice, onWritten };
  const { added, changed, conflicts } = await writeChanges(table, changes, writing);
  const isNew = new Set(changes.filter(({ kind }) => kind === 'added').map(({ identifier }) => identifier));
  const appeared = conflicts.filter((identifier) => isNew.has(identifier)).length;
  return {
    ...counts,
    missing: counts.missing - appeared,
    differing: counts.differing + appeared,
    restored: added,
    overwritten: changed,
  };
};
