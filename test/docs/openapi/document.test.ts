import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { generated } from '../../../docs/openapi/generated.ts';
import { operations } from '../../../shared/operations.ts';
import { document, faultsBy, operationsTold, resolved, responsesTold, text } from './document.ts';

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
    ['an operation whose response says nothing', { paths: { '/x': { get: { responses: { 200: {} } } } } }],
    ['a path without a slash', { paths: { x: {} } }],
    ['a parameter that is nowhere', { components: { parameters: { X: { name: 'X', in: 'mind' } } } }],
    ['a reference to nothing', { components: {} }],
  ])('would not be valid with %s', async (_, changed) => {
    expect(await validator.validate({ ...document, ...changed })).toMatchObject({ valid: false });
  });

  test('has exactly the operations of the service, each with an id of its own', () => {
    const documented = operationsTold.map(({ method, path }) => `${method} ${path}`);
    expect(documented).toEqual(Object.values(operations).map(({ method, path }) => `${method} ${path}`));
    const ids = operationsTold.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });
});

const mediaTypes = [
  ...operationsTold.flatMap(({ id, requestBody }) =>
    requestBody ? [{ where: `the request of ${id}`, content: requestBody.content }] : [],
  ),
  ...responsesTold.map(({ id, status, response }) => ({
    where: `${id} ${status}`,
    content: response.content,
  })),
  ...Object.entries(document.components.responses).map(([where, { content }]) => ({ where, content })),
].flatMap(({ where, content }) =>
  Object.entries(content).map(([type, { schema, examples }]) => ({ where, type, schema, examples })),
);

describe('the examples', () => {
  test.each(mediaTypes)('of $where as $type are as its schema says', ({ schema, examples }) => {
    const found = Object.values(examples);
    expect(found.length).toBeGreaterThan(0);
    for (const { value } of found) expect(faultsBy(schema, value)).toEqual([]);
  });

  const withExamples = Object.entries(document.components.schemas).filter(([, schema]) => schema['examples']);

  test.each(withExamples)('of the schema %s are as it says', (_, schema) => {
    const found = Object.values(Object(schema['examples']));
    expect(found.length).toBeGreaterThan(0);
    for (const value of found) expect(faultsBy(schema, value)).toEqual([]);
  });

  test('of a problem have the status under which they stand', () => {
    const problems = responsesTold.flatMap(({ status, response }) =>
      Object.values(response.content['application/problem+json']?.examples ?? {}).map(({ value }) => [
        status,
        Object(value).status,
      ]),
    );
    expect(problems.length).toBeGreaterThan(0);
    for (const [status, told] of problems) expect(told).toBe(status);
  });

  test('of requests have Cyrillic, no purchase orders, a negative balance and zero', () => {
    const operation = operationsTold.find(({ id }) => id === 'postMaterialStockBalance');
    const { examples } = operation?.requestBody?.content['application/json'] ?? {};
    const entries = Object.values(examples ?? {}).flatMap(({ value }) => Object(value).MaterialCodes);
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

test.each(responsesTold)('$id $status says when it comes and which headers it has', ({ response }) => {
  expect(response.description).toMatch(/\w.*\.$/);
  for (const header of Object.values(response.headers)) expect(resolved(header).schema).toBeDefined();
  expect(Object.keys(response.headers)).toContain('x-amzn-RequestId');
});
