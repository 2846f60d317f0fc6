import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MAX_BALANCE } from '../../shared/schemas/limits.ts';

/**
 * A number that the service cannot have kept stays a text, and damages the item that it stands in; by itself the SDK
 * would end the whole query. It keeps this setting with the client, so all readers of one have to come here.
 */
export const documentClient = (client: DynamoDBClient) =>
  DynamoDBDocumentClient.from(client, {
    unmarshallOptions: {
      wrapNumbers: (digits) => (Math.abs(Number(digits)) <= MAX_BALANCE ? Number(digits) : digits),
    },
  });
