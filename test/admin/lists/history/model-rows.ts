import type { RowChange } from '../../../../admin/lists/plan/row-change.ts';
import type { Item } from '../../../../shared/storage/attribute-json.ts';

export type Rows = Map<string, Item>;

const textOf = (row: Item | undefined, name: string) => JSON.stringify(row?.[name]);

export const isSame = (one: Item | undefined, other: Item | undefined) =>
  (one === undefined) === (other === undefined) &&
  Object.keys({ ...one, ...other }).every((name) => textOf(one, name) === textOf(other, name));

export const asObject = (rows: Rows, without: ReadonlySet<string> = new Set()) =>
  Object.fromEntries([...rows].filter(([identifier]) => !without.has(identifier)));

const only = (item: Item, isKept: (name: string) => boolean): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => isKept(name)));

/** The identifiers that a change touches. */
export const codesOf = (key: string, { identifier, after }: RowChange) => [
  identifier,
  after[key]?.S ?? identifier,
];

/** The change with the changed attributes only, as the history has it. */
export const compact = (key: string, change: RowChange): RowChange => {
  const { kind, before, after } = change;
  const isChanged = (name: string) => name === key || textOf(before, name) !== textOf(after, name);
  return kind === 'changed'
    ? { ...change, before: only(before, isChanged), after: only(after, isChanged) }
    : change;
};

export const inOrder = (changes: readonly RowChange[]) =>
  changes.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1));

/** Brings a compact change into the rows. */
export const apply = (key: string, rows: Rows, { kind, identifier, before, after }: RowChange) => {
  const row = rows.get(identifier);
  if (kind === 'changed') {
    if (row) rows.set(identifier, { ...only(row, (name) => !Object.hasOwn(before, name)), ...after });
    return;
  }
  if (kind !== 'added') rows.delete(identifier);
  if (kind !== 'removed') rows.set(String(after[key]?.S), after);
};

/** Takes back each attribute and row that is as the change left it. */
export const takeBack = (key: string, rows: Rows, { kind, identifier, before, after }: RowChange) => {
  const row = rows.get(identifier);
  const target = String(after[key]?.S);
  if (kind === 'changed' && row) {
    const isMine = (name: string) =>
      Object.hasOwn({ ...before, ...after }, name) && textOf(row, name) === textOf(after, name);
    const names = Object.keys({ ...before, ...after }).filter(isMine);
    rows.set(identifier, {
      ...only(row, (name) => !names.includes(name)),
      ...only(before, (name) => names.includes(name)),
    });
  }
  if (kind === 'removed' && !row) rows.set(identifier, before);
  if (kind === 'added' && isSame(row, after)) rows.delete(identifier);
  if (kind === 'renamed' && !row && isSame(rows.get(target), after)) {
    rows.delete(target);
    rows.set(identifier, before);
  }
};
