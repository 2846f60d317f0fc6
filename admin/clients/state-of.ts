type Client = { RemovedAt?: string; LockedAt?: string; lateFrom: number | null };

/** The state of a client in one word. */
export const stateOf = ({ RemovedAt, LockedAt, lateFrom }: Client, now: number) => {
  if (RemovedAt) return 'removed';
  if (LockedAt) return 'locked';
  if (lateFrom === null) return 'unwatched';
  return lateFrom <= now ? 'late' : 'on time';
};
