import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Snapshot } from '../snapshot.ts';
import type { StockBalanceEntry } from '../stock-balance.ts';
import {
  DamagedSnapshot,
  isExpired,
  queryParts,
  type Range,
  readPart,
  type SnapshotHead,
  toEntries,
  toHead,
} from './snapshot-items.ts';

export { DamagedSnapshot, type Range, type SnapshotHead };

/** What one snapshot says about one material. */
export type Statement = StockBalanceEntry & { client: string; snapshotId: string; receivedAt: Date };

type OnDamaged = (damage: DamagedSnapshot) => void;

export type SnapshotReader = ReturnType<typeof snapshotReader>;

/** Readers begin with part 1, which is the commit, and pass over what has expired. */
export const snapshotReader = (client: DynamoDBClient, table: string) => {
  const documents = DynamoDBDocumentClient.from(client);

  const whole = async (head: SnapshotHead, first: Record<string, unknown>): Promise<Snapshot> => {
    const { client, snapshotId, entryCount, parts, ...others } = head;
    const rest = await Promise.all(
      Array.from({ length: parts - 1 }, (_, index) =>
        readPart(documents, table, { client, snapshotId, part: index + 2 }),
      ),
    );
    const entries = [first, ...rest].flatMap((part) => (part ? toEntries(part) : []));
    if (entries.length !== entryCount) {
      throw new DamagedSnapshot(
        `Snapshot ${snapshotId} of ${client} holds ${entries.length} entries of ${entryCount}.`,
      );
    }
    return { client, snapshotId, ...others, entries };
  };

  return {
    /** The whole snapshot, or undefined: one without part 1 was never committed, one past its time has expired. */
    read: async (client: string, snapshotId: string, now: Date): Promise<Snapshot | undefined> => {
      const first = await readPart(documents, table, { client, snapshotId, part: 1 });
      const head = first && toHead(client, first);
      return head && !isExpired(head, now) ? whole(head, first) : undefined;
    },

    /** One that is damaged is told of, and does not cost the others. */
    async *heads(
      client: string,
      now: Date,
      range: Range = {},
      onDamaged: OnDamaged = rethrow,
    ): AsyncGenerator<SnapshotHead> {
      for await (const item of queryParts(documents, table, { client, part: 1, wanted: 'head' }, range)) {
        const head = await orDamaged(() => toHead(client, item), onDamaged);
        if (head && !isExpired(head, now)) yield head;
      }
    },

    /** Whole snapshots one after the other; likewise. */
    async *each(
      client: string,
      now: Date,
      range: Range = {},
      onDamaged: OnDamaged = rethrow,
    ): AsyncGenerator<Snapshot> {
      for await (const item of queryParts(documents, table, { client, part: 1, wanted: 'all' }, range)) {
        const read = () => {
          const head = toHead(client, item);
          return isExpired(head, now) ? undefined : whole(head, item);
        };
        const snapshot = await orDamaged(read, onDamaged);
        if (snapshot) yield snapshot;
      }
    },

    /** Whatever a client has said about a material, oldest first. The table answers with that one balance alone. */
    statements: async (client: string, code: string, now: Date, since?: Date): Promise<Statement[]> => {
      const wanted = { code };
      const heads = new Map<string, SnapshotHead>();
      const statements: Statement[] = [];
      const take = (item: Record<string, unknown>) => {
        const head = heads.get(String(item['SnapshotId']));
        const [entry] = toEntries(item);
        if (!head || !entry) return;
        const { snapshotId, receivedAt } = head;
        statements.push({ ...entry, client, snapshotId, receivedAt });
      };
      let parts = 1;
      for await (const item of queryParts(documents, table, { client, part: 1, wanted }, { since })) {
        const head = toHead(client, item);
        if (isExpired(head, now)) continue;
        heads.set(head.snapshotId, head);
        parts = Math.max(parts, head.parts);
        take(item);
      }
      for (let part = 2; part <= parts; part += 1) {
        for await (const item of queryParts(documents, table, { client, part, wanted }, { since }))
          take(item);
      }
      return statements.sort((a, b) => (a.snapshotId < b.snapshotId ? -1 : 1));
    },
  };
};

const rethrow: OnDamaged = (damage) => {
  throw damage;
};

const orDamaged = async <T>(read: () => T | Promise<T>, onDamaged: OnDamaged) => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DamagedSnapshot)) throw error;
    onDamaged(error);
    return undefined;
  }
};
