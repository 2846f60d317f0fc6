type Client = { RemovedAt?: string; LockedAt?: string; lateFrom: number | null };

export const stateOf = ({ RemovedAt, LockedAt, lateFrom }: Client, now: number) => {
  if (RemovedAt) return 'removed';
  if (LockedAt) return 'locked';
  if (lateFrom === null) return 'unwatched';
  return lateFrom <= now ? 'late' : 'on time';
};
