import { mapStoreErrors, type StoreUnavailable, wasThrottled } from './store-errors.ts';

/** A partition accepts 1,000 write units a second, so it accepts another part of a batch after this time. */
const PAUSE_MS = 400;

/**
 * Repeats a throttled call until the table accepts it. When the signal aborts, it throws the last refusal. The pauses
 * differ, so that calls which were refused together do not return together.
 */
export const retryWhileThrottled = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  let refusal: StoreUnavailable | undefined;
  for (;;) {
    try {
      return await mapStoreErrors(call());
    } catch (error) {
      if (signal.aborted) throw refusal ?? error;
      if (!wasThrottled(error)) throw error;
      refusal = error;
    }
    await pause(PAUSE_MS * (0.5 + Math.random()), signal);
    if (signal.aborted) throw refusal;
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
