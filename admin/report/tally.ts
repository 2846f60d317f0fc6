import { dayOf, type ReportData } from './data.ts';

/** Counts the changes of each client and day, so that their number makes no difference. */
export const createTally = (clients: number) => {
  const counts = Array.from({ length: clients }, () => new Map<number, number>());
  const lastChangeAt: (number | null)[] = counts.map(() => null);
  return {
    take: (client: number, at: number) => {
      const days = counts[client];
      days?.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + 1);
      lastChangeAt[client] = Math.max(at, lastChangeAt[client] ?? at);
    },
    columns: (): Pick<ReportData, 'changes' | 'lastChangeAt'> => {
      const rows = counts.flatMap((days, client) =>
        [...days].sort(([a], [b]) => a - b).map((row) => [client, ...row]),
      );
      const column = (place: number) => rows.map((row) => row[place] ?? 0);
      return { changes: { client: column(0), day: column(1), count: column(2) }, lastChangeAt };
    },
  };
};
