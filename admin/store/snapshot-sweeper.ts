import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { MOST_PARTS } from '../../shared/schemas/limits.ts';
import { forEachConcurrently } from '../../shared/storage/concurrency.ts';
import { isOfExpiredSnapshot, partKey } from '../../shared/storage/snapshot.ts';
import { mapStoreErrors } from '../../shared/storage/store-errors.ts';
import { documentClient } from './document-client.ts';
import { by } from './order.ts';
import { type OnDamaged, queryParts, readPart, rethrow, skipDamaged, toHead } from './snapshot-items.ts';

/** Parts of a snapshot whose part 1 has never come: the sender was never told that anything was kept. */
export type Uncommitted = {
  client: string;
  snapshotId: string;
  receivedAt: Date;
  requestId: string;
  parts: number[];
};

/** Each asks for the part 1 of one snapshot, of which it is told no more than that it is there. */
const QUESTIONS_AT_A_TIME = 8;

export const snapshotSweeper = (client: DynamoDBClient, table: string) => {
  const documents = documentClient(client);

  /** The parts but the first, of snapshots past one item; they lie under keys of their own. */
  async function* laterParts(client: string, before: Date, now: Date, onDamaged: OnDamaged) {
    for (let part = 2; part <= MOST_PARTS; part += 1) {
      for await (const item of queryParts(documents, table, { client, part, wanted: 'head' }, {})) {
        const head = await skipDamaged(() => toHead(client, item), onDamaged);
        if (head && head.receivedAt < before && !isOfExpiredSnapshot(partKey(client, part), head, now))
          yield { ...head, part };
      }
    }
  }

  const isCommitted = async ({ client, snapshotId }: Uncommitted) =>
    (await readPart(documents, table, { client, snapshotId, part: 1, wanted: 'head' })) !== undefined;

  const withoutPart1 = async (candidates: Uncommitted[]) => {
    const found: Uncommitted[] = [];
    const look = async (candidate: Uncommitted) => {
      if (!(await isCommitted(candidate))) found.push(candidate);
    };
    await Promise.all(forEachConcurrently(QUESTIONS_AT_A_TIME, candidates.values(), look));
    return found.sort(by(({ snapshotId }) => snapshotId));
  };

  return {
    /** Of a client, those received before a time. A damaged part is told of, and stays. */
    find: async (
      client: string,
      before: Date,
      now: Date,
      onDamaged: OnDamaged = rethrow,
    ): Promise<Uncommitted[]> => {
      const candidates = new Map<string, Uncommitted>();
      for await (const later of laterParts(client, before, now, onDamaged)) {
        const { snapshotId, receivedAt, requestId, part } = later;
        const known = candidates.get(snapshotId);
        if (known) known.parts.push(part);
        else candidates.set(snapshotId, { client, snapshotId, receivedAt, requestId, parts: [part] });
      }
      return withoutPart1([...candidates.values()]);
    },

    remove: async ({ client, snapshotId, parts }: Uncommitted) => {
      for (const part of parts) {
        const Key = { Client: partKey(client, part), SnapshotId: snapshotId };
        await mapStoreErrors(documents.send(new DeleteCommand({ TableName: table, Key })));
      }
    },
  };
};
