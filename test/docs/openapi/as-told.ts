import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Answer } from '../../support/http-client.ts';
import { faultsBy, type Response, resolved, responsesTold } from './document.ts';

/** Of the connection, and of the platform for itself. */
const NOT_FOR_CLIENTS = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'x-amz-apigw-id',
  'x-amzn-errortype',
];

const expectHeaders = ({ headers }: Answer, told: Response['headers']) => {
  const names = Object.keys(headers).filter((name) => !NOT_FOR_CLIENTS.includes(name));
  const namesTold = Object.keys(told).map((name) => name.toLowerCase());
  expect(names.filter((name) => !namesTold.includes(name))).toEqual([]);
  for (const [name, reference] of Object.entries(told)) {
    const { required = false, schema } = resolved(reference);
    const value = headers[name.toLowerCase()];
    if (value === undefined) expect([name, required]).toEqual([name, false]);
    else expect(faultsBy(schema, schema['type'] === 'integer' ? Number(value) : value)).toEqual([]);
  }
};

const bodyOf = ({ bytes, headers }: Answer): unknown =>
  JSON.parse((headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString());

/** The answer has the content type, the headers and the body of a response of the document. Answers the body. */
export const expectResponse = (response: Response, answer: Answer) => {
  const type = String(answer.headers['content-type']);
  expect(Object.keys(response.content)).toContain(type);
  expectHeaders(answer, response.headers);
  const body = bodyOf(answer);
  expect(faultsBy(response.content[type]?.schema ?? {}, body)).toEqual([]);
  return body;
};

const heard = new Set<string>();
const key = (id: string, status: number, detail: unknown) => `${id} ${status}: ${detail}`;

/** The answer is one that the document tells of, under this status of this operation. Answers the body. */
export const expectAsTold = (id: string, status: number, answer: Answer) => {
  expect([answer.status, answer.status === status || answer.text]).toEqual([status, true]);
  const told = responsesTold.find((each) => each.id === id && each.status === status);
  if (!told) throw new Error(`The document tells of no ${status} of ${id}.`);
  const body = expectResponse(told.response, answer);
  heard.add(key(id, status, Object(body).detail));
  return body;
};

/** The problems among the examples that no answer has had the words of, so far. */
export const unheard = () =>
  responsesTold.flatMap(({ id, status, response }) =>
    Object.values(response.content['application/problem+json']?.examples ?? {})
      .map(({ value }) => ({ id, status, detail: String(Object(value).detail) }))
      .filter(({ detail }) => !heard.has(key(id, status, detail))),
  );
