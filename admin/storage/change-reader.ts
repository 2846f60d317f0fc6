import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { ChangeRecord } from '../../shared/storage/change-writer.ts';
import { documentClient, queryItems, type Range } from './query-items.ts';

/** If somebody edits the table by hand, every attribute except the key may be missing. */
const text = v.fallback(v.string(), '');
const instant = v.fallback(v.pipe(v.string(), v.isoTimestamp()), '');
const StoredChange = v.object({ Timestamp: v.string(), ReceivedAt: instant, RequestId: text });

const toTimestamp = (instant: Date) => instant.toISOString().replace('.', ',');

type ChangeRange = Range & { receivedSince?: Date | undefined };

export const changeReader = (dynamodb: DynamoDBClient, table: string) => {
  const documents = documentClient(dynamodb);
  return {
    /** `since` limits the times that the client sent, which are the sort keys. `receivedSince` limits the times of receipt. */
    async *iterate(
      client: string,
      { receivedSince, ...range }: ChangeRange = {},
    ): AsyncGenerator<ChangeRecord> {
      const filter = {
        FilterExpression: 'NOT ReceivedAt < :receivedSince',
        ExpressionAttributeValues: { ':receivedSince': receivedSince?.toISOString() ?? '' },
      };
      const query = { table, partition: client, sortKey: 'Timestamp', format: toTimestamp, filter };
      for await (const item of queryItems(documents, query, range)) {
        const { Timestamp, ReceivedAt, RequestId } = v.parse(StoredChange, item);
        yield { client, timestamp: Timestamp, receivedAt: ReceivedAt, requestId: RequestId };
      }
    },
  };
};
