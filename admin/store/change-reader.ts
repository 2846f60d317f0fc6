import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ChangeRecord } from '../../shared/schemas/change.ts';
import { documentClient } from './document-client.ts';
import { paginate } from './paginate.ts';

/** Of what somebody has changed by hand, only the key is certain. */
const text = v.fallback(v.string(), '');
const StoredChange = v.object({ Timestamp: v.string(), ReceivedAt: text, RequestId: text });

/** Since when is meant by the reported time, which is what the table sorts by. */
type Range = { since?: Date | undefined; newestFirst?: boolean; pageSize?: number | undefined };

export const changeReader = (client: DynamoDBClient, table: string) => {
  const documents = documentClient(client);
  return {
    async *iterate(
      client: string,
      { since, newestFirst = false, pageSize }: Range = {},
    ): AsyncGenerator<ChangeRecord> {
      const pages = paginateQuery(
        { client: documents, ...(pageSize ? { pageSize } : {}) },
        {
          TableName: table,
          ConsistentRead: true,
          ScanIndexForward: !newestFirst,
          KeyConditionExpression: 'Client = :client AND #timestamp >= :since',
          ExpressionAttributeNames: { '#timestamp': 'Timestamp' },
          ExpressionAttributeValues: {
            ':client': client,
            ':since': since?.toISOString().replace('.', ',') ?? ' ',
          },
        },
      );
      for await (const item of paginate(pages)) {
        const { Timestamp, ReceivedAt, RequestId } = v.parse(StoredChange, item);
        yield { client, timestamp: Timestamp, receivedAt: ReceivedAt, requestId: RequestId };
      }
    },
  };
};
