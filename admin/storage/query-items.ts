import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { MAX_BALANCE } from '../../shared/limits.ts';
import { retryThrottled } from './retry-throttled.ts';

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

/** By default, the oldest items come first, and the reads are consistent. */
export type Range = {
  /** An item of exactly this time is included. */
  since?: Date | undefined;
  /** Only items whose sort key is before this text. It cannot be given together with `since`. */
  before?: string | undefined;
  newestFirst?: boolean;
  pageSize?: number | undefined;
  /** Costs half as much, and may lack what was written in the last second. */
  isEventual?: boolean;
};

type Query = {
  table: string;
  /** `Client`, if it is not given. */
  partitionKey?: string;
  partition: string;
  sortKey: string;
  /** Formats a time like the time at the beginning of the sort key, if that is not as in ISO 8601. */
  format?: (instant: Date) => string;
  projection?: { ProjectionExpression?: string; ExpressionAttributeNames?: Record<string, string> };
  filter?: { FilterExpression?: string; ExpressionAttributeValues?: Record<string, string> };
};

/** `last` is the sort key of the last item that was read, or undefined if there are no more items in this direction. */
export type Page = { items: readonly Record<string, unknown>[]; last: string | undefined };

const toIso = (instant: Date) => instant.toISOString();

/** A text that sorts before every sort key. */
const FIRST = ' ';

/** The items of one partition in pages of at most 1 MB. While the table throttles, the pauses between the calls grow. */
export async function* queryPages(
  documents: DynamoDBDocumentClient,
  { table, partitionKey = 'Client', partition, sortKey, format = toIso, projection = {}, filter = {} }: Query,
  { since, before, newestFirst = false, pageSize, isEventual = false }: Range = {},
): AsyncGenerator<Page> {
  let start: Record<string, unknown> | undefined;
  do {
    const query = new QueryCommand({
      TableName: table,
      ConsistentRead: !isEventual,
      ScanIndexForward: !newestFirst,
      Limit: pageSize,
      ExclusiveStartKey: start,
      KeyConditionExpression: `#partitionKey = :partition AND #sortKey ${before === undefined ? '>=' : '<'} :key`,
      ...projection,
      ...filter,
      ExpressionAttributeValues: {
        ':partition': partition,
        ':key': before ?? (since ? format(since) : FIRST),
        ...filter.ExpressionAttributeValues,
      },
      ExpressionAttributeNames: {
        '#partitionKey': partitionKey,
        '#sortKey': sortKey,
        ...projection.ExpressionAttributeNames,
      },
    });
    const response = await retryThrottled(() => documents.send(query));
    start = response.LastEvaluatedKey;
    yield { items: response.Items ?? [], last: start && String(start[sortKey]) };
  } while (start);
}

export async function* queryItems(...query: Parameters<typeof queryPages>) {
  for await (const { items } of queryPages(...query)) yield* items;
}
