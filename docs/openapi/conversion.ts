import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';

type Override<Name extends 'overrideAction' | 'overrideSchema'> = NonNullable<ConversionConfig[Name]>;
type Action = Parameters<Override<'overrideAction'>>[0]['valibotAction'];
type Schema = Parameters<Override<'overrideSchema'>>[0]['valibotSchema'];

export const refTo = (name: string) => `#/components/schemas/${name}`;

/**
 * Converts valibot schemas to components of OpenAPI 3.1. A rule that JSON Schema cannot express goes into the
 * description. Throws an error for an unknown kind of rule, so that no rule gets lost.
 */
export const toComponents = (definitions: Record<string, v.GenericSchema>): Record<string, JsonSchema> =>
  toJsonSchemaDefs(definitions, {
    target: 'draft-2020-12',
    overrideRef: ({ referenceId }) => refTo(referenceId),
    overrideSchema: ({ valibotSchema, jsonSchema }) => convertSchema(valibotSchema, jsonSchema),
    overrideAction: ({ valibotAction, jsonSchema }) => addRule(valibotAction, jsonSchema),
  });

/** Rules that the converter expresses exactly. Only the length of an array is exact: valibot counts a text in UTF-16 units. */
const isConverted = ({ type }: Action, schema: JsonSchema) =>
  ['integer', 'min_value', 'max_value', 'iso_timestamp'].includes(type) ||
  (['min_length', 'max_length'].includes(type) && schema.type === 'array');

const addRule = (action: Action, schema: JsonSchema) => {
  switch (action.type) {
    case 'regex':
      return addPattern(action, schema);
    case 'check':
      return describe(schema, `Also refused, with these words: "${messageOf(action)}"`);
    case 'raw_check':
      return describe(schema, ruleOfArray(schema));
    case 'transform':
      return { ...schema };
    default:
      if (!isConverted(action, schema)) throw new Error(`The API document cannot express ${action.type}.`);
      return undefined;
  }
};

/** A raw check has no fixed message, so this function has the text. */
const ruleOfArray = ({ items }: JsonSchema) => {
  if (Object(items).$ref !== refTo('StockBalanceEntry'))
    throw new Error('The API document has no text for a raw check.');
  return 'Also refused: a MaterialCode that an earlier entry of the batch has.';
};

/** JSON Schema reads a pattern with the Unicode flag, but few languages can. So a pattern with this flag goes into the description. */
const addPattern = (action: Action, schema: JsonSchema) => {
  const pattern: unknown = 'requirement' in action ? action.requirement : undefined;
  if (!(pattern instanceof RegExp) || !['', 'u'].includes(pattern.flags) || schema.pattern !== pattern.source)
    throw new Error(`A regex cannot be one pattern of JSON Schema: ${String(pattern)}`);
  const message = 'message' in action && action.message ? messageOf(action) : '';
  const exactly = pattern.unicode
    ? `The exact pattern, in ECMAScript with the flag u: ${pattern.source}`
    : '';
  return message || exactly ? describe(schema, [message, exactly].filter(Boolean).join(' ')) : { ...schema };
};

const messageOf = (rule: object) => {
  if (!('message' in rule) || typeof rule.message !== 'string')
    throw new Error('A rule has no fixed message.');
  return rule.message;
};

const convertSchema = (schema: Schema, converted: JsonSchema): JsonSchema | undefined => {
  if (schema.type === 'union') return describe(converted, messageOf(schema));
  if (schema.type !== 'custom') return undefined;
  if (!acceptsEmptyObjectOnly(schema)) throw new Error('The API document cannot express a custom schema.');
  return { type: 'object', maxProperties: 0 };
};

const acceptsEmptyObjectOnly = (schema: Schema) =>
  v.is(schema, {}) && ![{ any: 1 }, [], null, '', 0, false].some((value) => v.is(schema, value));

const describe = (schema: JsonSchema, text: string): JsonSchema => ({
  ...schema,
  description: [schema.description, text].filter(Boolean).join(' '),
});
