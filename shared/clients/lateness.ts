import { HOUR_MS } from '../time.ts';
import type { WatchedClient } from './client.ts';

/** Returns when the client becomes late if it sends no further batch. Undefined if nobody waits for its batches. */
export const lateFromOf = (client: Omit<WatchedClient, 'Client'>, lastBatchAt: number | undefined) => {
  const { SilenceHours, SilenceFrom, LockedAt, RemovedAt } = client;
  if (SilenceHours === 0 || LockedAt || RemovedAt) return undefined;
  return Math.max(lastBatchAt ?? 0, Date.parse(SilenceFrom)) + SilenceHours * HOUR_MS;
};
