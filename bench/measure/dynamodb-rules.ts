import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB's published rules for sizes and for the units of a call. */

export type Item = Record<string, AttributeValue>;

const KB = 1_024;

/** One write unit for each started KB. */
export const writeUnits = (itemBytes: number) => Math.max(1, Math.ceil(itemBytes / KB));

/** A consistent read: one read unit for each started 4 KB, and one for a call that finds nothing. */
export const readUnits = (bytesOfOneCall: number) => Math.max(1, Math.ceil(bytesOfOneCall / (4 * KB)));

/** DynamoDB adds this to each stored item of a table without indexes. */
const STORAGE_OVERHEAD = 100;
export const storedBytes = (itemBytes: number) => itemBytes + STORAGE_OVERHEAD;

export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

/** A map or a list takes three bytes, and one more for each element. */
const NESTED_OVERHEAD = 3;

const valueBytes = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.L) return value.L.reduce((sum, inner) => sum + 1 + valueBytes(inner), NESTED_OVERHEAD);
  if (value.M) return NESTED_OVERHEAD + Object.keys(value.M).length + itemBytes(value.M);
  return 1;
};

/** One byte for two digits, counted from the decimal point, without outer zeros. One more byte, and one for a sign. */
const numberBytes = (number: string) => {
  const [whole = '', fraction = ''] = number.replace('-', '').split('.');
  const digits = whole.padStart(even(whole), '0') + fraction.padEnd(even(fraction), '0');
  return digits.replace(/^(00)+/, '').replace(/(00)+$/, '').length / 2 + 1 + (number.startsWith('-') ? 1 : 0);
};

const even = ({ length }: string) => length + (length % 2);
