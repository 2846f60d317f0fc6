import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { apiDocument, BATCH_SCHEMA_FILE, batchSchema } from '../../../docs/openapi/document.ts';
import { batches, refusedBodies } from '../../../docs/openapi/examples.ts';
import { document, documentedOperations, documentedResponses, errorsAgainst, text } from './document.ts';

test('docs/openapi.json is what `npm run openapi` generates', () => {
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(apiDocument)));
});

test('docs/batch.schema.json is what `npm run openapi` generates, and needs no other file', () => {
  const schema = JSON.parse(readFileSync(BATCH_SCHEMA_FILE, 'utf8'));
  expect(schema).toEqual(batchSchema);
  const isBatch = new Ajv2020({ formats: { double: true }, allowUnionTypes: true }).compile(schema);
  const bodies = [...Object.values(batches).map(({ value }) => value), refusedBodies.batch.severalErrors];
  expect(bodies.map((body) => isBatch(body))).toEqual([true, true, false]);
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('every example matches its schema', () => {
  const contents = [
    ...documentedOperations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {})),
    ...documentedResponses.flatMap(({ response }) => Object.values(response.content)),
  ];
  const examples = [
    ...contents.flatMap(({ schema, examples }) =>
      Object.values(examples).map(({ value }) => ({ schema, value })),
    ),
    ...Object.values(document.components.schemas).flatMap((schema) =>
      Object.values(Object(schema['examples'])).map((value) => ({ schema, value })),
    ),
  ];
  expect(examples.length).toBeGreaterThan(50);
  for (const { schema, value } of examples) expect([value, ...errorsAgainst(schema, value)]).toEqual([value]);
});

/** What ECMAScript with and without its flag `u`, Java, .NET, PCRE, Python and RE2 read alike, also byte by byte. */
const PORTABLE =
  /^\^(?:[\w:,-]|\\[d.]|\{\d{1,3}\}|\[\^?(?:\w-\w|[.]|\\x[0-7][\dA-F](?:-\\x[0-7][\dA-F])?)+\]\+?|[()])+\$$/;

test('every pattern is one that all generators read', () => {
  const patterns: string[] = [];
  JSON.parse(text, (key, value) => {
    if (key === 'pattern') patterns.push(value);
    return value;
  });
  expect(patterns.length).toBeGreaterThan(4);
  expect(patterns.filter((pattern) => !PORTABLE.test(pattern))).toEqual([]);
});

test('every header has a type, and each number the precision of the service: a generated Go client needs both', () => {
  const { headers, schemas } = document.components;
  const types = Object.values(headers).map(({ schema }) => typeof schema['type']);
  const formats = Object.values(schemas).flatMap(({ type, format }) => (type === 'number' ? [format] : []));
  expect([new Set(types), new Set(formats)]).toEqual([new Set(['string']), new Set(['double'])]);
});
