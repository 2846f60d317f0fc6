import * as v from 'valibot';
import { type AttributeValue, type Item, toJson } from '../../../shared/storage/attribute-json.ts';
import { readNumber } from './read-number.ts';

/** JSON has no sets and no bytes. A file has them in DynamoDB's form: `{"DynamoDB": {"SS": ["a", "b"]}}`. */
const MARK = 'DynamoDB';

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Converts a value to JSON that `fromFileJson` reads back. */
export const toFileJson = (value: AttributeValue): unknown => {
  if (value.SS) return { [MARK]: { SS: value.SS } };
  if (value.NS) return { [MARK]: { NS: value.NS } };
  if (value.BS) return { [MARK]: { BS: value.BS.map(toBase64) } };
  if (value.B) return { [MARK]: { B: toBase64(value.B) } };
  if (value.L) return value.L.map(toFileJson);
  if (!value.M) return toJson(value);
  const { M } = value;
  const names = Object.keys(M).sort();
  const object = Object.fromEntries(names.map((name) => [name, M[name] && toFileJson(M[name])]));
  return onlyEntry(M, MARK) ? { [MARK]: { M: object } } : object;
};

const Digits = v.pipe(
  v.string(),
  v.transform((text) => readNumber(text)),
  v.check((number) => 'digits' in number),
  v.transform((number) => ('digits' in number ? number.digits : '')),
);
// Uses the SDK's type for bytes, so that a comparison finds no difference.
const Bytes = v.pipe(
  v.string(),
  v.check((text) => toBase64(Buffer.from(text, 'base64')) === text),
  v.transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
);
const setOf = <T>(member: v.GenericSchema<string, T>) =>
  v.pipe(
    v.array(member),
    v.minLength(1),
    v.check((members) => new Set(members.map(String)).size === members.length),
  );
const MarkedValue = v.strictObject({
  [MARK]: v.union([
    v.strictObject({ SS: setOf(v.string()) }),
    v.strictObject({ NS: setOf(Digits) }),
    v.strictObject({ BS: setOf(Bytes) }),
    v.strictObject({ B: Bytes }),
  ]),
});

/** Converts the values with the mark. A value that DynamoDB would refuse, such as an empty set, stays an object. */
export const fromFileJson = (value: AttributeValue): AttributeValue => {
  if (value.L) return { L: value.L.map(fromFileJson) };
  if (!value.M) return value;
  const form = onlyEntry(value.M, MARK);
  if (!form) return { M: fromFileItem(value.M) };
  const { M } = onlyEntry(form.M ?? {}, 'M') ?? {};
  const { success, output } = v.safeParse(MarkedValue, toJson(value));
  return success ? output[MARK] : { M: fromFileItem(M ?? value.M) };
};

export const fromFileItem = (attributes: Item): Item =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, fromFileJson(value)]));

const onlyEntry = (attributes: Item, name: string) =>
  Object.keys(attributes).length === 1 && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
