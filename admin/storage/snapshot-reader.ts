import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isExpired, type Snapshot } from '../../shared/storage/snapshot.ts';
import { compareBy } from '../text/words.ts';
import type { Range } from './query-client.ts';
import {
  DamagedSnapshot,
  type OnDamaged,
  type SnapshotHeader,
  snapshotParts,
  toEntries,
  toHeader,
} from './snapshot-items.ts';

/** Part 1 of a snapshot is the commit, so the reader starts with it. It skips expired snapshots. */
export const snapshotReader = (dynamodb: DynamoDBClient, table: string, now: Date) => {
  const stored = snapshotParts(dynamodb, table);

  const assemble = async (header: SnapshotHeader, first: Record<string, unknown>): Promise<Snapshot> => {
    const { entryCount, parts, ...snapshot } = header;
    const { client, snapshotId } = header;
    const laterParts = Array.from({ length: parts - 1 }, (_, index) => index + 2);
    const later = await Promise.all(laterParts.map((part) => stored.read(client, part, snapshotId)));
    const entries = [first, ...later].flatMap((part) => (part ? toEntries(part) : []));
    if (entries.length !== entryCount) {
      throw new DamagedSnapshot(
        snapshotId,
        `Snapshot ${snapshotId} of ${client} has only ${entries.length} of ${entryCount} entries.`,
      );
    }
    return { ...snapshot, entries: entries.sort(compareBy(({ MaterialCode }) => MaterialCode)) };
  };

  return {
    /** Returns undefined if the snapshot was never committed or has expired. */
    read: async (client: string, snapshotId: string): Promise<Snapshot | undefined> => {
      const first = await stored.read(client, 1, snapshotId);
      const header = first && toHeader(client, first);
      return header && !isExpired(header, now) ? assemble(header, first) : undefined;
    },

    async *listHeaders(client: string, range: Range, onDamaged: OnDamaged) {
      for await (const header of stored.readHeaders(client, 1, onDamaged, range))
        if (!isExpired(header, now)) yield header;
    },
  };
};
