import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { retryUntilAborted } from './retry-throttled.ts';

/** The items whose `attribute` contains the text, or does not contain it. Undefined means all items. */
export type Selection = { attribute: string; contains: boolean; text: string } | undefined;

export async function* scanPages(
  dynamodb: DynamoDBClient,
  table: string,
  selection?: Selection,
  signal = new AbortController().signal,
): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ExclusiveStartKey: start,
      ...filter(selection),
    });
    const page = await retryUntilAborted(() => dynamodb.send(scan), signal);
    if (!page) return;
    yield page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}

const filter = (selection: Selection) =>
  selection
    ? {
        FilterExpression: `${selection.contains ? '' : 'NOT '}contains(#attribute, :text)`,
        ExpressionAttributeNames: { '#attribute': selection.attribute },
        ExpressionAttributeValues: { ':text': { S: selection.text } },
      }
    : {};
