import * as v from 'valibot';
import { isRecord } from './json.ts';
import { MAX_LISTED_FAULTS } from './limits.ts';
import { type Faults, Refusal } from './problem.ts';

// valibot reports only the first unknown field of an object, and keeps an issue for each of a million faults.
// So this file walks objects, lists and unions. valibot's own actions check the values.
export const validate = <TSchema extends v.GenericSchema>(
  schema: TSchema,
  value: unknown,
  maxListed = MAX_LISTED_FAULTS,
): Validation<v.InferOutput<TSchema>> => {
  const walk: Walk = { found: [], count: 0, maxListed };
  const output = checkFor(schema)(value, walk);
  return isOutputOf<TSchema>(output, walk) ? { output } : { faults: toFaults(walk) };
};

type Validation<TOutput> = { output: TOutput; faults?: undefined } | { output?: undefined; faults: Faults };

const isOutputOf = <TSchema extends v.GenericSchema>(
  _output: unknown,
  { count }: Walk,
): _output is v.InferOutput<TSchema> => count === 0;

/** Returns the output, or undefined for a value of the wrong kind. No output is used after a fault. */
type Check = (value: unknown, walk: Walk) => unknown;

type Key = string | number;
type Walk = { found: { detail: string; path: Key[] }[]; count: number; maxListed: number };

const addFault = (walk: Walk, detail: string, path: Key[] = []): undefined => {
  walk.count += 1;
  if (walk.found.length < walk.maxListed) walk.found.push({ detail, path });
};

/** Adds the key to the faults afterwards, so that a part without faults needs no path. */
const checkPart = (check: Check, part: unknown, key: Key, walk: Walk) => {
  const before = walk.found.length;
  const output = check(part, walk);
  if (walk.found.length > before) for (const { path } of walk.found.slice(before)) path.unshift(key);
  return output;
};

const toFaults = ({ found, count }: Walk): Faults => ({
  listed: found.map(({ detail, path }) => ({ detail, pointer: pointerTo(path) })),
  count,
});

const checks = new WeakMap<v.GenericSchema, Check>();

const checkFor = (schema: v.GenericSchema): Check => {
  const check = checks.get(schema) ?? compile(schema);
  checks.set(schema, check);
  return check;
};

const compile = (schema: v.GenericSchema): Check => {
  if (isOptional(schema)) return compile(schema.wrapped);
  const all = stepsOf(schema);
  const [kind, ...steps] = all;
  if (isUnion(kind)) return withSteps(steps, unionCheck(kind));
  if (isList(kind)) return withSteps(steps, listCheck(kind, steps.filter(isSizeLimit)));
  if (isClosedObject(kind)) return withSteps(steps, objectCheck(kind));
  return (value, walk) => runSteps(all, { typed: false, value, issues: undefined }, walk);
};

const stepsOf = (schema: v.GenericSchema): readonly [v.GenericSchema, ...Step[]] => {
  if (!isPiped(schema)) return [schema];
  const [kind, ...items] = schema.pipe;
  return [kind, ...items.filter((item) => item.kind !== 'metadata')];
};

const withSteps = (steps: readonly Step[], check: Check): Check =>
  steps.length === 0
    ? check
    : (value, walk) => {
        const output = check(value, walk);
        if (output === undefined) return undefined;
        return runSteps(steps, { typed: true, value: output, issues: undefined }, walk);
      };

/** A schema or an action of valibot. Written as a method, `~run` accepts the dataset types of both. */
type Step = { readonly kind: string; '~run'(dataset: Dataset, config: object): Dataset };
type Dataset = {
  typed?: boolean;
  value: unknown;
  issues?: readonly v.BaseIssue<unknown>[] | undefined;
};

const NO_CONFIG = {};

const runSteps = (steps: readonly Step[], start: Dataset, walk: Walk) => {
  let dataset = start;
  for (const step of steps) {
    // A transformation expects a value without faults, also in the items of a list.
    if (step.kind === 'transformation' && (dataset.issues || walk.count > 0)) break;
    dataset = step['~run'](dataset, NO_CONFIG);
  }
  if (dataset.issues) addIssues(dataset.issues, walk);
  return dataset.value;
};

const addIssues = (issues: readonly v.BaseIssue<unknown>[], walk: Walk) => {
  for (const { message, path } of issues)
    addFault(
      walk,
      message,
      path?.map(({ key }) => String(key)),
    );
};

const objectCheck = ({ entries, message }: ClosedObject): Check => {
  const fields = Object.entries(entries).map(([name, schema]) => ({ name, check: fieldCheck(name, schema) }));
  const names = Object.keys(entries);
  const known = new Set(names);
  const unknownField = `This field is unknown. Use only ${joinNames(names)}.`;
  return (value, walk) => {
    if (!isRecord(value)) return addFault(walk, message);
    const output = checkFields(fields, value, walk);
    for (const name in value) if (!known.has(name)) addFault(walk, unknownField + beginningOf(name), [name]);
    return output;
  };
};

type Field = { name: string; check: Check };

const checkFields = (fields: readonly Field[], value: Record<string, unknown>, walk: Walk) => {
  let output = value;
  for (const { name, check } of fields) {
    const sent = value[name];
    const checked = checkPart(check, sent, name, walk);
    if (checked === sent) continue;
    if (output === value) output = { ...value };
    output[name] = checked;
  }
  return output;
};

const fieldCheck = (name: string, schema: v.GenericSchema): Check => {
  const check = checkFor(schema);
  const missing: Check = isOptional(schema)
    ? (_, walk) => (schema.default === undefined ? undefined : check(v.getDefault(schema), walk))
    : (_, walk) => addFault(walk, `The field ${name} is missing.`);
  return (value, walk) => (value === undefined ? missing : check)(value, walk);
};

const listCheck = ({ item: schema, message }: List, sizeLimits: readonly Step[]): Check => {
  const check = checkFor(schema);
  return (value, walk) => {
    if (!Array.isArray(value)) return addFault(walk, message);
    for (const limit of sizeLimits) refuseTooLarge(limit, value);
    let output: unknown[] = value;
    for (let index = 0; index < value.length; index += 1) {
      const checked = checkPart(check, value[index], index, walk);
      if (checked === value[index]) continue;
      if (output === value) output = [...value];
      output[index] = checked;
    }
    return output;
  };
};

const refuseTooLarge = (limit: Step, value: unknown) => {
  const [issue] = limit['~run']({ typed: true, value }, NO_CONFIG).issues ?? [];
  if (issue) throw new Refusal(413, issue.message);
};

/** The alternatives differ in kind, so at most one of them fits a value. */
const unionCheck = ({ options, message }: Union): Check => {
  const alternatives = options.map((option) => ({ isOfKind: kindTest(option), check: checkFor(option) }));
  return (value, walk) => {
    for (const { isOfKind, check } of alternatives) if (isOfKind(value)) return check(value, walk);
    return addFault(walk, message);
  };
};

const kindTest = (schema: v.GenericSchema): ((value: unknown) => boolean) => {
  const [kind] = stepsOf(schema);
  if (isList(kind)) return Array.isArray;
  return isClosedObject(kind) ? isRecord : (value) => v.is(kind, value);
};

type Pipe = { pipe: readonly [v.GenericSchema, ...v.GenericPipeItem[]] };
type ClosedObject = v.StrictObjectSchema<Record<string, v.GenericSchema>, string>;
type List = v.ArraySchema<v.GenericSchema, string>;
type Union = v.UnionSchema<v.GenericSchema[], string>;
type Optional = v.OptionalSchema<v.GenericSchema, unknown> | v.ExactOptionalSchema<v.GenericSchema, unknown>;

const isPiped = (schema: v.GenericSchema): schema is v.GenericSchema & Pipe => 'pipe' in schema;
const isClosedObject = (schema: v.GenericSchema): schema is ClosedObject => schema.type === 'strict_object';
const isList = (schema: v.GenericSchema): schema is List => schema.type === 'array';
const isUnion = (schema: v.GenericSchema): schema is Union => schema.type === 'union';
const isOptional = (schema: v.GenericSchema): schema is Optional =>
  schema.type === 'optional' || schema.type === 'exact_optional';
const isSizeLimit = (step: Step) => 'isSizeLimit' in step;

const joinNames = (names: string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();

const MAX_NAME_IN_POINTER = 128;

const beginningOf = (name: string) =>
  name.length > MAX_NAME_IN_POINTER
    ? ` Its name begins with "${name.slice(0, MAX_NAME_IN_POINTER).toWellFormed()}".`
    : '';

/** Ends before a long name, because a field's name may be as long as the body. */
const pointerTo = (path: readonly Key[]) => {
  const tooLong = path.findIndex((token) => String(token).length > MAX_NAME_IN_POINTER);
  const repeated = tooLong === -1 ? path : path.slice(0, tooLong);
  return `#${repeated.map((token) => `/${escapeToken(String(token))}`).join('')}`;
};

const escapeToken = (token: string) =>
  encodeURIComponent(token.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
