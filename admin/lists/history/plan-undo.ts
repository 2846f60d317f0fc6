import type { Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { quote } from '../../text/quote.ts';
import { countOf, joinFirstNames } from '../../text/words.ts';
import type { List, ListPlan } from '../plan/plan-changes.ts';
import type { RowChange } from '../plan/row-change.ts';
import { changedAttributes, haveSame, isSameRow, keepSameValues, omit } from '../values/compare-values.ts';
import { sizeFailure } from '../values/size-limits.ts';
import { reverseOf, sizeIssueAfter } from './replay.ts';

/**
 * Plans how to take back the rows that a change has written. What somebody has changed since stays. Throws when the list would be too
 * large.
 */
export const planUndo = (name: ListName, stored: List, written: readonly RowChange[]): ListPlan => {
  const { partitionKey: key } = tables[name];
  const changes: RowChange[] = [];
  const left: string[] = [];
  let unchanged = 0;
  for (const change of written) {
    const { planned, isComplete } = takeBack(key, stored, reverseOf(key, change));
    if (planned) changes.push(planned);
    else if (isComplete) unchanged += 1;
    if (!isComplete) left.push(quote(change.identifier));
  }
  const sizeIssue = sizeIssueAfter(name, stored, changes);
  if (sizeIssue) throw sizeFailure(sizeIssue);
  const notice = `Somebody has changed ${countOf(left.length, 'row')} since then, and that stays: ${joinFirstNames(left)}.`;
  return { changes, unchanged, notices: left.length > 0 ? [notice] : [], warnings: [] };
};

type TakenBack = { planned?: RowChange; isComplete: boolean };

const takeBack = (key: string, stored: List, change: RowChange): TakenBack => {
  const { kind, identifier, before, after } = change;
  const row = stored.get(identifier);
  if (kind === 'changed') return row ? resetAttributes(key, row, change) : { isComplete: false };
  const rowIn = (item: Item, id: string) => (item[key]?.S === id ? item : undefined);
  const isAs = (item: Item) =>
    [identifier, after[key]?.S ?? identifier].every((id) => isSameMaybe(stored.get(id), rowIn(item, id)));
  if (!isAs(before)) return { isComplete: isAs(after) };
  const planned = { kind, identifier, before: row ?? {}, after: keepSameValues(row ?? {}, after) };
  return { planned, isComplete: true };
};

const isSameMaybe = (first: Item | undefined, second: Item | undefined) =>
  first && second ? isSameRow(first, second) : first === second;

/** Resets the attributes that still have the value of the change. */
const resetAttributes = (
  key: string,
  row: Item,
  { kind, identifier, before, after }: RowChange,
): TakenBack => {
  const names = changedAttributes(before, after, key);
  const areAs = (item: Item) => names.filter((name) => haveSame(name, row, item));
  const reset = areAs(before);
  const isComplete = reset.length + areAs(after).length === names.length;
  if (reset.length === 0) return { isComplete };
  const others = names.filter((name) => !reset.includes(name));
  return {
    planned: { kind, identifier, before: row, after: { ...omit(row, reset), ...omit(after, others) } },
    isComplete,
  };
};
