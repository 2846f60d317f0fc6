import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MOST_PARTS } from '../limits.ts';
import { partKey } from '../snapshot.ts';
import { isExpired, queryParts, readPart, type SnapshotHead, toHead } from './snapshot-items.ts';
import { orUnavailable } from './unavailable.ts';

/** Parts of a snapshot whose part 1 has never come: the sender was never told that anything was kept. */
export type Uncommitted = {
  client: string;
  snapshotId: string;
  receivedAt: Date;
  requestId: string;
  parts: number[];
};

export type SnapshotSweeper = ReturnType<typeof snapshotSweeper>;

export const snapshotSweeper = (client: DynamoDBClient, table: string) => {
  const documents = DynamoDBDocumentClient.from(client);

  const isCommitted = async (client: string, snapshotId: string) =>
    (await readPart(documents, table, { client, snapshotId, part: 1 })) !== undefined;

  /** Of all parts but the first, those that a reader would miss part 1 of. */
  async function* laterParts(client: string, before: Date, now: Date) {
    for (let part = 2; part <= MOST_PARTS; part += 1) {
      for await (const item of queryParts(documents, table, { client, part, wanted: 'head' }, {})) {
        const head = toHead(client, item);
        if (head.receivedAt < before && !outlives(head, now)) yield { ...head, part };
      }
    }
  }

  return {
    /** Of a client, those received before a time. They lie under keys of their own, so that little has to be read. */
    find: async (client: string, before: Date, now: Date): Promise<Uncommitted[]> => {
      const found = new Map<string, Uncommitted>();
      for await (const { snapshotId, receivedAt, requestId, part } of laterParts(client, before, now)) {
        const known = found.get(snapshotId);
        if (known) known.parts.push(part);
        else found.set(snapshotId, { client, snapshotId, receivedAt, requestId, parts: [part] });
      }
      const all = [...found.values()].sort((a, b) => (a.snapshotId < b.snapshotId ? -1 : 1));
      const committed = await Promise.all(all.map(({ snapshotId }) => isCommitted(client, snapshotId)));
      return all.filter((_, index) => !committed[index]);
    },

    remove: async ({ client, snapshotId, parts }: Uncommitted) => {
      for (const part of parts) {
        const Key = { Client: partKey(client, part), SnapshotId: snapshotId };
        await orUnavailable(documents.send(new DeleteCommand({ TableName: table, Key })));
      }
    },
  };
};

const DAY_MS = 86_400_000;

/** The other parts of what has expired are there for a day longer than part 1, and go by themselves. */
const outlives = ({ expiresAt }: SnapshotHead, now: Date) =>
  expiresAt !== undefined && isExpired({ expiresAt: new Date(expiresAt.getTime() - DAY_MS) }, now);
