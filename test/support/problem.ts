import { expect } from 'vitest';
import type { Answer } from './http-client.ts';

/** Of RFC 9110 and 6585. */
const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

type Refusal = { errorCount: unknown; errors: unknown };

/** A problem of RFC 9457 in the service's form, and nothing else, but the faults of a body where there are any. */
export const expectProblem = (answer: Answer, status: number, refusal?: Refusal) => {
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
  expect(answer.headers['x-amz-apigw-id']).toMatch(/\w/);
  expect(answer.json()).toEqual({
    type: 'about:blank',
    // Only a gateway response for several statuses answers a 502, and it has neither.
    ...(status === 502 ? {} : { title: TITLES[status] ?? 'none that the service has', status }),
    detail: expect.stringMatching(status < 500 ? /\w.*\.$/s : /\w.*always safe\b.*\.$/s),
    requestId: answer.headers['x-amz-apigw-id'],
    ...refusal,
  });
};

/** A body that is refused for this alone. */
export const expectFault = (answer: Answer, pointer: string, words: string | RegExp) =>
  expectProblem(answer, 400, { errorCount: 1, errors: [{ detail: expect.stringMatching(words), pointer }] });

/** What makes a client send its credentials. */
export const expectChallenge = (answer: Answer) => {
  expectProblem(answer, 401);
  expect(answer.headers['www-authenticate']).toBe('Basic realm="warehouse-control", charset="UTF-8"');
};
