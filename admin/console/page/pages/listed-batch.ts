import type { StockData } from '../../stock/stock-data.ts';
import { formatTime } from '../format.ts';
import { hrefTo } from '../route.ts';

/** A batch without its entries. The batch before it is one of the same warehouse. */
export type ListedBatch = {
  client: string;
  id: string;
  /** How addresses name it: `CLIENT/ID`. No client has a slash. */
  name: string;
  at: number;
  entries: number;
  before: ListedBatch | undefined;
};

/** The newest first. */
export const listBatches = ({ snapshots, clients }: StockData): ListedBatch[] => {
  const latest = new Map<string, ListedBatch>();
  const all = snapshots.id.map((id, index) => {
    const client = clients[snapshots.client[index] ?? 0] ?? '';
    const [at, entries] = [snapshots.at[index] ?? 0, snapshots.entries[index] ?? 0];
    const batch = { client, id, name: `${client}/${id}`, at, entries, before: latest.get(client) };
    latest.set(client, batch);
    return batch;
  });
  return all.sort((one, other) => other.at - one.at);
};

export const describe = ({ client, at }: ListedBatch) => `${client}, ${formatTime(at)}`;

export const hrefToComparison = (one: ListedBatch, other: ListedBatch) =>
  hrefTo('batches', ['compare'], { one: one.name, other: other.name });
