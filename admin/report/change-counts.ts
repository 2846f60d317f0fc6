import { dayOf, type ReportData } from './data.ts';

/** Counts the changes of each client and day, so that memory does not grow with their number. */
export const createChangeCounts = (clients: number) => {
  const counts = Array.from({ length: clients }, () => new Map<number, number>());
  const lastChangeAt: (number | null)[] = counts.map(() => null);
  return {
    add: (client: number, at: number) => {
      const days = counts[client];
      days?.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + 1);
      lastChangeAt[client] = Math.max(at, lastChangeAt[client] ?? at);
    },
    columns: (): Pick<ReportData, 'changes' | 'lastChangeAt'> => {
      const rows = counts.flatMap((days, client) =>
        [...days].sort(([a], [b]) => a - b).map(([day, count]) => ({ client, day, count })),
      );
      const changes = {
        client: rows.map(({ client }) => client),
        day: rows.map(({ day }) => day),
        count: rows.map(({ count }) => count),
      };
      return { changes, lastChangeAt };
    },
  };
};
