import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { MAX_BALANCE } from '../../shared/limits.ts';
import { mapStorageErrors } from '../../shared/storage/storage-errors.ts';

/**
 * Reads an invalid number as a text, so that only its item is damaged. By default, the number would end the whole query. The
 * SDK keeps this setting in the DynamoDBClient, so all readers with one DynamoDBClient must use this function.
 */
export const documentClient = (dynamodb: DynamoDBClient) =>
  DynamoDBDocumentClient.from(dynamodb, {
    unmarshallOptions: {
      wrapNumbers: (digits) => (Math.abs(Number(digits)) <= MAX_BALANCE ? Number(digits) : digits),
    },
  });

/** An item of exactly the time `since` is included. By default, the oldest items come first. */
export type Range = {
  since?: Date | undefined;
  newestFirst?: boolean;
  pageSize?: number | undefined;
};

type Query = {
  table: string;
  client: string;
  sortKey: string;
  /** Formats a time like the time at the beginning of the sort key. */
  format: (instant: Date) => string;
  projection?: { ProjectionExpression?: string; ExpressionAttributeNames?: Record<string, string> };
  filter?: { FilterExpression?: string; ExpressionAttributeValues?: Record<string, string> };
};

/** A text that sorts before every sort key. */
const FIRST = ' ';

/** The items of one client, in the order of their sort key. */
export async function* queryClient(
  documents: DynamoDBDocumentClient,
  { table, client, sortKey, format, projection = {}, filter = {} }: Query,
  { since, newestFirst = false, pageSize }: Range,
): AsyncGenerator<Record<string, unknown>> {
  const pages = paginateQuery(
    { client: documents, ...(pageSize ? { pageSize } : {}) },
    {
      TableName: table,
      ConsistentRead: true,
      ScanIndexForward: !newestFirst,
      KeyConditionExpression: 'Client = :client AND #sortKey >= :since',
      ...projection,
      ...filter,
      ExpressionAttributeValues: {
        ':client': client,
        ':since': since ? format(since) : FIRST,
        ...filter.ExpressionAttributeValues,
      },
      ExpressionAttributeNames: { '#sortKey': sortKey, ...projection.ExpressionAttributeNames },
    },
  );
  for (;;) {
    const { done, value } = await mapStorageErrors(pages.next());
    if (done) return;
    yield* value.Items ?? [];
  }
}
