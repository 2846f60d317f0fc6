import { describe, expect, it, vi } from 'vitest';
import { retryThrottled, retryUnprocessed } from '../../../admin/store/retry-throttled.ts';

const { signal } = new AbortController();

const elapsed = async (work: Promise<unknown>) => {
  const before = performance.now();
  await work;
  return performance.now() - before;
};

describe('what a call leaves over', () => {
  it('makes no call for nothing, or with an aborted signal', async () => {
    const call = async () => {
      throw new Error('No call is to be made.');
    };
    await retryUnprocessed([], call, signal);
    await retryUnprocessed([1], call, AbortSignal.abort());
  });

  it('waits longer each time while nothing is processed', async () => {
    let calls = 0;
    const call = async (left: readonly number[]) => {
      calls += 1;
      return calls < 5 ? left : [];
    };
    // At least half of 50 + 100 + 200 + 400 ms. Without growth, it would be at most 300 ms.
    expect(await elapsed(retryUnprocessed([1], call, signal))).toBeGreaterThan(370);
  });

  it('waits briefly while something is processed', async () => {
    const nine = Array.from({ length: 9 }, (_, index) => index);
    const call = async (left: readonly number[]) => left.slice(1);
    // Eight pauses of at most 75 ms. With growth, it would be at least six seconds.
    expect(await elapsed(retryUnprocessed(nine, call, signal))).toBeLessThan(3_000);
  });

  it('ends a pause at once when the signal aborts', async () => {
    // A pause of five seconds.
    const random = vi.spyOn(Math, 'random').mockReturnValue(99.5);
    const ending = new AbortController();
    let calls = 0;
    const call = async (left: readonly number[]) => {
      calls += 1;
      setTimeout(() => ending.abort(), 5);
      return left;
    };
    expect(await elapsed(retryUnprocessed([1], call, ending.signal))).toBeLessThan(4_000);
    expect(calls).toBe(1);
    random.mockRestore();
  });
});

it('a throttled call has no answer when the signal aborts', async () => {
  expect(await retryThrottled(async () => 'answer', AbortSignal.abort())).toBeUndefined();
});
