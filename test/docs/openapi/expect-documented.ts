import { expect } from 'vitest';
import type { Answer } from '../../support/http-client.ts';
import {
  documentedResponse,
  documentedResponses,
  errorsAgainst,
  type Response,
  resolved,
} from './document.ts';

/** Headers of the connection and of the platform, which the document leaves out. */
const NOT_FOR_CLIENTS = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'x-amz-apigw-id',
  'x-amzn-errortype',
  'x-amzn-trace-id',
];

const expectHeaders = ({ headers }: Answer, documented: Response['headers']) => {
  const names = Object.keys(headers).filter((name) => !NOT_FOR_CLIENTS.includes(name));
  const documentedNames = Object.keys(documented).map((name) => name.toLowerCase());
  expect(names.filter((name) => !documentedNames.includes(name))).toEqual([]);
  for (const [name, reference] of Object.entries(documented)) {
    const { required = false, schema } = resolved(reference);
    const value = headers[name.toLowerCase()];
    if (value === undefined) expect([name, required]).toEqual([name, false]);
    else expect(errorsAgainst(schema, schema['type'] === 'integer' ? Number(value) : value)).toEqual([]);
  }
};

const bodyOf = ({ headers, text, json }: Answer): unknown =>
  headers['content-type']?.startsWith('text') ? text : json();

/** Expects the content type, the headers and the body of a documented response; returns the body. */
const expectResponse = (response: Response, answer: Answer) => {
  const type = String(answer.headers['content-type']);
  expect(Object.keys(response.content)).toContain(type);
  expectHeaders(answer, response.headers);
  const body = bodyOf(answer);
  expect(errorsAgainst(response.content[type]?.schema ?? {}, body)).toEqual([]);
  return body;
};

const seen = new Set<string>();
const key = (id: string, status: number, detail: unknown) => `${id} ${status}: ${detail}`;

/** Expects an answer that the document has under this status of this operation; returns the body. */
export const expectDocumented = (id: string, status: number, answer: Answer) => {
  expect([answer.status, answer.status === status || answer.text]).toEqual([status, true]);
  const body = expectResponse(documentedResponse(id, status), answer);
  seen.add(key(id, status, Object(body).detail));
  return body;
};

/** The example problems whose detail no answer has had so far. */
export const unseenProblems = () =>
  documentedResponses.flatMap(({ id, status, response }) =>
    Object.values(response.content['application/problem+json']?.examples ?? {})
      .map(({ value }) => ({ id, status, detail: String(Object(value).detail) }))
      .filter(({ detail }) => !seen.has(key(id, status, detail))),
  );
