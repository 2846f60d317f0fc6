import { mapStorageErrors, type StorageUnavailable, wasEnded, wasThrottled } from './storage-errors.ts';

/** A part of a batch uses up to 400 write units. A partition of a table accepts 1,000 a second, so after this pause it accepts a part. The pauses are as long on average. */
export const PAUSE_MS = 400;

/** A call with this limit gives up after about 4 s. If it waited longer, waiting functions could use up the account's Lambda quota. */
export const MAX_THROTTLED_ATTEMPTS = 10;

export const retryWhileThrottled = async <T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  maxAttempts = Number.POSITIVE_INFINITY,
): Promise<T> => {
  let lastThrottle: StorageUnavailable | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await mapStorageErrors(call());
    } catch (error) {
      // The reason of the throttle says more than the end of the time.
      if (wasEnded(error)) throw lastThrottle ?? error;
      if (!wasThrottled(error) || attempt >= maxAttempts) throw error;
      lastThrottle = error;
    }
    // Random, so that calls that were throttled together do not retry together.
    await pause(PAUSE_MS * (0.5 + Math.random()), signal, lastThrottle);
  }
};

/** Ends with the error once the signal aborts. `node:timers/promises` would be one more module to load at each cold start. */
const pause = (milliseconds: number, signal: AbortSignal, error: StorageUnavailable) =>
  new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  });
