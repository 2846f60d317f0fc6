import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { forEachConcurrently } from './concurrency.ts';
import { retryWhileThrottled } from './retry-while-throttled.ts';
import { type Snapshot, type SnapshotItem, toSnapshotItems } from './snapshot.ts';

export type SnapshotWriter = { keep(snapshot: Snapshot, signal: AbortSignal): Promise<void> };

/** A new table has four partitions, and the parts of a batch spread over them. */
const PARTS_AT_A_TIME = 4;

export const snapshotWriter = (dynamodb: DynamoDBClient, table: string): SnapshotWriter => {
  /** Overwrites only an item that an earlier attempt of the same write has stored. */
  const put = (item: SnapshotItem, writeId: string, signal: AbortSignal) => {
    const WriteId = { S: writeId };
    const command = new PutItemCommand({
      TableName: table,
      Item: { ...item, WriteId },
      ConditionExpression: 'attribute_not_exists(Client) OR WriteId = :writeId',
      ExpressionAttributeValues: { ':writeId': WriteId },
    });
    return retryWhileThrottled(() => dynamodb.send(command, { abortSignal: signal }), signal);
  };

  return {
    /** Readers ignore a snapshot without part 1. Part 1 is written last, so nobody reads half of a snapshot. */
    keep: async (snapshot, signal) => {
      // The request id does not identify a write: the event may lack it, and two requests may have the same id.
      const writeId = randomUUID();
      const [part1, ...laterParts] = toSnapshotItems(snapshot);
      if (!part1) throw new Error('A snapshot has at least one entry.');
      const putPart = (part: SnapshotItem, partSignal: AbortSignal) => put(part, writeId, partSignal);
      await forEachConcurrently(PARTS_AT_A_TIME, laterParts.values(), putPart, signal);
      await put(part1, writeId, signal);
    },
  };
};
