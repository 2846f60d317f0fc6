import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type { AttributeValue };

declare global {
  interface JSON {
    /** A piece of JSON that JSON.stringify puts out as it stands; throws on what is no JSON scalar. */
    rawJSON(text: string): unknown;
  }
}

/**
 * Whatever an admin stored, as JSON: a number to its last digit (DynamoDB holds 38), a set as an array, binary as
 * base64. It never throws; one odd attribute must not cost a warehouse its list.
 */
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
  if (value.M !== undefined) return toObject(value.M);
  return null;
};

type JsonObject = { [name: string]: unknown };

const toObject = (attributes: Record<string, AttributeValue>) => withAttributes({}, attributes);

/** The attributes by name, since DynamoDB gives them in another order each time, behind what is there already. */
export const withAttributes = (object: JsonObject, attributes: Record<string, AttributeValue>) => {
  for (const name of Object.keys(attributes).sort()) assign(object, name, toJson(attributes[name]));
  return object;
};

/** Far faster than an object of pairs; but what is assigned to this one name is no value. */
const assign = (object: JsonObject, name: string, value: unknown) => {
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
