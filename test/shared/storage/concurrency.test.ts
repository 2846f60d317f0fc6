import { expect, it } from 'vitest';
import {
  forEachConcurrently,
  runConcurrently,
  runConcurrentlyToEnd,
} from '../../../shared/storage/concurrency.ts';

const endless = () => new Promise<never>(() => {});

it.each([
  ['runConcurrently', runConcurrently],
  ['runConcurrentlyToEnd', runConcurrentlyToEnd],
])('%s returns the results in their order', async (_, run) => {
  const { signal } = new AbortController();
  await expect(run(signal, () => [Promise.resolve(1), Promise.resolve(2)])).resolves.toEqual([1, 2]);
});

it('runConcurrently aborts the others when one fails', async () => {
  const signals: AbortSignal[] = [];
  const failing = runConcurrently(new AbortController().signal, (signal) => {
    signals.push(signal);
    return [endless(), Promise.reject(new Error('failed'))];
  });
  await expect(failing).rejects.toThrow('failed');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('runConcurrently aborts all when its own signal is aborted', () => {
  const signals: AbortSignal[] = [];
  const whole = new AbortController();
  void runConcurrently(whole.signal, (signal) => {
    signals.push(signal);
    return [endless()];
  });
  whole.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('runConcurrentlyToEnd aborts the others when one fails, and waits for them', async () => {
  let ended = 0;
  const untilAborted = async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.resolve();
    ended += 1;
  };
  const failing = runConcurrentlyToEnd(new AbortController().signal, (signal) => [
    untilAborted(signal),
    Promise.reject(new Error('failed')),
    untilAborted(signal).then(() => Promise.reject(new Error('failed later'))),
  ]);
  await expect(failing).rejects.toThrow('failed');
  expect(ended).toBe(2);
});

it('forEachConcurrently works on every item of a queue, with at most the given count at once', async () => {
  const done: number[] = [];
  let working = 0;
  const work = async (item: number) => {
    working += 1;
    expect(working).toBeLessThanOrEqual(3);
    await Promise.resolve();
    working -= 1;
    done.push(item);
  };
  await Promise.all(forEachConcurrently(3, [1, 2, 3, 4, 5, 6, 7].values(), work));
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
