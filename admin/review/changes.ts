import { type ListName, tables } from '../../shared/tables.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import type { Marked } from '../text/marked.ts';
import { countOf } from '../text/words.ts';

export const MAX_WARNINGS_OF_KIND = 10;

export const describeMore = (count: number, one: string, many: string): Marked[] => {
  const more = count - MAX_WARNINGS_OF_KIND;
  return more > 0 ? [[`${countOf(more, `more ${one}`, `more ${many}`)}.`]] : [];
};

export const newNamesIn = (list: ListName, changes: readonly RowChange[]) =>
  changes.flatMap((change) =>
    change.kind === 'added' || change.kind === 'renamed' ? [nameAfter(list, change)] : [],
  );

export const nameAfter = (list: ListName, { after }: RowChange) => after[tables[list].partitionKey]?.S ?? '';

export const lostNamesIn = (changes: readonly RowChange[]) =>
  changes.flatMap(({ kind, identifier }) => (kind === 'removed' || kind === 'renamed' ? [identifier] : []));
