import { expect, test } from 'vitest';
import { keepPlans } from '../../../admin/lists/plan/keep-plans.ts';
import type { RowChange } from '../../../admin/lists/plan/row-change.ts';
import { MINUTE_MS } from '../../../shared/time.ts';

const changes = (count: number) =>
  Array<RowChange>(count).fill({ kind: 'added', identifier: 'A', before: {}, after: {} });

let now = 0;
const { keep, release } = keepPlans(() => now, 100);
const keepOf = (count: number) => keep('MaterialCodes', changes(count));
const isKept = (id: string) => {
  try {
    return release(id).changes.length > 0;
  } catch {
    return false;
  }
};

test('a plan stays while other plans are made, and is released once', () => {
  const first = keepOf(10);
  for (let newer = 0; newer < 9; newer += 1) keepOf(10);
  expect(isKept(first)).toBe(true);
  expect(() => release(first)).toThrow('Review them again');
});

test('the oldest plans go when all have too many changes, and the newest stays', () => {
  const [oldest, older, newest] = [keepOf(40), keepOf(60), keepOf(40)];
  expect([oldest, older, newest].map(isKept)).toEqual([false, true, true]);
  const [small, large] = [keepOf(1), keepOf(1_000)];
  expect([small, large].map(isKept)).toEqual([false, true]);
});

test('a plan goes after 15 minutes', () => {
  const ids = [keepOf(1), keepOf(1)];
  now += 15 * MINUTE_MS;
  expect(isKept(String(ids[0]))).toBe(true);
  now += 1;
  expect(isKept(String(ids[1]))).toBe(false);
});
