import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB's published rules of size and of what a call is charged with. */

export type Item = Record<string, AttributeValue>;

const KB = 1_024;

/** A write unit for each KB that is begun. */
export const writeUnits = (itemBytes: number) => Math.max(1, Math.ceil(itemBytes / KB));

/** A consistent read: a read unit for each 4 KB that are begun, and one for a call that finds nothing. */
export const readUnits = (bytesOfOneCall: number) => Math.max(1, Math.ceil(bytesOfOneCall / (4 * KB)));

/** An item without an index is stored with so many bytes beside its own. */
const STORED_BESIDE = 100;
export const storedBytes = (itemBytes: number) => itemBytes + STORED_BESIDE;

export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

/** A map or a list takes three bytes, and one more for each thing within. */
const NESTED = 3;

const valueBytes = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.L) return value.L.reduce((sum, inner) => sum + 1 + valueBytes(inner), NESTED);
  if (value.M) return NESTED + Object.keys(value.M).length + itemBytes(value.M);
  return 1;
};

/** A byte for each two digits from the decimal point on, without zeros at either end; one more, and one for a sign. */
const numberBytes = (number: string) => {
  const [whole = '', fraction = ''] = number.replace('-', '').split('.');
  const digits = whole.padStart(even(whole), '0') + fraction.padEnd(even(fraction), '0');
  return digits.replace(/^(00)+/, '').replace(/(00)+$/, '').length / 2 + 1 + (number.startsWith('-') ? 1 : 0);
};

const even = ({ length }: string) => length + (length % 2);
