import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DOCUMENT_FILE } from '../../../docs/openapi/generate.ts';

type Reference = { $ref: string };
type Schema = Record<string, unknown>;
type Header = { required?: boolean; schema: Schema };
type Example = { summary: string; value: unknown };
type MediaType = { schema: Schema; examples: Record<string, Example> };
export type Response = {
  description: string;
  headers: Record<string, Header | Reference>;
  content: Record<string, MediaType>;
};
type Operation = {
  operationId: string;
  summary: string;
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
};
type Document = {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};

export const text = readFileSync(DOCUMENT_FILE, 'utf8');
export const document: Document = JSON.parse(text);

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Strict, except for the keyword `components`, which contains the schemas of an OpenAPI document. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': ISO_INSTANT } });
ajv.addKeyword('components');
ajv.addSchema({ $id: 'openapi.json', components: document.components });

const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

const compile = (schema: Schema) => {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/');
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate;
};

/** The errors of a value against a schema of the document. */
export const errorsAgainst = (schema: Schema, value: unknown) => {
  const validate = compile(schema);
  return validate(value) ? [] : (validate.errors ?? []);
};

/** Whether a component of the document accepts a value. */
export const acceptorOf = (name: string) => {
  const schema = { $ref: `#/components/schemas/${name}` };
  return (value: unknown) => errorsAgainst(schema, value).length === 0;
};

/** The target of a reference, or the value itself. */
export const resolved = <T extends object>(value: T | Reference): T => {
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
