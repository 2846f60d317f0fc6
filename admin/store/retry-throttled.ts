import { setTimeout as sleep } from 'node:timers/promises';
import { mapStoreErrors, wasThrottled } from '../../shared/storage/store-errors.ts';

const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Makes calls until they leave nothing over, or the signal ends that; a throttled call leaves all. Pauses lie between,
 * which grow while the table takes nothing.
 */
export const retryUnprocessed = async <T>(
  all: readonly T[],
  call: (left: readonly T[]) => Promise<readonly T[]>,
  signal: AbortSignal,
) => {
  let left = all;
  let pause = SHORTEST_PAUSE_MS;
  while (left.length > 0 && !signal.aborted) {
    const before = left.length;
    left = await leftOver(left, call);
    if (left.length === 0) return;
    if (left.length < before) pause = SHORTEST_PAUSE_MS;
    await rest(pause, signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
};

/** A throttled call is made again until it is taken; undefined where that was called off. */
export const retryThrottled = async <T>(
  call: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> => {
  let answer: T | undefined;
  const take = async () => {
    answer = await mapStoreErrors(call());
    return [];
  };
  await retryUnprocessed([call], take, signal);
  return answer;
};

const leftOver = async <T>(left: readonly T[], call: (left: readonly T[]) => Promise<readonly T[]>) => {
  try {
    return await call(left);
  } catch (error) {
    if (wasThrottled(error)) return left;
    throw error;
  }
};

/** Of no fixed length, so that those who were refused together do not come back together. */
const rest = (pause: number, signal: AbortSignal) =>
  sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
