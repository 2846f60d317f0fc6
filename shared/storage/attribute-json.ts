import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { ListRow } from '../schemas/responses.ts';

export type { AttributeValue, ListRow };

/** An item in DynamoDB's own form: sets differ from lists, and numbers keep every digit. */
export type Item = Record<string, AttributeValue>;

declare global {
  interface JSON {
    /** Not in TypeScript's library yet. */
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}

/** Keeps all 38 digits of a number. Never throws, so that one unusual attribute cannot make a whole list fail. */
export const toJson = (value: AttributeValue | undefined): unknown => {
  if (value === undefined || value.NULL) return null;
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return toNumber(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.B !== undefined) return toBase64(value.B);
  if (value.SS !== undefined) return value.SS;
  if (value.NS !== undefined) return value.NS.map(toNumber);
  if (value.BS !== undefined) return value.BS.map(toBase64);
  if (value.L !== undefined) return value.L.map(toJson);
  if (value.M !== undefined) return withAttributes({}, value.M);
  return null;
};

/** Sorted by name, because DynamoDB returns attributes in no fixed order. */
const withAttributes = (object: Record<string, unknown>, attributes: Item) => {
  for (const name of Object.keys(attributes).sort()) {
    const value = attributes[name];
    if (value !== undefined) assign(object, name, toJson(value));
  }
  return object;
};

/** An assignment to `__proto__` would set the prototype. `Object.fromEntries` would not, but it is much slower. */
const assign = (object: Record<string, unknown>, name: string, value: unknown) => {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true });
  else object[name] = value;
};

const toNumber = (digits: string) => {
  try {
    return JSON.rawJSON(digits);
  } catch {
    return digits;
  }
};

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export const toListRow = (key: string, item: Item): ListRow =>
  withAttributes({ [key]: toJson(item[key]) }, item);
