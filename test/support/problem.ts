import { expect } from 'vitest';
import type { HttpResponse } from './http-client.ts';

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

/** A problem of RFC 9457 in the service's form, and nothing else, but the errors of a body where there are any. */
export const expectProblem = (response: HttpResponse, status: number, refusal?: Refusal) => {
  expect([response.status, response.headers['content-type']]).toEqual([status, 'application/problem+json']);
  expect(response.headers['x-amz-apigw-id']).toMatch(/\w/);
  expect(response.json()).toEqual({
    type: 'about:blank',
    // Only a gateway response for several statuses covers a 502, and it has neither.
    ...(status === 502 ? {} : { title: TITLES[status] ?? 'none that the service has', status }),
    detail: expect.stringMatching(status < 500 ? /\w.*\.$/s : /\w.*always safe\b.*\.$/s),
    requestId: response.headers['x-amz-apigw-id'],
    ...refusal,
  });
};

/** A body that is refused for this alone. */
export const expectError = (response: HttpResponse, pointer: string, words: string | RegExp) =>
  expectProblem(response, 400, {
    errorCount: 1,
    errors: [{ detail: expect.stringMatching(words), pointer }],
  });

/** What makes a client send its credentials. */
export const expectChallenge = (response: HttpResponse) => {
  expectProblem(response, 401);
  expect(response.headers['www-authenticate']).toBe('Basic realm="warehouse-control", charset="UTF-8"');
};
