import type { AttributeValue, Item } from '../../../shared/storage/attribute-json.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import type { RowChange } from '../plan/row-change.ts';
import { changedAttributes } from '../values/compare-values.ts';

type Bytes = AttributeValue.BMember | AttributeValue.BSMember;
type Container = AttributeValue.LMember | AttributeValue.MMember;
/** A value in DynamoDB's own JSON, which has bytes in base64. So all digits and types stay. */
type StoredValue =
  | Exclude<AttributeValue, Bytes | Container>
  | { B: string }
  | { BS: string[] }
  | { L: StoredValue[] }
  | { M: StoredItem };
type StoredItem = { [name: string]: StoredValue };

/** A change to one row. A changed row has its changed attributes, each other row all but its identifier. */
export type StoredRow = { id: string; to?: string; before?: StoredItem; after?: StoredItem };

export const toStoredRow = (list: ListName, { kind, identifier, before, after }: RowChange): StoredRow => {
  const { partitionKey: key } = tables[list];
  const changed = new Set(changedAttributes(before, after, key));
  const side = (item: Item) =>
    toStoredItem(item, (name) => name !== key && (kind !== 'changed' || changed.has(name)));
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
  const from = before && fromStoredItem(before);
  const onto = after && fromStoredItem(after);
  if (to !== undefined)
    return { kind: 'renamed', identifier: id, before: side(id, from), after: side(to, onto ?? from) };
  const kind = from ? (onto ? 'changed' : 'removed') : 'added';
  return { kind, identifier: id, before: side(id, from), after: side(id, onto) };
};

/** The SDK gives no value for an attribute `__proto__`. */
const toStoredItem = (item: Item, isKept = (_: string) => true): StoredItem =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      value && isKept(name) ? [[name, toStoredValue(value)]] : [],
    ),
  );

const toStoredValue = (value: AttributeValue): StoredValue => {
  if (value.B) return { B: toBase64(value.B) };
  if (value.BS) return { BS: value.BS.map(toBase64) };
  if (value.L) return { L: value.L.map(toStoredValue) };
  return value.M ? { M: toStoredItem(value.M) } : value;
};

const fromStoredItem = (item: StoredItem): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, fromStoredValue(value)]));

const fromStoredValue = (value: StoredValue): AttributeValue => {
  if ('B' in value) return { B: toBytes(value.B) };
  if ('BS' in value) return { BS: value.BS.map(toBytes) };
  if ('L' in value) return { L: value.L.map(fromStoredValue) };
  return 'M' in value ? { M: fromStoredItem(value.M) } : value;
};

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
/** Of the SDK's type for bytes, so that a comparison finds no difference. */
const toBytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

/** The row as the history can keep it. */
export const asStored = (item: Item): Item => fromStoredItem(toStoredItem(item));
