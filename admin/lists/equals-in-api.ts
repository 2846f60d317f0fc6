import { type AttributeValue, toJson } from '../../shared/storage/attribute-json.ts';
import { toDecimal } from '../import/decimal.ts';

/** Whether the API shows a stored value as it would a given one: a set as a list, binary as a text. */
export const equalsInApi = (stored: AttributeValue, given: AttributeValue): boolean => {
  const members = membersOf(stored);
  if (members) return given.L !== undefined && sameMembers(members, given.L);
  if (stored.L) return given.L !== undefined && sameList(stored.L, given.L);
  if (stored.M) return given.M !== undefined && sameObject(stored.M, given.M);
  if (stored.N !== undefined) return given.N !== undefined && digits(stored.N) === digits(given.N);
  return JSON.stringify(toJson(stored)) === JSON.stringify(toJson(given));
};

const membersOf = ({ SS, NS, BS }: AttributeValue): AttributeValue[] | undefined =>
  SS?.map((S) => ({ S })) ?? NS?.map((N) => ({ N })) ?? BS?.map((B) => ({ B }));

/** A set has no order that could be counted on. */
const sameMembers = (members: AttributeValue[], items: AttributeValue[]) => {
  const sorted = (values: AttributeValue[]) =>
    values
      .map((value) => JSON.stringify(toJson(value.N === undefined ? value : { N: digits(value.N) })))
      .sort();
  return sorted(members).join() === sorted(items).join();
};

const sameList = (stored: AttributeValue[], given: AttributeValue[]) =>
  stored.length === given.length &&
  stored.every((value, index) => {
    const other = given[index];
    return other !== undefined && equalsInApi(value, other);
  });

type Attributes = Record<string, AttributeValue>;

const sameObject = (stored: Attributes, given: Attributes) => {
  const names = Object.keys(stored);
  return (
    names.length === Object.keys(given).length &&
    names.every((name) => isSameAttribute(stored[name], attributeOf(given, name)))
  );
};

const isSameAttribute = (stored: AttributeValue | undefined, given: AttributeValue | undefined) =>
  stored !== undefined && given !== undefined && equalsInApi(stored, given);

/** Of its own: every object has a `constructor` from elsewhere. */
export const attributeOf = (attributes: Attributes, name: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined;

const digits = (text: string) => {
  const decimal = toDecimal(text);
  return 'digits' in decimal ? decimal.digits : text;
};
