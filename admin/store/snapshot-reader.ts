import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { isExpired, type Snapshot } from '../../shared/storage/snapshot.ts';
import { compareBy } from './order.ts';
import type { Range } from './query-client.ts';
import {
  DamagedSnapshot,
  type OnDamaged,
  rethrow,
  type SnapshotHeader,
  skipDamaged,
  snapshotParts,
  toEntries,
  toHeader,
  type Wanted,
} from './snapshot-items.ts';

export { DamagedSnapshot, type SnapshotHeader };

export type BalanceReport = StockBalanceEntry & { client: string; snapshotId: string; receivedAt: Date };

export type SnapshotReader = ReturnType<typeof snapshotReader>;

/** Starts at part 1, which is the commit, and skips expired snapshots. */
export const snapshotReader = (client: DynamoDBClient, table: string, now: Date) => {
  const stored = snapshotParts(client, table);

  const assemble = async (header: SnapshotHeader, first: Record<string, unknown>): Promise<Snapshot> => {
    const { client, snapshotId, entryCount, parts, ...others } = header;
    const rest = await Promise.all(
      Array.from({ length: parts - 1 }, (_, index) =>
        stored.read({ client, part: index + 2, wanted: 'all' }, snapshotId),
      ),
    );
    const entries = [first, ...rest].flatMap((part) => (part ? toEntries(part) : []));
    if (entries.length !== entryCount) {
      throw new DamagedSnapshot(
        snapshotId,
        `Snapshot ${snapshotId} of ${client} has only ${entries.length} of ${entryCount} entries.`,
      );
    }
    return {
      client,
      snapshotId,
      ...others,
      entries: entries.sort(compareBy(({ MaterialCode }) => MaterialCode)),
    };
  };

  /** The first parts of a client's snapshots that have not expired. */
  async function* readFirstParts(client: string, wanted: Wanted, range: Range, onDamaged: OnDamaged) {
    for await (const item of stored.query({ client, part: 1, wanted }, range)) {
      const header = await skipDamaged(() => toHeader(client, item), onDamaged);
      if (header && !isExpired(header, now)) yield { header, item };
    }
  }

  return {
    /** Undefined when the snapshot was never committed or has expired. */
    read: async (client: string, snapshotId: string): Promise<Snapshot | undefined> => {
      const first = await stored.read({ client, part: 1, wanted: 'all' }, snapshotId);
      const header = first && toHeader(client, first);
      return header && !isExpired(header, now) ? assemble(header, first) : undefined;
    },

    async *listHeaders(client: string, range: Range = {}, onDamaged = rethrow) {
      for await (const { header } of readFirstParts(client, 'header', range, onDamaged)) yield header;
    },

    async *iterate(client: string, range: Range = {}, onDamaged = rethrow) {
      for await (const { header, item } of readFirstParts(client, 'all', range, onDamaged)) {
        const snapshot = await skipDamaged(() => assemble(header, item), onDamaged);
        if (snapshot) yield snapshot;
      }
    },

    /** Every report of a material, oldest first. Reads only that balance of each snapshot. */
    readReports: async (client: string, code: string, range: Range = {}, onDamaged = rethrow) => {
      const wanted = { code };
      const firsts = await Array.fromAsync(readFirstParts(client, wanted, range, onDamaged));
      const headers = new Map(firsts.map(({ header }) => [header.snapshotId, header]));
      const items = firsts.map(({ item }) => item);
      const parts = headers.values().reduce((most, header) => Math.max(most, header.parts), 1);
      for (let part = 2; part <= parts; part += 1) {
        items.push(...(await Array.fromAsync(stored.query({ client, part, wanted }, range))));
      }
      const reports: BalanceReport[] = [];
      for (const item of items) {
        const header = headers.get(String(item['SnapshotId']));
        const [entry] = (await skipDamaged(() => toEntries(item), onDamaged)) ?? [];
        if (!header || !entry) continue;
        const { snapshotId, receivedAt } = header;
        reports.push({ ...entry, client, snapshotId, receivedAt });
      }
      return reports.sort(compareBy(({ snapshotId }) => snapshotId));
    },
  };
};
