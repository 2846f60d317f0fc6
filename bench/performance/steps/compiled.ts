import * as v from 'valibot';

type Accepts = (value: unknown) => boolean;
type Part = v.GenericSchema | v.GenericPipeItem;
type Piped = v.GenericSchema & { pipe: readonly [v.GenericSchema, ...v.GenericPipeItem[]] };

/**
 * A tree of functions made of a schema, each for one kind of value: what one would have for a check that is compiled
 * from the schema, without code that is made at run time. It says only whether a value is taken.
 */
export const compiled = (schema: v.GenericSchema): Accepts => {
  if (!isPiped(schema)) return kindOf(schema);
  const [self, ...rest] = schema.pipe;
  const checks = [kindOf(self), ...rest.filter(({ kind }) => kind === 'validation').map(rule)];
  return (value) => checks.every((check) => check(value));
};

const isPiped = (schema: v.GenericSchema): schema is Piped => 'pipe' in schema;

const rule = (item: v.GenericPipeItem): Accepts => {
  const { type } = item;
  const requirement: unknown = 'requirement' in item ? item.requirement : undefined;
  if (requirement instanceof RegExp) return (value) => requirement.test(String(value));
  if (typeof requirement === 'function') return (value) => requirement(value);
  if (type === 'min_length') return (value) => Array.isArray(value) && value.length >= Number(requirement);
  if (type === 'max_length') return (value) => Array.isArray(value) && value.length <= Number(requirement);
  const rest = v.pipe(v.unknown(), item);
  return (value) => v.is(rest, value);
};

const schemaIn = (part: Part, name: string): v.GenericSchema[] => {
  const found: unknown = Object(part)[name];
  return [found].flat().filter(isSchema);
};
const isSchema = (value: unknown): value is v.GenericSchema => Object(value).kind === 'schema';

const kindOf = (schema: v.GenericSchema): Accepts => {
  if (schema.type === 'string') return (value) => typeof value === 'string';
  if (schema.type === 'number') return (value) => typeof value === 'number' && !Number.isNaN(value);
  if (schema.type === 'array') return listOf(schemaIn(schema, 'item').map(compiled));
  if (schema.type === 'union') return anyOf(schemaIn(schema, 'options').map(compiled));
  if (schema.type === 'strict_object' && 'entries' in schema) return closedObject(Object(schema.entries));
  return (value) => v.is(schema, value);
};

const listOf =
  ([item]: Accepts[]): Accepts =>
  (value) =>
    Array.isArray(value) && value.every((each) => item?.(each));

const anyOf =
  (options: Accepts[]): Accepts =>
  (value) =>
    options.some((option) => option(value));

const closedObject = (entries: Record<string, v.GenericSchema>): Accepts => {
  const fields = Object.entries(entries).map(([name, schema]) => ({ name, accepts: compiled(schema) }));
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === fields.length &&
    fields.every(({ name, accepts }) => accepts(Object(value)[name]));
};
