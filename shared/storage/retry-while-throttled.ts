import { mapStoreErrors, type StoreUnavailable, wasThrottled } from './store-errors.ts';

/** A partition accepts 1,000 write units a second, so it has room for one more part after this time. */
const PAUSE_MS = 400;

/** About 4 s. Functions that wait longer would use up the account's quota of running functions. */
export const SMALL_CALL_ATTEMPTS = 10;

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
    // Random, so that calls that were refused together do not return together.
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
