import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { apiDocument } from '../../../docs/openapi/document.ts';
import { document, documentedOperations, documentedResponses, errorsAgainst, text } from './document.ts';

test('docs/openapi.json is what `npm run openapi` generates', () => {
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(apiDocument)));
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
