import * as v from 'valibot';
import type { AttributeValue, Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { Message } from '../../text/message.ts';
import { quote } from '../../text/quote.ts';
import { collectRows } from '../rows/collect-rows.ts';
import { collectIssues } from '../rows/issues.ts';
import { readCells } from '../rows/table-cells.ts';
import type { Header } from '../rows/table-header.ts';
import type { ValueKind } from '../rows/titles.ts';
import { attributeOf, equalsInApi, omit } from '../values/compare-values.ts';
import { nameIssue } from '../values/json-values.ts';
import type { List, ListInput } from './plan-changes.ts';
import { changeKinds } from './row-change.ts';

/** An admin's change to a row. `cells` has the changed attributes only. An empty text removes an attribute. */
export const RowEdit = v.object({
  kind: v.picklist(changeKinds),
  identifier: v.string(),
  /** The new identifier of a renamed row. */
  to: v.optional(v.string()),
  cells: v.array(v.object({ name: v.string(), kind: v.picklist(['text', 'number']), text: v.string() })),
});
export type RowEdit = v.InferOutput<typeof RowEdit>;

/** Converts an admin's edits to rows and removals. Throws a Failure that lists all issues. `decimal` is the decimal sign of the edits. */
export const readEdits = (
  list: ListName,
  stored: List,
  edits: readonly RowEdit[],
  decimal: '.' | ',' = '.',
): ListInput => {
  const { partitionKey: key } = tables[list];
  const issues = collectIssues('These changes are');
  const rows = collectRows(list, issues);
  const renamed = new Map<string, string>();

  const issueInList = (edit: RowEdit, attributes: Item) => {
    const { kind, identifier } = edit;
    const before = stored.get(identifier);
    if (kind !== 'added' && !before) return 'this row is no longer in the list; discard its changes';
    if (kind === 'renamed' && stored.has(nameAfter(edit)))
      return `${quote(nameAfter(edit))} is already in the list; choose another ${key}`;
    // An equal row is no issue: an earlier write of these edits may have added the row, and then ended early.
    return kind === 'added' && before && !equalsInApi({ M: omit(before, [key]) }, { M: attributes })
      ? `this ${key} is already in the list; remove the new row`
      : undefined;
  };

  const addRow = (edit: RowEdit) => {
    const { identifier, cells } = edit;
    const name = nameAfter(edit);
    const place = { unit: 'edit', at: identifier } as const;
    let isValid = true;
    const addIssue = (detail: Message) => {
      isValid = false;
      issues.add(place, detail);
    };
    const before = stored.get(identifier) ?? {};
    const texts = [identifier, ...cells.map(({ text }) => text)];
    const row = readCells(headerOf(key, cells, before), {
      cells: texts,
      style: { decimal },
      addIssue,
    });
    const details = [
      ...cells.map(({ name }) =>
        cellIssue(name, key, attributeOf(before, name), attributeOf(row.attributes, name)),
      ),
      repeatedIn(edited, identifier) ?? issueInList(edit, row.attributes),
    ];
    for (const detail of details) if (detail) addIssue(detail);
    if (isValid) rows.add(name, { ...place, ...row });
    if (name !== identifier) renamed.set(name, identifier);
  };

  const removals = edits.filter(({ kind }) => kind === 'removed').map(({ identifier }) => identifier);
  const removed = new Set(removals);
  const edited = new Set(removals);
  for (const edit of edits) if (edit.kind !== 'removed') addRow(edit);
  return { rows: rows.finish(), removed, renamed };
};

/** Counts the identifier from now on. */
const repeatedIn = (edited: Set<string>, identifier: string) => {
  if (edited.has(identifier)) return 'the row is in these changes twice; send one change of it';
  edited.add(identifier);
  return undefined;
};

const nameAfter = ({ kind, identifier, to = '' }: RowEdit) => (kind === 'renamed' ? to : identifier);

const headerOf = (key: string, cells: RowEdit['cells'], stored: Item): Header => ({
  keyIndex: 0,
  columns: [{ name: key, kind: 'text' as const }, ...cells].map(({ name, kind }) => ({
    name,
    kind: kind === 'text' && name !== key ? kindOfStored(attributeOf(stored, name)) : kind,
    title: name,
  })),
  untitledCount: 0,
});

/** In a column with values of several kinds, an edited value keeps its kind. */
const kindOfStored = (stored: AttributeValue | undefined): ValueKind => {
  if (stored === undefined || 'S' in stored) return 'text';
  return 'N' in stored ? 'number' : 'json';
};

type Value = AttributeValue | undefined;

const cellIssue = (name: string, key: string, before: Value, after: Value) => {
  if (name === key) return `every row already has a ${key}; choose another name for the column`;
  return nameIssue(name) ?? (losesSet(before, after) ? `column ${quote(name)}: ${SET_LOST}` : undefined);
};

const SET_LOST =
  'the row has a set or bytes here, which an array or a text would replace; write the value as in a file, such as {"DynamoDB": {"SS": ["a", "b"]}}';

/** A cell shows a set as an array, so an edit of the cell would store an array. */
const losesSet = (before: Value, after: Value) =>
  before && after && hasSet(before) && !hasSet(after) && !equalsInApi(before, after);

const hasSet = ({ SS, NS, BS, B, L, M }: AttributeValue): boolean =>
  (SS ?? NS ?? BS ?? B) !== undefined || (L ?? Object.values(M ?? {})).some(hasSet);
