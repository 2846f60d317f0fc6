import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { retryThrottled, retryUnprocessed } from '../../../admin/store/retry-throttled.ts';
import { mapStoreErrors, StoreUnavailable } from '../../../shared/storage/store-errors.ts';

const { signal } = new AbortController();

const throttled = () => Promise.reject(new ThrottlingException({ $metadata: {}, message: 'Rate exceeded' }));

const elapsed = async (work: Promise<unknown>) => {
  const before = performance.now();
  await work;
  return performance.now() - before;
};

describe('what a call leaves over', () => {
  it('is called for again until nothing is left', async () => {
    const calls: (readonly number[])[] = [];
    const call = async (left: readonly number[]) => {
      calls.push(left);
      return left.slice(2);
    };
    await retryUnprocessed([1, 2, 3, 4, 5], call, signal);
    expect(calls).toEqual([[1, 2, 3, 4, 5], [3, 4, 5], [5]]);
  });

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
    // At the least, half of 50 + 100 + 200 + 400 ms; were the first pause the only one, at the most 300.
    expect(await elapsed(retryUnprocessed([1], call, signal))).toBeGreaterThan(370);
  });

  it('waits briefly while something is processed', async () => {
    const nine = Array.from({ length: 9 }, (_, index) => index);
    const call = async (left: readonly number[]) => left.slice(1);
    // Eight pauses of at most 75 ms; did they grow, at the least six seconds.
    expect(await elapsed(retryUnprocessed(nine, call, signal))).toBeLessThan(3_000);
  });

  it('is everything after a throttled call', async () => {
    const calls: (readonly number[])[] = [];
    const call = (left: readonly number[]) => {
      calls.push(left);
      return calls.length === 1 ? mapStoreErrors(throttled()) : Promise.resolve([]);
    };
    await retryUnprocessed([1, 2], call, signal);
    expect(calls).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('ends a pause at once when the signal aborts', async () => {
    // Of five seconds.
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

describe('a throttled call', () => {
  it('is repeated until it is answered', async () => {
    let calls = 0;
    const call = () => {
      calls += 1;
      return calls < 3 ? throttled() : Promise.resolve('answer');
    };
    expect(await retryThrottled(call, signal)).toBe('answer');
    expect(calls).toBe(3);
  });

  it('has no answer when the signal aborts', async () => {
    expect(await retryThrottled(async () => 'answer', AbortSignal.abort())).toBeUndefined();
  });

  it('passes other errors on, and marks those that may pass', async () => {
    const fault = new Error('No such thing.');
    await expect(retryThrottled(() => Promise.reject(fault), signal)).rejects.toBe(fault);
    const cut = Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
    await expect(retryThrottled(() => Promise.reject(cut), signal)).rejects.toThrow(StoreUnavailable);
  });
});
