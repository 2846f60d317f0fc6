import { dayOf, type StockData } from './stock-data.ts';

/** Counts the changes of each client and day, so that memory does not grow with their number. */
export const createChangeCounts = (clients: number) => {
  const counts = new Map<string, { client: number; day: number; count: number }>();
  const lastChangeAt: (number | null)[] = Array.from({ length: clients }, () => null);
  return {
    add: (client: number, at: number) => {
      const day = dayOf(at);
      const { count } = counts.get(`${client} ${day}`) ?? { count: 0 };
      counts.set(`${client} ${day}`, { client, day, count: count + 1 });
      lastChangeAt[client] = Math.max(at, lastChangeAt[client] ?? at);
    },
    columns: (): Pick<StockData, 'changes' | 'lastChangeAt'> => {
      const rows = [...counts.values()].sort((a, b) => a.client - b.client || a.day - b.day);
      const column = (name: 'client' | 'day' | 'count') => rows.map((row) => row[name]);
      return {
        changes: { client: column('client'), day: column('day'), count: column('count') },
        lastChangeAt,
      };
    },
  };
};
