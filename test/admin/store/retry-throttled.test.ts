import { expect, test } from 'vitest';
import { retryUnprocessed } from '../../../admin/store/retry-throttled.ts';

test('pauses grow to five seconds while nothing is processed, and are brief again afterwards', async () => {
  const leftOver = [...Array(9).fill(2), 1, 1, 0];
  const pauses: number[] = [];
  const call = async (left: readonly number[]) => left.slice(0, leftOver.shift());
  await retryUnprocessed([1, 2], call, new AbortController().signal, async (pause) => {
    pauses.push(pause);
  });
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 50, 100]);
});
