import { setTimeout as sleep } from 'node:timers/promises';
import { mapStorageErrors, wasThrottled } from '../../shared/storage/storage-errors.ts';

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Repeats a call with the items that it left unprocessed, until none is left or the signal aborts. The pauses grow while
 * the table accepts nothing. An abort makes this function return. `retryWhileThrottled` of shared/ would throw.
 */
export const retryUnprocessed = async <T>(
  all: readonly T[],
  call: (left: readonly T[]) => Promise<readonly T[]>,
  signal: AbortSignal,
  sleepFor = sleepRandomly,
) => {
  let left = all;
  let pause = SHORTEST_PAUSE_MS;
  while (left.length > 0 && !signal.aborted) {
    const before = left.length;
    left = await callOrKeepAll(left, call);
    if (left.length === 0) return;
    if (left.length < before) pause = SHORTEST_PAUSE_MS;
    await sleepFor(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
};

/** Repeats a throttled call until it gets a response. Returns undefined when the signal aborts. */
export const retryUntilAborted = async <T>(
  call: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> => {
  let response: T | undefined;
  const keepResponse = async () => {
    response = await mapStorageErrors(call());
    return [];
  };
  await retryUnprocessed([call], keepResponse, signal);
  return response;
};

const callOrKeepAll = async <T>(left: readonly T[], call: (left: readonly T[]) => Promise<readonly T[]>) => {
  try {
    return await call(left);
  } catch (error) {
    if (wasThrottled(error)) return left;
    throw error;
  }
};

/** The pause is random, so that calls that were throttled together are not repeated together. */
const sleepRandomly = (pause: number, signal: AbortSignal): Promise<void> =>
  sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
