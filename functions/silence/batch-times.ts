import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { retryWhileThrottled } from '../../shared/storage/retry-while-throttled.ts';

type Range = { from?: number; until: number; limit?: number; isOldestFirst?: boolean };

export type BatchTimes = (client: string, range: Range) => Promise<number[]>;

const ISO_LENGTH = '2026-11-21T08:40:00.000Z'.length;

/**
 * Reads when batches of a client came, from `from` on and before `until`. Reads the one newest batch unless the range says otherwise:
 * DynamoDB bills whole items, although only their ids are read.
 */
export const batchTimes =
  (dynamodb: DynamoDBClient, table: string, signal: AbortSignal): BatchTimes =>
  async (client, { from = 0, until, limit = 1, isOldestFirst = false }) => {
    const query = new QueryCommand({
      TableName: table,
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: 'SnapshotId',
      // An id is longer than its time, so the id of a batch at `until` comes after it.
      KeyConditionExpression: 'Client = :client AND SnapshotId BETWEEN :from AND :until',
      ExpressionAttributeValues: {
        ':client': { S: client },
        ':from': { S: new Date(from).toISOString() },
        ':until': { S: new Date(until).toISOString() },
      },
      ScanIndexForward: isOldestFirst,
      Limit: limit,
    });
    const send = () => dynamodb.send(query, { abortSignal: signal });
    const { Items = [] } = await retryWhileThrottled(send, signal);
    const times = Items.map(({ SnapshotId }) => Date.parse(SnapshotId?.S?.slice(0, ISO_LENGTH) ?? ''));
    // A damaged id must not keep the watch from looking at the other clients.
    return times.filter((time) => !Number.isNaN(time));
  };
