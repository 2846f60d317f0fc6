import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { StockBalanceEntry } from '../../shared/schemas/stock-balance.ts';
import { isExpired, type Snapshot } from '../../shared/storage/snapshot.ts';
import { documentClient } from './document-client.ts';
import { by } from './order.ts';
import {
  DamagedSnapshot,
  type OnDamaged,
  queryParts,
  type Range,
  readPart,
  rethrow,
  type SnapshotHead,
  skipDamaged,
  toEntries,
  toHead,
} from './snapshot-items.ts';

export { DamagedSnapshot, type Range, type SnapshotHead };

/** What one snapshot says about one material. */
export type Statement = StockBalanceEntry & { client: string; snapshotId: string; receivedAt: Date };

export type SnapshotReader = ReturnType<typeof snapshotReader>;

/** Readers begin with part 1, which is the commit, and pass over what has expired. */
export const snapshotReader = (client: DynamoDBClient, table: string) => {
  const documents = documentClient(client);

  const assemble = async (head: SnapshotHead, first: Record<string, unknown>): Promise<Snapshot> => {
    const { client, snapshotId, entryCount, parts, ...others } = head;
    const rest = await Promise.all(
      Array.from({ length: parts - 1 }, (_, index) =>
        readPart(documents, table, { client, snapshotId, part: index + 2, wanted: 'all' }),
      ),
    );
    const entries = [first, ...rest].flatMap((part) => (part ? toEntries(part) : []));
    if (entries.length !== entryCount) {
      throw new DamagedSnapshot(
        snapshotId,
        `Snapshot ${snapshotId} of ${client} holds ${entries.length} entries of ${entryCount}.`,
      );
    }
    // A map has no order.
    return { client, snapshotId, ...others, entries: entries.sort(byCode) };
  };

  return {
    /** The whole snapshot, or undefined: one without part 1 was never committed, one past its time has expired. */
    read: async (client: string, snapshotId: string, now: Date): Promise<Snapshot | undefined> => {
      const first = await readPart(documents, table, { client, snapshotId, part: 1, wanted: 'all' });
      const head = first && toHead(client, first);
      return head && !isExpired(head, now) ? assemble(head, first) : undefined;
    },

    /** One that is damaged is told of, and does not cost the others. */
    async *listHeaders(
      client: string,
      now: Date,
      range: Range = {},
      onDamaged: OnDamaged = rethrow,
    ): AsyncGenerator<SnapshotHead> {
      for await (const item of queryParts(documents, table, { client, part: 1, wanted: 'head' }, range)) {
        const head = await skipDamaged(() => toHead(client, item), onDamaged);
        if (head && !isExpired(head, now)) yield head;
      }
    },

    /** Whole snapshots one after the other; likewise. */
    async *iterate(
      client: string,
      now: Date,
      range: Range = {},
      onDamaged: OnDamaged = rethrow,
    ): AsyncGenerator<Snapshot> {
      for await (const item of queryParts(documents, table, { client, part: 1, wanted: 'all' }, range)) {
        const read = () => {
          const head = toHead(client, item);
          return isExpired(head, now) ? undefined : assemble(head, item);
        };
        const snapshot = await skipDamaged(read, onDamaged);
        if (snapshot) yield snapshot;
      }
    },

    /** Whatever a client has said about a material, oldest first. The table answers with that one balance alone. */
    statements: async (
      client: string,
      code: string,
      now: Date,
      since?: Date,
      onDamaged: OnDamaged = rethrow,
    ): Promise<Statement[]> => {
      const wanted = { code };
      const heads = new Map<string, SnapshotHead>();
      const statements: Statement[] = [];
      const take = async (item: Record<string, unknown>) => {
        const head = heads.get(String(item['SnapshotId']));
        const [entry] = (await skipDamaged(() => toEntries(item), onDamaged)) ?? [];
        if (!head || !entry) return;
        const { snapshotId, receivedAt } = head;
        statements.push({ ...entry, client, snapshotId, receivedAt });
      };
      let parts = 1;
      for await (const item of queryParts(documents, table, { client, part: 1, wanted }, { since })) {
        const head = await skipDamaged(() => toHead(client, item), onDamaged);
        if (!head || isExpired(head, now)) continue;
        heads.set(head.snapshotId, head);
        parts = Math.max(parts, head.parts);
        await take(item);
      }
      for (let part = 2; part <= parts; part += 1) {
        for await (const item of queryParts(documents, table, { client, part, wanted }, { since }))
          await take(item);
      }
      return statements.sort(by(({ snapshotId }) => snapshotId));
    },
  };
};

const byCode = by(({ MaterialCode }: StockBalanceEntry) => MaterialCode);
