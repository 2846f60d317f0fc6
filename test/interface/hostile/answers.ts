import { expect } from 'vitest';
import type { Answer } from '../../support/http-client.ts';
import { tracesOf } from '../../support/traces.ts';
import { type Attempt, HEADER_MARKER } from './attempt.ts';
import { BODY_MARKER } from './documents.ts';

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
};

const STACK = /\n\s+at |\bat [\w.]+ \(|node_modules|\.[cm]?[jt]s:\d+/;

/** What the contract says of an answer, whatever was asked. */
export const expectWellFormed = (attempt: Attempt, answer: Answer, password: string) => {
  expect(attempt.statuses, `${attempt.what} is answered with ${answer.status} ${answer.text}`).toContain(
    answer.status,
  );
  expect(answer.text).not.toMatch(STACK);
  // A pointer names the field that is wrong, and so repeats its name.
  const words = answer.text.replaceAll(/"pointer":"[^"]*"/g, '');
  for (const secret of [password, BODY_MARKER, HEADER_MARKER]) expect(tracesOf(secret, words)).toEqual([]);
  if (attempt.isPlain || attempt.method === 'HEAD') return;
  if (answer.status === 200) expectResult(attempt, answer);
  else expectProblem(answer);
};

const expectResult = ({ path, keeps }: Attempt, answer: Answer) => {
  expect(answer.headers['content-type']).toBe('application/json');
  const body = answer.json();
  if (keeps && 'timestamp' in keeps) expect(body).toEqual({ Timestamp: keeps.timestamp });
  else if (keeps) expect(body).toMatchObject({ EntryCount: keeps.batch.length });
  else expect(Object.keys(body)).toEqual([path.includes('codes') ? 'MaterialCodes' : 'PurchaseOrders']);
};

const expectProblem = (answer: Answer) => {
  expect(answer.headers['content-type']).toBe('application/problem+json');
  const { errors, errorCount, ...problem } = answer.json();
  expect(problem).toEqual({
    type: 'about:blank',
    title: TITLES[answer.status],
    status: answer.status,
    detail: expect.stringMatching(/\w/),
    requestId: answer.headers['x-amzn-requestid'],
  });
  const challenge = answer.status === 401 ? 'Basic realm="warehouse-control", charset="UTF-8"' : undefined;
  expect(answer.headers['www-authenticate']).toBe(challenge);
  if (errors === undefined) return;
  expect(answer.status).toBe(400);
  expect(errors).toHaveLength(Math.min(errorCount, 100));
  for (const error of errors) {
    expect(error).toEqual({
      detail: expect.stringMatching(/\w/),
      pointer: expect.stringMatching(/^#(\/.*)?$/s),
    });
  }
};
