import { expect, it } from 'vitest';
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';

it('forEachConcurrently works on every item of a queue, with at most the given count at once', async () => {
  const done: number[] = [];
  let working = 0;
  let most = 0;
  const work = async (item: number) => {
    working += 1;
    most = Math.max(most, working);
    await Promise.resolve();
    working -= 1;
    done.push(item);
  };
  await forEachConcurrently(3, [1, 2, 3, 4, 5, 6, 7].values(), work);
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => setImmediate(resolve)));

it('forEachConcurrently aborts the others when one fails, waits for them, and throws the first error', async () => {
  let ended = 0;
  const work = async (item: string, signal: AbortSignal) => {
    if (item === 'fails') throw new Error('failed');
    await untilAborted(signal);
    ended += 1;
    throw new Error('failed later');
  };
  const queue = ['waits', 'fails', 'waits', 'never starts'].values();
  await expect(forEachConcurrently(3, queue, work)).rejects.toThrow('failed');
  expect(ended).toBe(2);
  expect(queue.next().value).toBe('never starts');
});
