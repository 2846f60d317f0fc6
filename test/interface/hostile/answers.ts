import { expect } from 'vitest';
import type { Answer } from '../../support/http-client.ts';
import { expectChallenge, expectProblem } from '../../support/problem.ts';
import { tracesOf } from '../../support/traces.ts';
import { type Attempt, HEADER_MARKER } from './attempt.ts';
import { BODY_MARKER } from './documents.ts';

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
  else expectRefusal(answer);
};

const expectResult = ({ path, keeps }: Attempt, answer: Answer) => {
  expect(answer.headers['content-type']).toBe('application/json');
  const body = answer.json();
  if (keeps && 'timestamp' in keeps) expect(body).toEqual({ Timestamp: keeps.timestamp });
  else if (keeps) expect(body).toMatchObject({ EntryCount: keeps.batch.length });
  else expect(Object.keys(body)).toEqual([path.includes('codes') ? 'MaterialCodes' : 'PurchaseOrders']);
};

const expectRefusal = (answer: Answer) => {
  if (answer.status === 401) return expectChallenge(answer);
  expect(answer.headers['www-authenticate']).toBeUndefined();
  const { errors, errorCount } = answer.json();
  if (errors === undefined) return expectProblem(answer, answer.status);
  expectProblem(answer, 400, { errors, errorCount });
  expect(errors).toHaveLength(Math.min(errorCount, 100));
  for (const error of errors) {
    expect(error).toEqual({
      detail: expect.stringMatching(/\w/),
      pointer: expect.stringMatching(/^#(\/.*)?$/s),
    });
  }
};
