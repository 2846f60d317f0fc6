import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { isRecord } from '../record.ts';
import { partKey, type Snapshot } from '../snapshot.ts';
import { orUnavailable } from './unavailable.ts';

/** What is stored is parsed like what is sent: a table may be edited by hand. */
const StoredPart = v.object({
  ReceivedAt: v.string(),
  RequestId: v.string(),
  EntryCount: v.number(),
  Parts: v.number(),
  ExpiresAt: v.optional(v.number()),
  // Not v.record, which passes over keys such as `constructor`; those are codes like any other.
  Balances: v.custom<Record<string, unknown>>(isRecord),
});

const StoredBalance = v.object({
  StockBalance: v.number(),
  StockBalanceUnit: v.string(),
  PurchaseOrders: v.array(v.string()),
});

export type SnapshotReader = {
  read(client: string, snapshotId: string, now: Date): Promise<Snapshot | undefined>;
};

export const snapshotReader = (client: DynamoDBClient, table: string): SnapshotReader => {
  const documents = DynamoDBDocumentClient.from(client);

  const readPart = async (client: string, snapshotId: string, part: number) => {
    const get = new GetCommand({
      TableName: table,
      Key: { Client: partKey(client, part), SnapshotId: snapshotId },
      ConsistentRead: true,
    });
    const { Item } = await orUnavailable(documents.send(get));
    return Item && v.parse(StoredPart, Item);
  };

  return {
    /** The whole snapshot, or undefined: one without part 1 was never committed, one past its time has expired. */
    read: async (client, snapshotId, now) => {
      const first = await readPart(client, snapshotId, 1);
      if (!first || isExpired(first.ExpiresAt, now)) return undefined;
      const others = Array.from({ length: first.Parts - 1 }, (_, index) =>
        readPart(client, snapshotId, index + 2),
      );
      const parts = [first, ...(await Promise.all(others))];
      const entries = parts.flatMap((part) => Object.entries(part?.Balances ?? {}));
      if (entries.length !== first.EntryCount) {
        throw new Error(
          `Snapshot ${snapshotId} of ${client} holds ${entries.length} entries of ${first.EntryCount}.`,
        );
      }
      return {
        client,
        snapshotId,
        receivedAt: new Date(first.ReceivedAt),
        requestId: first.RequestId,
        entries: entries.map(([MaterialCode, balance]) => ({
          MaterialCode,
          ...v.parse(StoredBalance, balance),
        })),
        ...(first.ExpiresAt === undefined ? {} : { expiresAt: new Date(first.ExpiresAt * 1_000) }),
      };
    },
  };
};

/** The platform removes an expired item within days, not at once. */
const isExpired = (expiresAt: number | undefined, now: Date) =>
  expiresAt !== undefined && expiresAt * 1_000 <= now.getTime();
