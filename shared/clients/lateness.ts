import { HOUR_MS } from '../time.ts';
import type { WatchedClient } from './client.ts';

/** From when on the client is late if it sends no batch after this one. Undefined if it is not watched. */
export const lateFrom = (client: Omit<WatchedClient, 'Client'>, lastBatchAt: number | undefined) => {
  const { SilenceHours, SilenceFrom, LockedAt, RemovedAt } = client;
  if (SilenceHours === 0 || LockedAt || RemovedAt) return undefined;
  return Math.max(lastBatchAt ?? 0, Date.parse(SilenceFrom)) + SilenceHours * HOUR_MS;
};
