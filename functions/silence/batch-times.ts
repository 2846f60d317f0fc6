import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { retryWhileThrottled } from '../../shared/storage/retry-while-throttled.ts';

type Range = { from?: number; until: number; limit?: number; isOldestFirst?: boolean };

export type BatchTimes = (client: string, range: Range) => Promise<number[]>;

const ISO_LENGTH = '2026-11-21T08:40:00.000Z'.length;

/**
 * Returns when the batches of a client came, at `from` or later and before `until`. By default, reads only the newest batch:
 * DynamoDB bills the whole item of each batch, although only its id is read.
 */
export const batchTimes =
  (dynamodb: DynamoDBClient, table: string, signal: AbortSignal): BatchTimes =>
  async (client, { from = 0, until, limit = 1, isOldestFirst = false }) => {
    const query = new QueryCommand({
      TableName: table,
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: 'SnapshotId',
      // An id is a time and a suffix, so the id of a batch at `until` sorts after `until`.
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
    // Leaves out damaged ids, so that the watch goes on with the other clients.
    return times.filter((time) => !Number.isNaN(time));
  };
