import { SLOT_MS, type StockData } from './stock-data.ts';

/** Keeps a count for each client and quarter of an hour, so that memory does not grow with the number of changes. */
export const createChangeCounts = (clients: number, since = Number.NEGATIVE_INFINITY) => {
  const counts = new Map<string, { client: number; slot: number; count: number }>();
  const lastChangeAt: (number | null)[] = Array.from({ length: clients }, () => null);
  return {
    add: (client: number, at: number) => {
      lastChangeAt[client] = Math.max(at, lastChangeAt[client] ?? at);
      if (at < since) return;
      const slot = Math.floor(at / SLOT_MS);
      const { count } = counts.get(`${client} ${slot}`) ?? { count: 0 };
      counts.set(`${client} ${slot}`, { client, slot, count: count + 1 });
    },
    columns: (): Pick<StockData, 'changes' | 'lastChangeAt'> => {
      const rows = [...counts.values()].sort((a, b) => a.client - b.client || a.slot - b.slot);
      const column = (name: 'client' | 'slot' | 'count') => rows.map((row) => row[name]);
      return {
        changes: { client: column('client'), slot: column('slot'), count: column('count') },
        lastChangeAt: [...lastChangeAt],
      };
    },
  };
};
