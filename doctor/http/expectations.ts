import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../shared/http/json.ts';
import { CHALLENGE, PROBLEM_CONTENT_TYPE } from '../../shared/http/problem.ts';
import { keysOf } from '../../shared/object-keys.ts';
import { messageOf } from './advice.ts';
import type { Response } from './caller.ts';

/** What a check found: whether the fact holds, and a text for people. */
export type Observation = { holds: boolean; seen: string };

/** The values of a response that a fact can expect. */
const valuesOf = (response: Response) => {
  const { status, headers, json, isContinued } = response;
  const { status: inBody = status, errors, requestId } = json;
  const pointers = Array.isArray(errors) ? errors.map((error) => isRecord(error) && error['pointer']) : [];
  return {
    isContinued,
    coding: headers['content-encoding'],
    status: inBody === status ? status : `${status} (but ${inBody} in the body)`,
    contentType: headers['content-type'],
    challenge: headers['www-authenticate'],
    retryAfter: headers['retry-after'],
    pointers: pointers.join(' '),
    saysNotUtf8: messageOf(response).includes('not UTF-8'),
    isChunked: Boolean(headers['transfer-encoding']),
    hasList: Array.isArray(Object.values(json)[0]),
    hasSnapshotId: 'SnapshotId' in json,
    hasRequestId: 'x-amz-apigw-id' in headers,
    isGatewaysId: requestId !== undefined && requestId === headers['x-amz-apigw-id'],
  };
};
type Values = ReturnType<typeof valuesOf>;
export type Expected = Partial<Values>;

const whether = (yes: string, no: string) => (value: unknown) => (value ? yes : no);

/** The words for each value, in the order of the text. */
const words: Record<keyof Values, (value: unknown) => string> = {
  isContinued: whether('100 Continue, then', 'no 100 Continue, then'),
  coding: (coding = 'plain') => `${coding}`,
  status: (status) => String(status || 'no status'),
  contentType: (type = 'without a content type') => `${type}`,
  challenge: (challenge) => {
    if (challenge === CHALLENGE) return 'with the challenge';
    return challenge ? 'with another challenge' : 'without WWW-Authenticate';
  },
  retryAfter: (pause = 'none') => `Retry-After: ${pause}`,
  pointers: String,
  saysNotUtf8: whether('that says so', 'for another reason'),
  isChunked: whether('in chunks', 'not chunked'),
  hasList: whether('with a list', 'without a list'),
  hasSnapshotId: whether('with a SnapshotId', 'without a SnapshotId'),
  hasRequestId: whether('with a request id', 'without a request id'),
  isGatewaysId: whether("the gateway's", 'another or none'),
};

export const describe = (expected: Expected, values = expected) =>
  keysOf(words)
    .flatMap((name) => (name in expected ? words[name](values[name]) : []))
    .join(' ')
    .trim();

export const observe = (response: Response, expected: Expected): Observation => {
  const values = valuesOf(response);
  const holds = isDeepStrictEqual({ ...values, ...expected }, values);
  return { holds, seen: describe(expected, values) };
};

export const SUCCESS: Expected = { status: 200, contentType: 'application/json' };
export const DENIED: Expected = { status: 401, challenge: CHALLENGE };
export const problem = (status: number): Expected => ({ status, contentType: PROBLEM_CONTENT_TYPE });
