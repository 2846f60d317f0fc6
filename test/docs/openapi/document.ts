import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { DOCUMENT_FILE } from '../../../docs/openapi/document.ts';
import type { HttpResponse } from '../../support/http-client.ts';

type Reference = { $ref: string };
type Schema = Record<string, unknown>;
type Header = { required?: boolean; schema: Schema };
type Example = { summary: string; value: unknown };
type MediaType = { schema: Schema; examples: Record<string, Example> };
type Response = {
  description: string;
  headers: Record<string, Header | Reference>;
  content: Record<string, MediaType>;
};
type Operation = {
  operationId: string;
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
};
type Document = {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
  };
};

export const text = readFileSync(DOCUMENT_FILE, 'utf8');
export const document: Document = JSON.parse(text);

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Strict, except for the keyword `components`, which contains the schemas of an OpenAPI document. */
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: { 'date-time': ISO_INSTANT, double: true },
});
ajv.addKeyword('components');
ajv.addSchema({ $id: 'openapi.json', components: document.components });

/** Compiled once, because a compilation takes some 10 ms. */
const validators = new Map<string, ValidateFunction>();

/** The errors of a value against a schema of the document. */
export const errorsAgainst = (schema: Schema, value: unknown) => {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  return validate(value) ? [] : (validate.errors ?? []);
};

/** Whether a component of the document accepts a value. */
export const acceptorOf = (name: string) => ajv.compile({ $ref: `openapi.json#/components/schemas/${name}` });

/** The target of a reference, or the value itself. */
const resolved = <T extends object>(value: T | Reference): T => {
  if (!('$ref' in value)) return value;
  const names = String(value.$ref).slice(2).split('/');
  return names.reduce((found, name) => Object(found)[name], Object(document));
};

export type NamedOperation = { id: string; method: string; path: string } & Operation;

export const documentedOperations: NamedOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
);

/** Every response, with its operation and status. */
export const documentedResponses = documentedOperations.flatMap(({ id, responses }) =>
  Object.entries(responses).map(([status, response]) => ({
    id,
    status: Number(status),
    response: resolved(response),
  })),
);

export const documentedResponse = (id: string, status: number) => {
  const found = documentedResponses.find((response) => response.id === id && response.status === status);
  if (!found) throw new Error(`The document has no ${status} of ${id}.`);
  return found.response;
};

/** Headers of the connection and of the platform, which the document leaves out. */
const NOT_FOR_CLIENTS =
  /^(connection|content-(length|type)|date|keep-alive|x-amzn-(errortype|requestid|trace-id))$/;

const expectHeaders = ({ headers }: HttpResponse, documented: Response['headers']) => {
  const names = Object.keys(headers).filter((name) => !NOT_FOR_CLIENTS.test(name));
  const documentedNames = Object.keys(documented).map((name) => name.toLowerCase());
  expect(names.filter((name) => !documentedNames.includes(name))).toEqual([]);
  for (const [name, reference] of Object.entries(documented)) {
    const { required = false, schema } = resolved(reference);
    const value = headers[name.toLowerCase()];
    if (value === undefined) expect([name, required]).toEqual([name, false]);
    else expect(errorsAgainst(schema, schema['type'] === 'integer' ? Number(value) : value)).toEqual([]);
  }
};

const seen = new Set<string>();
const key = (id: string, status: number, detail: unknown) => `${id} ${status}: ${detail}`;

/** Expects a response that the document has under this status of this operation; returns the body. */
export const expectDocumented = (id: string, status: number, received: HttpResponse) => {
  expect([received.status, received.status === status || received.text]).toEqual([status, true]);
  const { content, headers } = documentedResponse(id, status);
  const type = String(received.headers['content-type']);
  expect(Object.keys(content)).toContain(type);
  expectHeaders(received, headers);
  const body: unknown = type.startsWith('text') ? received.text : received.json();
  expect(errorsAgainst(content[type]?.schema ?? {}, body)).toEqual([]);
  seen.add(key(id, status, Object(body).detail));
  return body;
};

/** The example problems whose detail no response has had so far. */
export const unseenProblems = () =>
  documentedResponses.flatMap(({ id, status, response }) =>
    Object.values(response.content['application/problem+json']?.examples ?? {})
      .map(({ value }) => ({ id, status, detail: String(Object(value).detail) }))
      .filter(({ detail }) => !seen.has(key(id, status, detail))),
  );
