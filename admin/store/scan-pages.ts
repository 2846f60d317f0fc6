import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { retryThrottled } from './retry-throttled.ts';

/** As the table holds it; nothing is made of its values on the way. */
export type Item = Record<string, AttributeValue>;

/** Which items of a table: all, or those whose `attribute` does or does not contain a text. */
export type Selection = { attribute: string; contains: boolean; text: string } | undefined;

/** All items of a table, or those that are selected, page by page. Ends early where the signal says so. */
export async function* scanPages(
  client: DynamoDBClient,
  table: string,
  signal: AbortSignal,
  selection?: Selection,
): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ExclusiveStartKey: start,
      ...filter(selection),
    });
    const page = await retryThrottled(() => client.send(scan), signal);
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
