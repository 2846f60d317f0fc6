import { expect } from 'vitest';
import type { HttpResponse } from './http-client.ts';

/** The titles of RFC 9110 and RFC 6585. */
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

/** Expects a problem of RFC 9457 in the form of the service. A refusal also has the errors of a body. */
export const expectProblem = (response: HttpResponse, status: number, refusal?: Refusal) => {
  expect([response.status, response.headers['content-type']]).toEqual([status, 'application/problem+json']);
  expect(response.headers['x-amz-apigw-id']).toMatch(/\w/);
  expect(response.json()).toEqual({
    type: 'about:blank',
    // The gateway response for a 502 covers several statuses, so it has no title and no status.
    ...(status === 502 ? {} : { title: TITLES[status] ?? 'none that the service has', status }),
    detail: expect.stringMatching(status < 500 ? /\w.*\.$/s : /\w.*always safe\b.*\.$/s),
    requestId: response.headers['x-amz-apigw-id'],
    ...refusal,
  });
};

/** Expects a refused body with this one error. */
export const expectError = (response: HttpResponse, pointer: string, detail: string) =>
  expectProblem(response, 400, { errorCount: 1, errors: [{ detail, pointer }] });

/** Expects the challenge that makes a client send its credentials. */
export const expectChallenge = (response: HttpResponse) => {
  expectProblem(response, 401);
  expect(response.headers['www-authenticate']).toBe('Basic realm="warehouse-control", charset="UTF-8"');
};
