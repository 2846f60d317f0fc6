import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';

type Override<Name extends 'overrideAction' | 'overrideSchema'> = NonNullable<ConversionConfig[Name]>;
type Action = Parameters<Override<'overrideAction'>>[0]['valibotAction'];
type Schema = Parameters<Override<'overrideSchema'>>[0]['valibotSchema'];

/** By the reference of a list's entries, what a raw check of that list demands; the check itself tells nothing. */
type ListRules = Record<string, string>;

export const refTo = (name: string) => `#/components/schemas/${name}`;

/**
 * Schemas of valibot as those of OpenAPI 3.1, each a component of its own. What JSON Schema cannot say is said in the
 * description, and a rule of a kind that is not known here is an error: none may get lost on the way.
 */
export const toComponents = (
  definitions: Record<string, v.GenericSchema>,
  listRules: ListRules = {},
): Record<string, JsonSchema> => {
  const unused = new Set(Object.keys(listRules));
  const ruleOfList = (list: JsonSchema) => {
    const entry = Object(list.items).$ref;
    const rule = listRules[entry];
    if (!rule || !unused.delete(entry)) throw new Error('A raw check has no words in the API document.');
    return rule;
  };
  const components = toJsonSchemaDefs(definitions, {
    target: 'draft-2020-12',
    overrideRef: ({ referenceId }) => refTo(referenceId),
    overrideSchema: ({ valibotSchema, jsonSchema }) => schemaOf(valibotSchema, jsonSchema),
    overrideAction: ({ valibotAction, jsonSchema }) => withRule(valibotAction, jsonSchema, ruleOfList),
  });
  if (unused.size > 0) throw new Error(`No check is left that the rule is about: ${[...unused].join()}`);
  return components;
};

/** Of a schema that has been converted to another form, which what is sent does not have. */
const TRANSFORMED = Symbol('transformed');

/** What the converter puts exactly; lengths only of lists, since of a text valibot counts other units. */
const LEFT_TO_THE_CONVERTER = ['integer', 'min_value', 'max_value', 'iso_timestamp'];
const LENGTHS = ['min_length', 'max_length'];

const isConverted = ({ type }: Action, schema: JsonSchema) =>
  LEFT_TO_THE_CONVERTER.includes(type) || (LENGTHS.includes(type) && schema.type === 'array');

const withRule = (action: Action, schema: JsonSchema, ruleOfList: (list: JsonSchema) => string) => {
  if (TRANSFORMED in schema) throw new Error(`${action.type} is about what a transformation makes.`);
  switch (action.type) {
    case 'regex':
      return withPattern(action, schema);
    case 'check':
      return saying(schema, `Also refused, with these words: "${wordsOf(action)}"`);
    case 'raw_check':
      return saying(schema, ruleOfList(schema));
    case 'transform':
      return { ...schema, [TRANSFORMED]: true };
    default:
      if (!isConverted(action, schema)) throw new Error(`The API document has no words for ${action.type}.`);
      return undefined;
  }
};

/** JSON Schema reads every pattern as one of Unicode. */
const withPattern = (action: Action, schema: JsonSchema) => {
  const pattern: unknown = 'requirement' in action ? action.requirement : undefined;
  if (!(pattern instanceof RegExp) || !['', 'u'].includes(pattern.flags) || schema.pattern !== pattern.source)
    throw new Error(`A regex cannot be one pattern of JSON Schema: ${String(pattern)}`);
  return 'message' in action && action.message ? saying(schema, wordsOf(action)) : { ...schema };
};

const wordsOf = (rule: object) => {
  if (!('message' in rule) || typeof rule.message !== 'string') throw new Error('A rule has no fixed words.');
  return rule.message;
};

const schemaOf = (schema: Schema, converted: JsonSchema): JsonSchema | undefined => {
  if (schema.type === 'union') return saying(converted, wordsOf(schema));
  if (schema.type !== 'custom') return undefined;
  if (!takesTheEmptyObjectAlone(schema)) throw new Error('A custom schema is not known to the API document.');
  return { type: 'object', maxProperties: 0 };
};

const takesTheEmptyObjectAlone = (schema: Schema) =>
  v.is(schema, {}) && ![{ any: 1 }, [], null, '', 0, false].some((value) => v.is(schema, value));

const saying = (schema: JsonSchema, words: string): JsonSchema => ({
  ...schema,
  description: [schema.description, words].filter(Boolean).join(' '),
});
