import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { retryWhileThrottled } from '../../shared/storage/retry-while-throttled.ts';

type Range = { from?: number; until: number; limit?: number; isOldestFirst?: boolean };

export type BatchTimes = (client: string, range: Range) => Promise<number[]>;

/**
 * Returns when the batches of a client came, at `from` or later and before `until`. By default, reads only the newest batch:
 * DynamoDB bills the whole item of each batch, although only its id is read.
 */
export const batchTimes =
  (dynamodb: DynamoDBClient, table: string, signal: AbortSignal): BatchTimes =>
  async (client, { from = 0, until, limit = 1, isOldestFirst = false }) => {
    const times: number[] = [];
    let startKey: Item | undefined;
    do {
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
        Limit: limit - times.length,
        ExclusiveStartKey: startKey,
      });
      const send = () => dynamodb.send(query, { abortSignal: signal });
      const { Items = [], LastEvaluatedKey } = await retryWhileThrottled(send, signal);
      times.push(...Items.flatMap(({ SnapshotId }) => timeIn(SnapshotId?.S)));
      startKey = LastEvaluatedKey;
      // An id that somebody has written by hand may have no time, and must not hide the batches behind it.
    } while (startKey && times.length < limit);
    return times;
  };

const ISO_LENGTH = '2026-11-21T08:40:00.000Z'.length;

/** The time at the beginning of an id. Empty if there is none, as in `2026-11-21T08:by-hand`. */
const timeIn = (id = '') => {
  const text = id.slice(0, ISO_LENGTH);
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text ? [at.getTime()] : [];
};
