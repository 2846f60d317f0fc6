import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, type Item, toJson } from '../../../shared/storage/attribute-json.ts';
import { UNWRITABLE_NAME } from './json-values.ts';
import { readNumber } from './read-number.ts';

/** Ignores inherited properties, such as `constructor`. */
export const attributeOf = (attributes: Item, name: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

/** Whether the API shows both values alike. The API shows a set as an array, and bytes as a text. */
export const equalsInApi = (stored: AttributeValue, incoming: AttributeValue): boolean => {
  if (isSameValue(stored, incoming)) return true;
  const members = membersOf(stored);
  if (members && incoming.L) return toSortedText(members) === toSortedText(incoming.L);
  if (stored.L && incoming.L) return areEqualArraysInApi(stored.L, incoming.L);
  if (stored.M && incoming.M) return areEqualMapsInApi(stored.M, incoming.M);
  return toText(stored) === toText(incoming);
};

const membersOf = ({ SS, NS, BS }: AttributeValue): AttributeValue[] | undefined =>
  SS?.map((S) => ({ S })) ?? NS?.map((N) => ({ N })) ?? BS?.map((B) => ({ B }));

/** A set has no order. */
const toSortedText = (values: readonly AttributeValue[]) => values.map(toText).sort().join();

const toText = (value: AttributeValue) =>
  JSON.stringify(toJson(value.N === undefined ? value : { N: toDigits(value.N) }));

const areEqualArraysInApi = (stored: AttributeValue[], incoming: AttributeValue[]) =>
  stored.length === incoming.length &&
  stored.every((value, index) => isEqualAttributeInApi(value, incoming[index]));

type MaybeValue = AttributeValue | undefined;

const isEqualAttributeInApi = (stored: MaybeValue, incoming: MaybeValue) =>
  stored !== undefined && incoming !== undefined && equalsInApi(stored, incoming);

const areEqualMapsInApi = (stored: Item, incoming: Item) => {
  const names = Object.keys(stored);
  return (
    names.length === Object.keys(incoming).length &&
    names.every((name) => isEqualAttributeInApi(attributeOf(stored, name), attributeOf(incoming, name)))
  );
};

const toDigits = (text: string) => {
  const number = readNumber(text);
  return 'digits' in number ? number.digits : text;
};

/** Whether both values are the same in DynamoDB, where a set has no order. */
export const isSameValue = (first: AttributeValue, second: AttributeValue) =>
  isDeepStrictEqual(sortSets(first), sortSets(second));

export const isSameRow = (first: Item, second: Item) => isSameValue({ M: first }, { M: second });

/** Whether an attribute is the same in two rows, which may lack it. */
export const haveSame = (name: string, one: Item, other: Item) => {
  const [first, second] = [attributeOf(one, name), attributeOf(other, name)];
  return first && second ? isSameValue(first, second) : first === second;
};

/** The second row, with the objects of the first one where a value is the same. */
export const keepSameValues = (before: Item, after: Item): Item =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => {
      const existing = attributeOf(before, name);
      return [name, existing && isSameValue(existing, value) ? existing : value];
    }),
  );

/** The SDK gives no value for an attribute `__proto__`. */
const sortSets = (value: AttributeValue): unknown => {
  if (value.SS) return { SS: value.SS.toSorted() };
  if (value.NS) return { NS: value.NS.toSorted() };
  if (value.BS) return { BS: value.BS.map((bytes) => Buffer.from(bytes).toString('base64')).sort() };
  if (value.L) return { L: value.L.map(sortSets) };
  if (value.M) return { M: new Map(Object.entries(value.M).map(([k, v]) => [k, v && sortSets(v)])) };
  return value;
};

/** Whether the SDK can write the value without losing an attribute. */
export const isWritable = (value: AttributeValue): boolean => {
  if (value.L) return value.L.every(isWritable);
  if (value.M) return !Object.hasOwn(value.M, UNWRITABLE_NAME) && Object.values(value.M).every(isWritable);
  return true;
};

export const omit = (item: Item, names: readonly string[]): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** The names of changed attributes. An unchanged value is the same object in both items. */
export const changedAttributes = (before: Item, after: Item, key: string) =>
  Object.keys({ ...before, ...after }).filter(
    (name) =>
      name !== key &&
      (Object.hasOwn(before, name) !== Object.hasOwn(after, name) || before[name] !== after[name]),
  );

/** Whether a row is as a change leaves it. Of a row that stays, only the changed attributes count. */
export const isAsPlanned = (
  key: string,
  row: Item | undefined,
  { before, after }: Record<'before' | 'after', Item>,
) => {
  if (!row || !Object.hasOwn(after, key)) return !row && !Object.hasOwn(after, key);
  if (!Object.hasOwn(before, key)) return isSameRow(row, after);
  return changedAttributes(before, after, key).every((name) => haveSame(name, row, after));
};
