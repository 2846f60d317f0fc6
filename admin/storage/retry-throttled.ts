import { retryWhileThrottled } from '../../shared/storage/retry-while-throttled.ts';
import { StorageUnavailable, wasThrottled } from '../../shared/storage/storage-errors.ts';

const NEVER = new AbortController().signal;

/** Repeats a throttled call until it gets a response. */
export const retryThrottled = <T>(call: () => Promise<T>) => retryWhileThrottled(call, NEVER);

/** Repeats a throttled call until it gets a response. Returns undefined when the signal aborts. */
export const retryUntilAborted = async <T>(
  call: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> => {
  if (signal.aborted) return undefined;
  try {
    return await retryWhileThrottled(call, signal);
  } catch (error) {
    if (signal.aborted && wasThrottled(error)) return undefined;
    throw error;
  }
};

/** Repeats a call with the items that it left unprocessed, until none is left or the signal aborts. It pauses if a call accepts none. */
export const retryUnprocessed = async <T>(
  all: readonly T[],
  call: (left: readonly T[]) => Promise<readonly T[]>,
  signal: AbortSignal,
) => {
  let left = all;
  const callForRest = async () => {
    while (left.length > 0 && !signal.aborted) {
      const before = left.length;
      left = await call(left);
      if (left.length === before)
        throw new StorageUnavailable('The table accepted no item.', { throttling: [] });
    }
  };
  await retryUntilAborted(callForRest, signal);
};
