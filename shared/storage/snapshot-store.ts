import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { forEachConcurrently, runConcurrently } from './concurrency.ts';
import { type Snapshot, type SnapshotItem, toSnapshotItems } from './snapshot.ts';
import { mapStoreErrors } from './store-errors.ts';

export type Snapshots = { keep(snapshot: Snapshot, signal: AbortSignal): Promise<void> };

/** A part costs up to 400 of a partition's 1,000 write units per second. */
const PARTS_AT_A_TIME = 4;

export const snapshotStore = (client: DynamoDBClient, table: string): Snapshots => {
  /** Never overwrites an item, except in a retry of the same request. */
  const put = (item: SnapshotItem, signal: AbortSignal) => {
    const command = new PutItemCommand({
      TableName: table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(Client) OR RequestId = :requestId',
      ExpressionAttributeValues: { ':requestId': item.RequestId },
    });
    return mapStoreErrors(client.send(command, { abortSignal: signal }));
  };

  return {
    /** Readers start from part 1, so it is written last. */
    keep: async (snapshot, signal) => {
      const [first, ...others] = toSnapshotItems(snapshot);
      if (!first) throw new Error('A snapshot has at least one entry.');
      await runConcurrently(signal, (signal) =>
        forEachConcurrently(PARTS_AT_A_TIME, others.values(), (part) => put(part, signal)),
      );
      await put(first, signal);
    },
  };
};
