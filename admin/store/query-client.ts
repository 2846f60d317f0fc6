import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { MAX_BALANCE } from '../../shared/schemas/limits.ts';
import { mapStoreErrors } from '../../shared/storage/store-errors.ts';

/**
 * A number that the service cannot have written stays a text and damages only its own item. By default the SDK would
 * end the whole query. The SDK keeps this setting with the client, so all readers of a client have to use this.
 */
export const documentClient = (client: DynamoDBClient) =>
  DynamoDBDocumentClient.from(client, {
    unmarshallOptions: {
      wrapNumbers: (digits) => (Math.abs(Number(digits)) <= MAX_BALANCE ? Number(digits) : digits),
    },
  });

/** Which items of a client. The oldest come first by default. */
export type Range = { since?: Date | undefined; newestFirst?: boolean; pageSize?: number | undefined };

type Query = {
  table: string;
  client: string;
  sortKey: string;
  /** The sort key from which to read. */
  since: string | undefined;
  projection?: { ProjectionExpression?: string; ExpressionAttributeNames?: Record<string, string> };
};

/** The items of one client, in the order of their sort key. */
export async function* queryClient(
  documents: DynamoDBDocumentClient,
  { table, client, sortKey, since, projection = {} }: Query,
  { newestFirst = false, pageSize }: Range,
): AsyncGenerator<Record<string, unknown>> {
  const pages = paginateQuery(
    { client: documents, ...(pageSize ? { pageSize } : {}) },
    {
      TableName: table,
      ConsistentRead: true,
      ScanIndexForward: !newestFirst,
      KeyConditionExpression: 'Client = :client AND #sortKey >= :since',
      // A sort key begins with a time, and nothing sorts before a space.
      ExpressionAttributeValues: { ':client': client, ':since': since ?? ' ' },
      ...projection,
      ExpressionAttributeNames: { '#sortKey': sortKey, ...projection.ExpressionAttributeNames },
    },
  );
  for (;;) {
    const { done, value } = await mapStoreErrors(pages.next());
    if (done) return;
    yield* value.Items ?? [];
  }
}
