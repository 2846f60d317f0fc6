import type { Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { RowChange } from '../plan/row-change.ts';
import { changedAttributes } from '../values/compare-values.ts';

/** A change to one row. A changed row has its changed attributes, each other row all but its identifier. */
export type StoredRow = { id: string; to?: string; before?: Item; after?: Item };

export const toStoredRow = (list: ListName, { kind, identifier, before, after }: RowChange): StoredRow => {
  const { partitionKey: key } = tables[list];
  const changed = new Set(changedAttributes(before, after, key));
  const side = (item: Item) =>
    Object.fromEntries(
      Object.entries(item).filter(([name]) => name !== key && (kind !== 'changed' || changed.has(name))),
    );
  const row: StoredRow = { id: identifier };
  if (kind === 'renamed') row.to = after[key]?.S ?? '';
  if (kind !== 'added') row.before = side(before);
  if (kind !== 'removed' && !(kind === 'renamed' && changed.size === 0)) row.after = side(after);
  return row;
};

export const fromStoredRow = (list: ListName, { id, to, before, after }: StoredRow): RowChange => {
  const { partitionKey: key } = tables[list];
  const side = (identifier: string, item: Item | undefined) =>
    item ? { [key]: { S: identifier }, ...item } : {};
  if (to !== undefined)
    return { kind: 'renamed', identifier: id, before: side(id, before), after: side(to, after ?? before) };
  const kind = before ? (after ? 'changed' : 'removed') : 'added';
  return { kind, identifier: id, before: side(id, before), after: side(id, after) };
};

/** JSON with DynamoDB's types, which has bytes in base64. So all digits and types stay. */
export const toStoredJson = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Uint8Array ? Buffer.from(part).toString('base64') : part,
  );

/** Only bytes have a text under `B`, or an array under `BS`. */
export const fromStoredJson = (json: string) =>
  JSON.parse(json, (name, part: unknown) => {
    if (name === 'B' && typeof part === 'string') return toBytes(part);
    return name === 'BS' && Array.isArray(part) ? part.map(toBytes) : part;
  });

/** Of the SDK's type for bytes, so that a comparison finds no difference. */
const toBytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

/** The row as the history can keep it. */
export const asStored = (item: Item): Item => fromStoredJson(toStoredJson(item));
