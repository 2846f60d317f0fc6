import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { MAX_THROTTLED_ATTEMPTS, retryWhileThrottled } from './retry-while-throttled.ts';

export type ChangeRecord = {
  client: string;
  timestamp: string;
  receivedAt: string;
  requestId: string;
};

export type ChangeWriter = { keep(change: ChangeRecord, signal: AbortSignal): Promise<void> };

export const changeWriter = (dynamodb: DynamoDBClient, table: string): ChangeWriter => ({
  keep: async ({ client, timestamp, receivedAt, requestId }, signal) => {
    const put = new PutItemCommand({
      TableName: table,
      Item: {
        Client: { S: client },
        Timestamp: { S: timestamp },
        ReceivedAt: { S: receivedAt },
        RequestId: { S: requestId },
      },
      ConditionExpression: 'attribute_not_exists(Client)',
    });
    try {
      const send = () => dynamodb.send(put, { abortSignal: signal });
      await retryWhileThrottled(send, signal, MAX_THROTTLED_ATTEMPTS);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  },
});
