import { mapStoreErrors, type StoreUnavailable, wasThrottled } from './store-errors.ts';

/** A partition accepts 1,000 write units a second, so it accepts another part of a batch after this time. */
const PAUSE_MS = 400;

/** About 4 s. Many waiting functions would use up the account's quota, and other operations could not start. */
export const SMALL_CALL_ATTEMPTS = 10;

/**
 * Repeats a throttled call until the table accepts it. When the signal aborts or no attempt is left, it throws the last
 * refusal. The pauses differ, so that calls which were refused together do not return together.
 */
export const retryWhileThrottled = async <T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  maxAttempts = Number.POSITIVE_INFINITY,
): Promise<T> => {
  let refusal: StoreUnavailable | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await mapStoreErrors(call());
    } catch (error) {
      if (signal.aborted) throw refusal ?? error;
      if (!wasThrottled(error) || attempt >= maxAttempts) throw error;
      refusal = error;
    }
    // After an abort, the next call ends at once.
    await pause(PAUSE_MS * (0.5 + Math.random()), signal);
  }
};

/** `node:timers/promises` would be one more module for each cold start to load. */
const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
