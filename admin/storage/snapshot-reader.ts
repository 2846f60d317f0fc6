import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { isExpired } from '../../shared/storage/snapshot.ts';
import type { Range } from './query-items.ts';
import {
  DamagedSnapshot,
  type OnDamaged,
  type SnapshotHeader,
  snapshotParts,
  toEntries,
  toHeader,
} from './snapshot-items.ts';

/** A damaged snapshot has no entries. If its header is damaged, too, `parts` is 0. */
export type ReadSnapshot = SnapshotHeader & { entries: StockBalanceEntry[]; damage: string | null };

/** `last` is the id of the last snapshot that was read, or undefined if there are no more snapshots in this direction. */
export type SnapshotPage = { snapshots: ReadSnapshot[]; last: string | undefined };

/** Part 1 of a snapshot is the commit, so the reader starts with it. It skips expired snapshots. */
export const snapshotReader = (dynamodb: DynamoDBClient, table: string, now: Date) => {
  const stored = snapshotParts(dynamodb, table);

  const readEntries = async (
    { client, snapshotId, entryCount, parts }: SnapshotHeader,
    first: Record<string, unknown>,
  ) => {
    const laterParts = Array.from({ length: parts - 1 }, (_, index) => index + 2);
    const later = await Promise.all(
      laterParts.map(async (part) => {
        const item = await stored.read(client, part, snapshotId);
        return item ? toEntries(item) : [];
      }),
    );
    const entries = [toEntries(first), ...later].flat();
    const codes = new Set(entries.map(({ MaterialCode }) => MaterialCode));
    if (entries.length === entryCount && codes.size === entryCount) return entries;
    throw new DamagedSnapshot(
      snapshotId,
      `Snapshot ${snapshotId} of ${client} has only ${codes.size} of ${entryCount} entries.`,
    );
  };

  const toSnapshot = async (client: string, first: Record<string, unknown>): Promise<ReadSnapshot> => {
    let header: SnapshotHeader | undefined;
    try {
      header = toHeader(client, first);
      const entries = isExpired(header, now) ? [] : await readEntries(header, first);
      return { ...header, entries, damage: null };
    } catch (error) {
      if (!(error instanceof DamagedSnapshot)) throw error;
      const { snapshotId, receivedAt, message } = error;
      const unknown = { client, snapshotId, receivedAt, requestId: '', entryCount: 0, parts: 0 };
      return { ...(header ?? unknown), entries: [], damage: message };
    }
  };

  return {
    /** Reads snapshots with their entries, in pages of at most 1 MB of their first parts. */
    async *readPages(client: string, range: Range): AsyncGenerator<SnapshotPage> {
      for await (const { items, last } of stored.readPages(client, range)) {
        const snapshots: ReadSnapshot[] = [];
        // One after the other, because a large snapshot has 4 MB.
        for (const item of items) snapshots.push(await toSnapshot(client, item));
        yield { snapshots: snapshots.filter((snapshot) => !isExpired(snapshot, now)), last };
      }
    },

    async *listHeaders(client: string, range: Range, onDamaged: OnDamaged) {
      for await (const header of stored.readHeaders(client, 1, onDamaged, range))
        if (!isExpired(header, now)) yield header;
    },
  };
};
