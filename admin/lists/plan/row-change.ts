import { mapValues } from '../../../shared/object-keys.ts';
import type { Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { type Column, type Format, isNumber } from '../../text/output.ts';
import { attributeOf, changedAttributes } from '../values/compare-values.ts';
import { toFileJson } from '../values/file-values.ts';

/** The order in which changes are shown and written. */
export const changeKinds = ['added', 'changed', 'renamed', 'removed'] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** A change to one row of a list. An unchanged value is the same object in `before` and `after`. */
export type RowChange = {
  kind: ChangeKind;
  /** That of the row before, if it is renamed. */
  identifier: string;
  /** Empty for a new row. */
  before: Item;
  /** Empty for a removed row. A renamed row has its new identifier here, and may have other attributes. */
  after: Item;
};

/** An expression for more attributes could exceed DynamoDB's limit of 4 KB. */
export const MAX_CHANGED_ATTRIBUTES = 100;

export const originKinds = ['import', 'edit', 'remove', 'restore', 'undo'] as const;

/** Where a change comes from: `source` is the name of a file or of a restored table, and `undoes` the id of another change. */
export type ChangeOrigin = { kind: (typeof originKinds)[number]; source?: string; undoes?: string };

export type ChangeCounts = Record<ChangeKind, number>;

export const countChanges = (changes: readonly RowChange[]): ChangeCounts =>
  mapValues(
    { added: 0, changed: 0, renamed: 0, removed: 0 },
    (wanted) => changes.filter(({ kind }) => kind === wanted).length,
  );

/** A line for each changed attribute, or one line for a row that has no attribute. For a renamed row, the key comes first. */
export type ChangeLine = Pick<RowChange, 'kind' | 'identifier'> & {
  attribute?: string;
  before?: unknown;
  after?: unknown;
};

export function* changeLines(name: ListName, changes: readonly RowChange[]): Generator<ChangeLine> {
  const ordered = changeKinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
  const key = tables[name].partitionKey;
  for (const { kind, identifier, before, after } of ordered) {
    const changed = changedAttributes(before, after, key).sort();
    const names = kind === 'renamed' ? [key, ...changed] : changed;
    if (names.length === 0) yield { kind, identifier };
    for (const attribute of names) {
      const line = { kind, identifier, attribute };
      yield { ...line, ...sideOf('before', before, attribute), ...sideOf('after', after, attribute) };
    }
  }
}

const sideOf = (when: 'before' | 'after', item: Item, name: string) => {
  const value = attributeOf(item, name);
  return value === undefined ? {} : { [when]: toFileJson(value) };
};

/** A cell has JSON, so that the text "7" differs from the number 7. */
export const changeColumns = (name: ListName, format: Format): Column<ChangeLine>[] => {
  const toCell = (value: unknown) =>
    format.kind === 'json' || value === undefined || isNumber(value) ? value : JSON.stringify(value);
  return [
    { name: 'Kind', value: ({ kind }) => kind },
    { name: tables[name].partitionKey, value: ({ identifier }) => identifier },
    { name: 'Attribute', value: ({ attribute }) => attribute },
    { name: 'Before', value: ({ before }) => toCell(before) },
    { name: 'After', value: ({ after }) => toCell(after) },
  ];
};
