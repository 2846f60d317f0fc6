import * as v from 'valibot';
import { MAX_LISTED_FAULTS } from './limits.ts';
import { isRecord } from './record.ts';

/** One thing that is wrong with a body: what to send instead, and where. */
export type Fault = { detail: string; pointer: string };

/** What is wrong with a body: the first faults in words, and how many there are in all. */
export type Faults = { listed: readonly Fault[]; count: number };

type Path = readonly (string | number)[];
type Sink = { add(detail: string, path: Path): void };

/**
 * Every fault of a body that its schema has refused.
 *
 * valibot alone would name only the first unknown field of an object, and would keep an issue for each of the
 * millions of faults that a hostile body can hold. So the schema is walked here: objects and lists by this
 * file, what they hold by valibot, and only the faults that will be listed are kept.
 */
export const explainFaults = (
  schema: v.GenericSchema,
  body: unknown,
  mostListed = MAX_LISTED_FAULTS,
): Faults => {
  const listed: Fault[] = [];
  let count = 0;
  const sink: Sink = {
    add: (detail, path) => {
      count += 1;
      if (listed.length < mostListed) listed.push({ detail, pointer: pointerTo(path) });
    },
  };
  explain(schema, body, [], sink);
  return { listed, count };
};

const explain = (schema: v.GenericSchema, value: unknown, path: Path, sink: Sink): void => {
  const wanted = isOptional(schema) ? schema.wrapped : schema;
  const kind = isUnion(wanted) ? alternativeFor(wanted, value) : wanted;
  if (isClosedObject(kind) && isRecord(value)) explainObject(kind, value, path, sink);
  else if (isClosedObject(kind)) sink.add(kind.message, path);
  else if (isList(kind) && Array.isArray(value)) explainList(kind, value, path, sink);
  else explainValue(kind, value, path, sink);
};

const explainValue = (schema: v.GenericSchema, value: unknown, path: Path, sink: Sink) => {
  for (const issue of v.safeParse(schema, value).issues ?? []) sink.add(issue.message, pathOf(issue, path));
};

const explainObject = (schema: ClosedObject, value: Record<string, unknown>, path: Path, sink: Sink) => {
  const names = Object.keys(schema.entries);
  for (const [name, field] of Object.entries(schema.entries)) {
    if (Object.hasOwn(value, name)) explain(field, value[name], [...path, name], sink);
    else if (!isOptional(field)) sink.add(`The field ${name} is missing.`, [...path, name]);
  }
  for (const name in value) {
    if (!Object.hasOwn(schema.entries, name)) {
      sink.add(`This field is not known; what is taken is ${inWords(names)}.`, [...path, name]);
    }
  }
};

const explainList = (schema: List, value: unknown[], path: Path, sink: Sink) => {
  const rules = 'pipe' in schema ? schema.pipe.filter(isValidation) : [];
  for (const [index, item] of value.entries()) explain(schema.item, item, [...path, index], sink);
  for (const rule of rules) {
    for (const issue of issuesOf(rule, value)) sink.add(issue.message, pathOf(issue, path));
  }
};

type Entries = Record<string, v.GenericSchema>;
type ClosedObject = v.StrictObjectSchema<Entries, string>;
type List = v.ArraySchema<v.GenericSchema, undefined> & { pipe?: readonly v.GenericPipeItem[] };
type Union = v.UnionSchema<v.GenericSchema[], undefined>;
type Optional = v.OptionalSchema<v.GenericSchema, undefined>;

const isClosedObject = (schema: v.GenericSchema): schema is ClosedObject => schema.type === 'strict_object';
const isList = (schema: v.GenericSchema): schema is List => schema.type === 'array';
const isUnion = (schema: v.GenericSchema): schema is Union => schema.type === 'union';
const isOptional = (schema: v.GenericSchema): schema is Optional => schema.type === 'optional';
const isValidation = (item: v.GenericPipeItem) => item.kind === 'validation';

/** Of a union, the alternative that the value looks like says what is wrong with it. */
const alternativeFor = (union: Union, value: unknown) =>
  union.options.find(
    (option) => isList(option) === Array.isArray(value) && isClosedObject(option) === isRecord(value),
  ) ?? union;

const issuesOf = (rule: v.GenericPipeItem, value: unknown[]) =>
  v.safeParse(v.pipe(v.array(v.unknown()), rule), value).issues ?? [];

const pathOf = (issue: v.BaseIssue<unknown>, parent: Path): Path => [
  ...parent,
  ...(issue.path ?? []).map(({ key }) => String(key)),
];

const inWords = (names: string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();

/** A field's name may be as long as the body; an answer repeats no more than this of one. */
const MAX_NAME_IN_POINTER = 128;

/** RFC 6901, in fragment form. It stops short of a field whose name is too long to repeat. */
const pointerTo = (path: Path) => {
  const tooLong = path.findIndex((token) => String(token).length > MAX_NAME_IN_POINTER);
  const repeated = tooLong === -1 ? path : path.slice(0, tooLong);
  return `#${repeated.map((token) => `/${escapeToken(String(token))}`).join('')}`;
};

const escapeToken = (token: string) =>
  encodeURIComponent(token.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
