import { expect } from 'vitest';
import type { Answer } from '../../support/http-client.ts';
import { expectChallenge, expectProblem } from '../../support/problem.ts';
import { tracesOf } from '../../support/traces.ts';
import { type Attempt, HEADER_MARKER } from './attempt.ts';
import { BODY_MARKER } from './documents.ts';

const STACK = /\n\s+at |\bat [\w.]+ \(|node_modules|\.[cm]?[jt]s:\d+/;

/** Checks what the contract says about every answer. */
export const expectWellFormed = (attempt: Attempt, answer: Answer, password: string) => {
  expect(attempt.statuses, `${attempt.what} is answered with ${answer.status} ${answer.text}`).toContain(
    answer.status,
  );
  expect(answer.text).not.toMatch(STACK);
  // A pointer repeats the name of the wrong field.
  const words = answer.text.replaceAll(/"pointer":"[^"]*"/g, '');
  const traces = [password, BODY_MARKER, HEADER_MARKER].flatMap((secret) => tracesOf(secret, words));
  expect(traces).toEqual([]);
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
  const error = { detail: expect.stringMatching(/\w/), pointer: expect.stringMatching(/^#(\/.*)?$/s) };
  expect(errors).toEqual(Array(Math.min(errorCount, 100)).fill(error));
};
