import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Snapshot, type SnapshotItem, toSnapshotItems } from '../snapshot.ts';
import { together } from './together.ts';
import { orUnavailable } from './unavailable.ts';

export type Snapshots = { keep(snapshot: Snapshot, signal: AbortSignal): Promise<void> };

/** A part costs up to 400 of the 1,000 write units that a partition takes in a second. */
const PARTS_AT_A_TIME = 4;

export const snapshotStore = (client: DynamoDBClient, table: string): Snapshots => {
  const documents = DynamoDBDocumentClient.from(client);

  const put = (item: SnapshotItem, signal: AbortSignal) =>
    orUnavailable(documents.send(new PutCommand({ TableName: table, Item: item }), { abortSignal: signal }));

  return {
    /** Keeps a snapshot whole: until part 1 stands, no reader sees any of it. */
    keep: async (snapshot, signal) => {
      const [first, ...others] = toSnapshotItems(snapshot);
      if (!first) throw new Error('A snapshot has at least one entry.');
      await putAll(others, signal, put);
      await put(first, signal);
    },
  };
};

const putAll = (
  items: SnapshotItem[],
  signal: AbortSignal,
  put: (item: SnapshotItem, signal: AbortSignal) => Promise<unknown>,
) => {
  const queue = items.values();
  const worker = async (signal: AbortSignal) => {
    for (const item of queue) await put(item, signal);
  };
  return together(signal, (signal) => Array.from({ length: PARTS_AT_A_TIME }, () => worker(signal)));
};
