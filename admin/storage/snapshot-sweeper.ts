import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { MAX_PARTS } from '../../shared/limits.ts';
import { forEachConcurrently } from '../../shared/storage/concurrency.ts';
import { isOfExpiredSnapshot, partKey } from '../../shared/storage/snapshot.ts';
import { compareBy } from '../text/words.ts';
import { type OnDamaged, snapshotParts } from './snapshot-items.ts';

/** The later parts of a batch whose part 1 was never written. The client got no confirmation of this batch. */
export type UncommittedParts = {
  client: string;
  snapshotId: string;
  receivedAt: Date;
  requestId: string;
  partNumbers: number[];
};

const CONCURRENT_READS = 8;

export const snapshotSweeper = (dynamodb: DynamoDBClient, table: string) => {
  const stored = snapshotParts(dynamodb, table);

  async function* readLaterParts(client: string, before: Date, now: Date, onDamaged: OnDamaged) {
    for (let part = 2; part <= MAX_PARTS; part += 1) {
      for await (const header of stored.readHeaders(client, part, onDamaged)) {
        if (header.receivedAt < before && !isOfExpiredSnapshot(partKey(client, part), header, now))
          yield { ...header, part };
      }
    }
  }

  return {
    /** Finds the uncommitted parts that a client sent before a time. Leaves damaged parts out. */
    find: async (
      client: string,
      before: Date,
      now: Date,
      onDamaged: OnDamaged,
    ): Promise<UncommittedParts[]> => {
      const candidates = new Map<string, UncommittedParts>();
      for await (const later of readLaterParts(client, before, now, onDamaged)) {
        const { snapshotId, receivedAt, requestId, part } = later;
        const known = candidates.get(snapshotId);
        if (known) known.partNumbers.push(part);
        else candidates.set(snapshotId, { client, snapshotId, receivedAt, requestId, partNumbers: [part] });
      }
      const found: UncommittedParts[] = [];
      await forEachConcurrently(CONCURRENT_READS, candidates.values(), async (candidate) => {
        if (!(await stored.exists(client, 1, candidate.snapshotId))) found.push(candidate);
      });
      return found.sort(compareBy(({ snapshotId }) => snapshotId));
    },

    remove: async ({ client, snapshotId, partNumbers }: UncommittedParts) => {
      for (const part of partNumbers) await stored.remove(client, part, snapshotId);
    },
  };
};
