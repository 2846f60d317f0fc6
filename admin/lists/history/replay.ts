import type { Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { List } from '../plan/plan-changes.ts';
import type { RowChange } from '../plan/row-change.ts';
import { isAsPlanned, isSameRow, keepSameValues, omit } from '../values/compare-values.ts';
import { listSizeIssue } from '../values/size-limits.ts';
import type { ListRecord } from './history-reader.ts';

export const applyChange = (
  key: string,
  rows: Map<string, Item>,
  { kind, identifier, before, after }: RowChange,
) => {
  if (kind === 'changed') {
    const row = rows.get(identifier);
    if (row) rows.set(identifier, { ...omit(row, Object.keys(before)), ...after });
    return;
  }
  if (kind !== 'added') rows.delete(identifier);
  if (kind !== 'removed') rows.set(after[key]?.S ?? '', after);
};

export const sizeIssueAfter = (name: ListName, stored: List, changes: readonly RowChange[]) => {
  const rows = new Map(stored);
  for (const change of changes) applyChange(tables[name].partitionKey, rows, change);
  return listSizeIssue(name, [...rows.values()]);
};

const reverseKinds = { added: 'removed', changed: 'changed', renamed: 'renamed', removed: 'added' } as const;

export const reverseOf = (key: string, { kind, identifier, before, after }: RowChange): RowChange => ({
  kind: reverseKinds[kind],
  identifier: kind === 'renamed' ? (after[key]?.S ?? '') : identifier,
  before: after,
  after: before,
});

const isAfter = (key: string, rows: List, { kind, identifier, before, after }: RowChange) => {
  if (kind === 'renamed' && rows.has(identifier)) return false;
  return isAsPlanned(key, rows.get(after[key]?.S ?? identifier), {
    before: kind === 'changed' ? before : {},
    after,
  });
};

/**
 * The rows that each change has written, by its id. The end of a change says it. Without an end, the row itself says it, as it was
 * before the later changes.
 */
export const findDone = (key: string, records: readonly ListRecord[], list: List) => {
  const rows = new Map(list);
  const done = new Map<string, RowChange[]>();
  for (const { head, changes, left } of records.toReversed()) {
    const written = changes.filter((change) =>
      head.EndedAt === undefined ? isAfter(key, rows, change) : !left.has(change.identifier),
    );
    for (const change of written) applyChange(key, rows, reverseOf(key, change));
    done.set(head.Id, written);
  }
  return done;
};

export const compareLists = (before: List, after: List): RowChange[] => {
  const changes: RowChange[] = [];
  for (const [identifier, row] of after) {
    const old = before.get(identifier);
    if (!old) changes.push({ kind: 'added', identifier, before: {}, after: row });
    else if (!isSameRow(old, row))
      changes.push({ kind: 'changed', identifier, before: old, after: keepSameValues(old, row) });
  }
  for (const [identifier, row] of before)
    if (!after.has(identifier)) changes.push({ kind: 'removed', identifier, before: row, after: {} });
  return changes;
};
