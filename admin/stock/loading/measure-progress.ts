/** `share` is the part of the wanted time of which all batches are read, of all clients together, from 0 to 1. `batches` were written. */
export type Progress = { share: number; batches: number };

/** The time of which batches of a client are not read: after those that are read, and before them. */
type Missing = { newerMs: number; olderMs: number };

/** Adds up how much of the wanted time of each client has been read. */
export const measureProgress = (wantedMs: number, clients: ReadonlyMap<string, Missing>) => {
  const missing = new Map(clients);
  let batches = 0;
  const countMissing = () =>
    missing
      .values()
      .reduce((sum, { newerMs, olderMs }) => sum + Math.max(0, newerMs) + Math.max(0, olderMs), 0);
  return {
    add: (written: number) => {
      batches += written;
    },
    setMissing: (client: string, now: Partial<Missing>) => {
      missing.set(client, { newerMs: 0, olderMs: 0, ...missing.get(client), ...now });
    },
    read: (): Progress => {
      const all = wantedMs * missing.size;
      return { share: all > 0 ? Math.max(0, 1 - countMissing() / all) : 1, batches };
    },
  };
};
