import type { ClientStatus } from './client-status.ts';

/** The state of a client in one word. `stateOf` in admin/stock/queries/lateness.ts has the same words in SQL. */
export const stateOf = (
  { RemovedAt, LockedAt, lateFrom }: Pick<ClientStatus, 'RemovedAt' | 'LockedAt' | 'lateFrom'>,
  now: number,
) => {
  if (RemovedAt) return 'removed';
  if (LockedAt) return 'locked';
  if (lateFrom === null) return 'unwatched';
  return lateFrom <= now ? 'late' : 'on time';
};
