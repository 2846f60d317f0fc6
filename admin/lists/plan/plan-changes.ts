import { setImmediate } from 'node:timers/promises';
import type { AttributeValue, Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { Marked } from '../../text/marked.ts';
import { quote } from '../../text/quote.ts';
import { countOf } from '../../text/words.ts';
import type { FileRow } from '../rows/collect-rows.ts';
import { collectIssues } from '../rows/issues.ts';
import { attributeOf, changedAttributes, equalsInApi, isWritable, omit } from '../values/compare-values.ts';
import { UNWRITABLE_NAME } from '../values/json-values.ts';
import { itemSizeIssue, listSizeIssue, sizeFailure } from '../values/size-limits.ts';
import { findLostNumbers } from './lost-numbers.ts';
import { MAX_CHANGED_ATTRIBUTES, type RowChange } from './row-change.ts';

/** After so many rows, the console can respond to other requests. */
const ROWS_AT_A_TIME = 1_000;

/** The rows of a list by their identifiers. */
export type List = ReadonlyMap<string, Item>;

/** What a file or edits bring: rows, the identifiers of the rows to remove, and notices about the file. */
export type ListInput = {
  rows: ReadonlyMap<string, FileRow>;
  removed?: ReadonlySet<string>;
  /** The present identifiers of renamed rows, by their new identifiers. */
  renamed?: ReadonlyMap<string, string>;
  notices?: readonly string[];
};

/** `unchanged` counts the rows of the input that change nothing. A person has to accept `warnings` before a write. */
export type ListPlan = { changes: RowChange[]; unchanged: number; notices: string[]; warnings: Marked[] };

/**
 * Plans the changes that bring the rows of the input into a list. `replacesList` removes all other rows and attributes.
 * Throws when a row or the list would be too large.
 */
export const planChanges = async (
  name: ListName,
  stored: List,
  { rows, removed = new Set(), renamed = new Map(), notices = [] }: ListInput,
  replacesList = false,
): Promise<ListPlan> => {
  const { partitionKey: key } = tables[name];
  const changes: RowChange[] = [];
  let unchanged = 0;
  const issues = collectIssues();
  const afterwards: Item[] = [];

  const planRow = (identifier: string, row: FileRow) => {
    const oldIdentifier = renamed.get(identifier) ?? identifier;
    const before = stored.get(oldIdentifier);
    const remaining = before && !replacesList ? omit(before, row.cleared) : {};
    const attributes = Object.entries(row.attributes).map(([attribute, value]) => [
      attribute,
      keepIfEqual(before && attributeOf(before, attribute), value, row),
    ]);
    const after = { ...remaining, ...Object.fromEntries(attributes), [key]: { S: identifier } };
    afterwards.push(after);
    const changed = before && changedAttributes(before, after, key);
    if (changed?.length === 0 && oldIdentifier === identifier) {
      unchanged += 1;
      return;
    }
    const change = toChange(oldIdentifier, identifier, before, after);
    changes.push(change);
    const issue = twinIssue(remaining, row.attributes) ?? wideIssue(changed) ?? rowIssue(change);
    if (issue) issues.add(row, `${quote(identifier)}: ${issue}`);
  };

  let planned = 0;
  for (const [identifier, row] of rows) {
    planRow(identifier, row);
    planned += 1;
    if (planned % ROWS_AT_A_TIME === 0) await setImmediate();
  }
  const oldIdentifiers = new Set(renamed.values());
  for (const [identifier, before] of stored) {
    if (rows.has(identifier) || oldIdentifiers.has(identifier)) continue;
    if (replacesList || removed.has(identifier)) {
      changes.push({ kind: 'removed', identifier, before, after: {} });
    } else afterwards.push(before);
  }
  issues.throwIfAny();
  const sizeIssue = listSizeIssue(name, afterwards);
  if (sizeIssue) throw sizeFailure(sizeIssue);
  const lost = findLostNumbers(changes, rows);
  return { changes, unchanged, notices: [...notices, ...lost.notices], warnings: lost.warnings };
};

const toChange = (identifier: string, to: string, before: Item | undefined, after: Item): RowChange => {
  if (!before) return { kind: 'added', identifier, before: {}, after };
  return { kind: identifier === to ? 'changed' : 'renamed', identifier, before, after };
};

/** A renamed row is written as a whole. The SDK loses the value of an attribute `__proto__`, so the value has no size. */
const rowIssue = ({ kind, after }: RowChange) =>
  kind === 'renamed' && !isWritable({ M: after })
    ? `the row has an attribute ${UNWRITABLE_NAME}, which a new name would lose; remove the attribute first`
    : itemSizeIssue(omit(after, [UNWRITABLE_NAME]));

const wideIssue = (changed: readonly string[] = []) =>
  changed.length > MAX_CHANGED_ATTRIBUTES
    ? `${countOf(changed.length, 'attribute')} of the row would change, but up to ${MAX_CHANGED_ATTRIBUTES} can change at once; import fewer columns at a time`
    : undefined;

/** Two attributes that look alike are a slip. An import would refuse an export of both. */
const twinIssue = (stored: Item, attributes: Item) => {
  const names = Object.keys(stored);
  const isTwin = (name: string) => names.some((other) => other.trim() === name.trim());
  const twin = Object.keys(attributes).find((name) => !Object.hasOwn(stored, name) && isTwin(name));
  return twin === undefined
    ? undefined
    : `${quote(twin)} differs only in spaces from an attribute that the row has; use the same name`;
};

/**
 * Keeps a stored set if the new value is an equal array, because the API shows both alike. Keeps a text whose line breaks a spreadsheet
 * has shortened.
 */
const keepIfEqual = (old: AttributeValue | undefined, value: AttributeValue, { unit }: FileRow) => {
  const isShortened = unit !== 'entry' && old?.S !== undefined && withShortBreaks(old.S) === value.S;
  return old && (isShortened || equalsInApi(old, value)) ? old : value;
};

const withShortBreaks = (text: string) => text.replaceAll(/\r\n?/g, '\n');
