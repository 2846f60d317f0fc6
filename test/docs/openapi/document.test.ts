import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { batches } from '../../../docs/openapi/examples.ts';
import { generated } from '../../../docs/openapi/generated.ts';
import { operations } from '../../../shared/operations.ts';
import {
  document,
  documentedOperations,
  documentedResponses,
  errorsAgainst,
  resolved,
  text,
} from './document.ts';

test('docs/openapi.json is what is generated now', () => {
  expect(text === generated(), 'docs/openapi.json is out of date: run npm run openapi').toBe(true);
});

describe('the document', () => {
  const validator = new Validator();

  test('is valid OpenAPI 3.1', async () => {
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test.each<[string, object]>([
    ['no title', { info: { version: '1' } }],
    ['a response without a description', { paths: { '/x': { get: { responses: { 200: {} } } } } }],
    ['a path without a slash', { paths: { x: {} } }],
    ['a parameter in an unknown place', { components: { parameters: { X: { name: 'X', in: 'mind' } } } }],
    ['a reference to nothing', { components: {} }],
  ])('would not be valid with %s', async (_, changed) => {
    expect(await validator.validate({ ...document, ...changed })).toMatchObject({ valid: false });
  });

  test('has exactly the operations of the service, each with its own id', () => {
    const documented = documentedOperations.map(({ method, path }) => `${method} ${path}`);
    expect(documented).toEqual(Object.values(operations).map(({ method, path }) => `${method} ${path}`));
    const ids = documentedOperations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });
});

const contents = [
  ...documentedOperations.map(({ id, requestBody }) => ({
    where: `the request of ${id}`,
    content: requestBody?.content ?? {},
  })),
  ...documentedResponses.map(({ id, status, response: { content } }) => ({
    where: `${id} ${status}`,
    content,
  })),
  ...Object.entries(document.components.responses).map(([where, { content }]) => ({ where, content })),
];
const mediaTypes = contents.flatMap(({ where, content }) =>
  Object.entries(content).map(([type, { schema, examples }]) => ({ where, type, schema, examples })),
);

describe('the examples', () => {
  test.each(mediaTypes)('of $where as $type match its schema', ({ schema, examples }) => {
    const found = Object.values(examples);
    expect(found.length).toBeGreaterThan(0);
    for (const { value } of found) expect(errorsAgainst(schema, value)).toEqual([]);
  });

  const withExamples = Object.entries(document.components.schemas).filter(([, schema]) => schema['examples']);

  test.each(withExamples)('of the schema %s match it', (_, schema) => {
    const found = Object.values(Object(schema['examples']));
    expect(found.length).toBeGreaterThan(0);
    for (const value of found) expect(errorsAgainst(schema, value)).toEqual([]);
  });

  test.each(documentedResponses)('of problems under $id $status have that status', ({ status, response }) => {
    const { examples = {} } = response.content['application/problem+json'] ?? {};
    for (const { value } of Object.values(examples)) expect(value).toMatchObject({ status });
  });

  test('of batches have Cyrillic, no purchase orders, a negative balance and zero', () => {
    const examples = Object.values(batches).map(({ value }): { MaterialCodes: object[] } => value);
    const entries = examples.flatMap(({ MaterialCodes }) => MaterialCodes);
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ MaterialCode: expect.stringMatching(/[а-я]/i) }),
        expect.objectContaining({ PurchaseOrders: {} }),
        expect.objectContaining({ StockBalance: -12.125 }),
        expect.objectContaining({ StockBalance: 0 }),
      ]),
    );
  });
});

test.each(documentedResponses)(
  '$id $status has a description and the request id among its headers',
  ({ response }) => {
    expect(response.description).toMatch(/\w.*\.$/);
    for (const header of Object.values(response.headers)) expect(resolved(header).schema).toBeDefined();
    expect(Object.keys(response.headers)).toContain('x-amzn-RequestId');
  },
);
