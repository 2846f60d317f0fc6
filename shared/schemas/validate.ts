import * as v from 'valibot';
import { isRecord } from '../http/json.ts';
import { type Issues, Refusal } from '../http/problem.ts';
import { MAX_LISTED_ERRORS } from '../limits.ts';

// This file checks objects, arrays and unions itself: valibot reports only the first unknown field of an object, and keeps
// an issue for each of a million wrong fields. valibot's own actions check single values.
export const validate = <TSchema extends v.GenericSchema>(
  schema: TSchema,
  value: unknown,
  maxListed = MAX_LISTED_ERRORS,
): Validation<v.InferOutput<TSchema>> => {
  const issues: IssueCollector = { listed: [], count: 0, maxListed };
  const output = checkFor(schema)(value, issues);
  return isValidOutput<TSchema>(output, issues) ? { output } : { issues: toIssues(issues) };
};

type Validation<TOutput> = { output: TOutput; issues?: undefined } | { output?: undefined; issues: Issues };

const isValidOutput = <TSchema extends v.GenericSchema>(
  _output: unknown,
  { count }: IssueCollector,
): _output is v.InferOutput<TSchema> => count === 0;

type Key = string | number;
type FoundIssue = { detail: string; rule: string; path: Key[] };
type IssueCollector = { listed: FoundIssue[]; count: number; maxListed: number };

/** `rule` is the type of the schema or of the action that found the issue. */
const addIssue = (issues: IssueCollector, rule: string, detail: string, path: Key[] = []): undefined => {
  issues.count += 1;
  if (issues.listed.length < issues.maxListed) issues.listed.push({ detail, rule, path });
};

const toIssues = ({ listed, count }: IssueCollector): Issues => ({
  listed: listed.map(({ detail, path }) => ({ detail, pointer: pointerTo(path) })),
  count,
  rule: listed[0] ? describeRule(listed[0]) : '',
});

export const UNKNOWN_FIELD = 'unknown field';

/** For logs, so it has only names of the schemas. All keys of a path are such names or indexes, except the name of an unknown field. */
const describeRule = ({ rule, path }: FoundIssue) => {
  if (rule === UNKNOWN_FIELD) return rule;
  const name = path.findLast((key) => typeof key === 'string') ?? 'body';
  return `${name}${typeof path.at(-1) === 'number' ? '[]' : ''}: ${rule}`;
};

/** Returns the output, or undefined for a value of the wrong type. After any issue, nothing uses the output. */
type Check = (value: unknown, issues: IssueCollector) => unknown;

const checks = new WeakMap<v.GenericSchema, Check>();

// The functions named compile… run once for each schema. The checks that they return run for each value.
const checkFor = (schema: v.GenericSchema): Check => {
  const check = checks.get(schema) ?? compile(schema);
  checks.set(schema, check);
  return check;
};

const compile = (schema: v.GenericSchema): Check => {
  if (isOptional(schema)) return compile(schema.wrapped);
  const { base, actions } = splitPipe(schema);
  if (isUnion(base)) return withActions(compileUnion(base), actions);
  // A size limit also runs before the items, so that a huge array is refused before its items are checked.
  if (isArray(base)) return withActions(compileArray(base, actions.filter(isSizeLimit)), actions);
  if (isStrictObject(base)) return withActions(compileObject(base), actions);
  const steps = [base, ...actions];
  return (value, issues) => runSteps(steps, { typed: false, value, issues: undefined }, issues);
};

/** `v.pipe(base, action, action)` is a base schema with the actions that follow it. */
export const splitPipe = (schema: v.GenericSchema): { base: v.GenericSchema; actions: readonly Step[] } => {
  if (!isPiped(schema)) return { base: schema, actions: [] };
  const [first, ...items] = schema.pipe;
  // The first schema may be a pipe, too.
  const { base, actions } = splitPipe(first);
  return { base, actions: [...actions, ...items.filter((item) => item.kind !== 'metadata')] };
};

const withActions = (check: Check, actions: readonly Step[]): Check =>
  actions.length === 0
    ? check
    : (value, issues) => {
        const output = check(value, issues);
        if (output === undefined) return undefined;
        return runSteps(actions, { typed: true, value: output, issues: undefined }, issues);
      };

// A schema or an action of valibot. `~run` is a method here, because TypeScript compares the parameters of a property more strictly,
// and valibot's `~run` takes narrower types.
type Step = { readonly kind: string; '~run'(dataset: Dataset, config: object): Dataset };
type Dataset = {
  typed?: boolean;
  value: unknown;
  issues?: readonly v.BaseIssue<unknown>[] | undefined;
};

const NO_CONFIG = {};

const runSteps = (steps: readonly Step[], start: Dataset, issues: IssueCollector) => {
  let dataset = start;
  for (const step of steps) {
    // A transformation needs a valid value. After an issue, nobody uses its output.
    if (step.kind === 'transformation' && (dataset.issues || issues.count > 0)) break;
    dataset = step['~run'](dataset, NO_CONFIG);
  }
  if (dataset.issues) addIssues(dataset.issues, issues);
  return dataset.value;
};

const addIssues = (valibotIssues: readonly v.BaseIssue<unknown>[], issues: IssueCollector) => {
  for (const { type, message, path } of valibotIssues)
    addIssue(
      issues,
      type,
      message,
      path?.map(({ key }) => String(key)),
    );
};

/** Adds the key to the paths of the value's issues. Without an issue, no path is created, which saves time. */
const checkAt = (key: Key, check: Check, value: unknown, issues: IssueCollector) => {
  const before = issues.listed.length;
  const output = check(value, issues);
  if (issues.listed.length > before) for (const { path } of issues.listed.slice(before)) path.unshift(key);
  return output;
};

const compileObject = ({ type, entries, message }: StrictObject): Check => {
  const names = Object.keys(entries);
  const fields = Object.entries(entries).map(([name, schema]) => ({
    name,
    check: compileField(name, schema),
  }));
  const knownNames = new Set(names);
  const unknownField = `This field is unknown. Use only ${joinNames(names)}.`;
  return (value, issues) => {
    if (!isRecord(value)) return addIssue(issues, type, message);
    const output = checkFields(fields, value, issues);
    for (const name in value) {
      if (!knownNames.has(name))
        addIssue(issues, UNKNOWN_FIELD, unknownField + describeLongName(name), [name]);
    }
    return output;
  };
};

const compileField = (name: string, schema: v.GenericSchema): Check => {
  const check = checkFor(schema);
  if (!isOptional(schema)) {
    const missing = `The field ${name} is missing.`;
    return (value, issues) =>
      value === undefined ? addIssue(issues, 'missing', missing) : check(value, issues);
  }
  const fallback = v.getDefault(schema);
  return (value = fallback, issues) => (value === undefined ? undefined : check(value, issues));
};

type Field = { name: string; check: Check };

/** Copies the object only if a check changes a field. */
const checkFields = (fields: readonly Field[], object: Record<string, unknown>, issues: IssueCollector) => {
  let output = object;
  for (const { name, check } of fields) {
    const value = object[name];
    const checked = checkAt(name, check, value, issues);
    if (checked === value) continue;
    if (output === object) output = { ...object };
    output[name] = checked;
  }
  return output;
};

const compileArray = ({ type, item: schema, message }: ArraySchema, sizeLimits: readonly Step[]): Check => {
  const check = checkFor(schema);
  return (value, issues) => {
    if (!Array.isArray(value)) return addIssue(issues, type, message);
    for (const limit of sizeLimits) refuseTooLarge(limit, value);
    return checkItems(check, value, issues);
  };
};

/** Copies the array only if a check changes an item. */
const checkItems = (check: Check, array: unknown[], issues: IssueCollector) => {
  let output = array;
  for (let index = 0; index < array.length; index += 1) {
    const checked = checkAt(index, check, array[index], issues);
    if (checked === array[index]) continue;
    if (output === array) output = [...array];
    output[index] = checked;
  }
  return output;
};

const refuseTooLarge = (limit: Step, value: unknown) => {
  const [issue] = limit['~run']({ typed: true, value }, NO_CONFIG).issues ?? [];
  if (issue) throw new Refusal(413, issue.message, 'too large');
};

/** The alternatives of our unions have different types, so at most one of them fits a value. */
const compileUnion = ({ type, options, message }: Union): Check => {
  const alternatives = options.map((option) => ({
    hasType: compileTypeTest(option),
    check: checkFor(option),
  }));
  return (value, issues) => {
    for (const { hasType, check } of alternatives) if (hasType(value)) return check(value, issues);
    return addIssue(issues, type, message);
  };
};

const compileTypeTest = (schema: v.GenericSchema): ((value: unknown) => boolean) => {
  const { base } = splitPipe(schema);
  if (isArray(base)) return Array.isArray;
  return isStrictObject(base) ? isRecord : (value) => v.is(base, value);
};

type Pipe = { pipe: readonly [v.GenericSchema, ...v.GenericPipeItem[]] };
type StrictObject = v.StrictObjectSchema<Record<string, v.GenericSchema>, string>;
type ArraySchema = v.ArraySchema<v.GenericSchema, string>;
type Union = v.UnionSchema<v.GenericSchema[], string>;
type Optional = v.OptionalSchema<v.GenericSchema, unknown> | v.ExactOptionalSchema<v.GenericSchema, unknown>;

const isPiped = (schema: v.GenericSchema): schema is v.GenericSchema & Pipe => 'pipe' in schema;
export const isStrictObject = (schema: v.GenericSchema): schema is StrictObject =>
  schema.type === 'strict_object';
export const isArray = (schema: v.GenericSchema): schema is ArraySchema => schema.type === 'array';
export const isUnion = (schema: v.GenericSchema): schema is Union => schema.type === 'union';
const isOptional = (schema: v.GenericSchema): schema is Optional =>
  schema.type === 'optional' || schema.type === 'exact_optional';
/** `batchLimit` in stock-balance.ts has this property. */
const isSizeLimit = (step: Step) => 'isSizeLimit' in step;

const joinNames = (names: string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');

const MAX_NAME_IN_POINTER = 128;

const describeLongName = (name: string) =>
  name.length > MAX_NAME_IN_POINTER
    ? ` Its name begins with "${name.slice(0, MAX_NAME_IN_POINTER).toWellFormed()}".`
    : '';

/** A name may be as long as the body, so the pointer ends before the first name that is too long. */
const pointerTo = (path: readonly Key[]) => {
  const firstTooLong = path.findIndex((token) => String(token).length > MAX_NAME_IN_POINTER);
  const tokens = firstTooLong === -1 ? path : path.slice(0, firstTooLong);
  return `#${tokens.map((token) => `/${escapeToken(String(token))}`).join('')}`;
};

const escapeToken = (token: string) =>
  encodeURIComponent(token.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1'));
