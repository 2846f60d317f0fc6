import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { apiDocument } from '../../../docs/openapi/document.ts';
import { operations } from '../../../shared/operations.ts';
import {
  document,
  documentedOperations,
  documentedResponses,
  errorsAgainst,
  type Response,
  resolved,
  text,
} from './document.ts';

test('docs/openapi.json is what `npm run openapi` generates', () => {
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(apiDocument)));
});

const mediaTypesOf = (name: string, content: Response['content']) =>
  Object.entries(content).map(([type, { schema, examples }]) => {
    const values: unknown[] = Object.values(examples).map(({ value }) => value);
    return [`${name} as ${type}`, { schema, values }] as const;
  });

describe('the document', () => {
  const validator = new Validator();

  test('is valid OpenAPI 3.1', async () => {
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has exactly the operations of the service, each with its own id', () => {
    const documented = documentedOperations.map(({ method, path }) => `${method} ${path}`);
    expect(documented).toEqual(Object.values(operations).map(({ method, path }) => `${method} ${path}`));
    const ids = documentedOperations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });
});

/** Everything with a schema and examples of it. */
const withExamples = [
  ...documentedOperations.flatMap(({ id, requestBody }) =>
    mediaTypesOf(`the request of ${id}`, requestBody?.content ?? {}),
  ),
  ...documentedResponses.flatMap(({ id, status, response }) =>
    mediaTypesOf(`${id} ${status}`, response.content),
  ),
  ...Object.entries(document.components.responses).flatMap(([name, { content }]) =>
    mediaTypesOf(name, content),
  ),
  ...Object.entries(document.components.schemas)
    .filter(([, schema]) => schema['examples'])
    .map(([name, schema]) => [name, { schema, values: Object.values(Object(schema['examples'])) }] as const),
];

test.each(withExamples)('the examples of %s match its schema', (_, { schema, values }) => {
  expect(values.length).toBeGreaterThan(0);
  for (const value of values) expect(errorsAgainst(schema, value)).toEqual([]);
});

test.each(documentedResponses)(
  '$id $status has a description, the request id, and only problems with this status or none',
  ({ status, response }) => {
    expect(response.description).toMatch(/\w.*\.$/);
    for (const header of Object.values(response.headers)) expect(resolved(header).schema).toBeDefined();
    expect(Object.keys(response.headers)).toContain('x-amzn-RequestId');
    const { examples = {} } = response.content['application/problem+json'] ?? {};
    for (const { value } of Object.values(examples)) expect(Object(value).status ?? status).toBe(status);
  },
);
