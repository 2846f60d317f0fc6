import type { AttributeValue, Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { quote } from '../../text/quote.ts';
import type { FileRow } from '../rows/collect-rows.ts';
import { collectIssues } from '../rows/issues.ts';
import { attributeOf, equalsInApi, haveSameAttributes, omit } from '../values/compare-values.ts';
import { LOST_NAME } from '../values/json-values.ts';
import { itemSizeIssue, listSizeIssue, refuseSize } from '../values/size-limits.ts';
import { warnOfLostNumbers } from './lost-numbers.ts';
import type { RowChange } from './row-change.ts';

/** The rows of a list by their identifiers. */
export type List = ReadonlyMap<string, Item>;

/** The rows of a file or of edits, the identifiers of rows to remove, and notices about them. */
export type Given = {
  rows: ReadonlyMap<string, FileRow>;
  removed?: ReadonlySet<string>;
  notices?: readonly string[];
};

/** `unchanged` counts given rows. */
export type ListPlan = { changes: RowChange[]; unchanged: number; notices: string[] };

/**
 * Plans the changes that bring the given rows into a list. With `isReplaced`, the list becomes exactly these rows.
 * Throws when a row or the list would be too large.
 */
export const planChanges = (
  name: ListName,
  stored: List,
  { rows, removed = new Set(), notices = [] }: Given,
  isReplaced = false,
): ListPlan => {
  const { partitionKey: key } = tables[name];
  const changes: RowChange[] = [];
  let unchanged = 0;
  const issues = collectIssues();
  const afterwards: Item[] = [];

  const planRow = (identifier: string, row: FileRow) => {
    const before = stored.get(identifier);
    const remaining = before && !isReplaced ? omit(before, row.cleared) : {};
    const given = Object.entries(row.attributes).map(([name, value]) => [
      name,
      keepIfEqual(before, name, value),
    ]);
    const after = { ...remaining, ...Object.fromEntries(given), [key]: { S: identifier } };
    afterwards.push(after);
    const isKept = (one: unknown, other: unknown, name: string) => name === key || one === other;
    if (before && haveSameAttributes(before, after, isKept)) {
      unchanged += 1;
      return;
    }
    changes.push({ kind: before ? 'changed' : 'added', identifier, before: before ?? {}, after });
    // The SDK drops the value of such an attribute, so it cannot be measured.
    const issue = itemSizeIssue(omit(after, [LOST_NAME]));
    if (issue) issues.add(row, `${quote(identifier)}: ${issue}`);
  };

  for (const [identifier, row] of rows) planRow(identifier, row);
  for (const [identifier, before] of stored) {
    if (rows.has(identifier)) continue;
    if (isReplaced || removed.has(identifier)) {
      changes.push({ kind: 'removed', identifier, before, after: {} });
    } else afterwards.push(before);
  }
  issues.throwIfAny();
  const sizeIssue = listSizeIssue(name, afterwards);
  if (sizeIssue) throw refuseSize(sizeIssue);
  return { changes, unchanged, notices: [...notices, ...warnOfLostNumbers(changes, rows)] };
};

/** The API shows a set as an array, so an equal array must not replace a stored set. */
const keepIfEqual = (before: Item | undefined, name: string, given: AttributeValue) => {
  const stored = before && attributeOf(before, name);
  return stored && equalsInApi(stored, given) ? stored : given;
};
