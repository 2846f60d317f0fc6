import { expect, it } from 'vitest';
import {
  forEachConcurrently,
  runConcurrently,
  runConcurrentlyToEnd,
} from '../../../shared/storage/concurrency.ts';

const endless = () => new Promise<never>(() => {});

it('What is done together is answered in its order', async () => {
  const { signal } = new AbortController();
  await expect(runConcurrently(signal, () => [Promise.resolve(1), Promise.resolve(2)])).resolves.toEqual([
    1, 2,
  ]);
});

it('Where one of it fails, the others are called off', async () => {
  const signals: AbortSignal[] = [];
  const failing = runConcurrently(new AbortController().signal, (signal) => {
    signals.push(signal);
    return [endless(), Promise.reject(new Error('failed'))];
  });
  await expect(failing).rejects.toThrow('failed');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('Where the whole is called off, so is all of it', () => {
  const signals: AbortSignal[] = [];
  const whole = new AbortController();
  void runConcurrently(whole.signal, (signal) => {
    signals.push(signal);
    return [endless()];
  });
  whole.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('What is done together to the end is answered likewise', async () => {
  const { signal } = new AbortController();
  await expect(runConcurrentlyToEnd(signal, () => [Promise.resolve(1), Promise.resolve(2)])).resolves.toEqual(
    [1, 2],
  );
});

it('Where one of what is done to the end fails, the others are called off and waited for', async () => {
  let ended = 0;
  const untilCalledOff = async (signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await Promise.resolve();
    ended += 1;
  };
  const failing = runConcurrentlyToEnd(new AbortController().signal, (signal) => [
    untilCalledOff(signal),
    Promise.reject(new Error('failed')),
    untilCalledOff(signal).then(() => Promise.reject(new Error('failed later'))),
  ]);
  await expect(failing).rejects.toThrow('failed');
  expect(ended).toBe(2);
});

it('Workers share a queue, and no more of it is in work at once than there are of them', async () => {
  const done: number[] = [];
  let working = 0;
  const work = async (each: number) => {
    working += 1;
    expect(working).toBeLessThanOrEqual(3);
    await Promise.resolve();
    working -= 1;
    done.push(each);
  };
  await Promise.all(forEachConcurrently(3, [1, 2, 3, 4, 5, 6, 7].values(), work));
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
