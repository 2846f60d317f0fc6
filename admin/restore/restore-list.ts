import type { ListName } from '../../shared/tables.ts';
import type { HistoryTarget } from '../lists/history/history-writer.ts';
import { writeChanges } from '../lists/history/write-changes.ts';
import { compareTables, type OnCompared, type Restore } from './copy-items.ts';
import { toChanges } from './prepare-restore.ts';

const ADVICE = 'Run the same command again to restore the rest.';

/** Restores the rows of a list as one change, which the history of the list keeps. */
export const restoreList = async (
  deployment: HistoryTarget,
  restore: Restore & { table: ListName },
  from: string,
  onCompared: OnCompared,
  signal: AbortSignal,
) => {
  const { counts, found } = await compareTables(restore, onCompared, signal);
  const changes = toChanges(restore.table, found);
  const origin = { kind: 'restore', source: from } as const;
  const { added, changed, conflicts } = await writeChanges(restore.table, changes, {
    deployment,
    origin,
    signal,
    advice: ADVICE,
  });
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
