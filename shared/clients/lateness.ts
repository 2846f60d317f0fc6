import { HOUR_MS } from '../time.ts';
import type { WatchedClient } from './client.ts';

/** The client is late from this time on if no batch follows the last one. Undefined if the client is not watched. */
export const lateFrom = (client: Omit<WatchedClient, 'Client'>, lastBatchAt: number | undefined) => {
  const { SilenceHours, SilenceFrom, LockedAt, RemovedAt } = client;
  if (SilenceHours === 0 || LockedAt || RemovedAt) return undefined;
  return Math.max(lastBatchAt ?? 0, Date.parse(SilenceFrom)) + SilenceHours * HOUR_MS;
};
