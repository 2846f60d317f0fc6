import { expect, it } from 'vitest';
import { retryThrottled, retryUnprocessed } from '../../../admin/store/retry-throttled.ts';

const { signal } = new AbortController();

it('makes no call for nothing, or with an aborted signal', async () => {
  const call = async () => {
    throw new Error('No call is to be made.');
  };
  await retryUnprocessed([], call, signal);
  await retryUnprocessed([1], call, AbortSignal.abort());
  expect(await retryThrottled(call, AbortSignal.abort())).toBeUndefined();
});

it('pauses longer each time while nothing is processed, at most five seconds, and briefly again afterwards', async () => {
  const leftOver = [...Array(9).fill(2), 1, 1, 0];
  const pauses: number[] = [];
  await retryUnprocessed(
    [1, 2],
    async (left) => left.slice(0, leftOver.shift()),
    signal,
    async (pause) => {
      pauses.push(pause);
    },
  );
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 50, 100]);
});
