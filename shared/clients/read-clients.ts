import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Item } from '../storage/attribute-json.ts';
import { retryWhileThrottled } from '../storage/retry-while-throttled.ts';
import { toPlain } from './client.ts';

type ReadOptions = {
  dynamodb: DynamoDBClient;
  table: string;
  signal: AbortSignal;
  /** A consistent read costs twice as much. */
  isConsistent?: boolean;
};

/** Reads only the attributes that the schema names. `damaged` has the names of the clients whose items the schema refuses. */
export const readClients = async <TEntries extends v.ObjectEntries>(
  schema: v.ObjectSchema<TEntries, undefined>,
  { dynamodb, table, signal, isConsistent = false }: ReadOptions,
) => {
  const clients: v.InferOutput<typeof schema>[] = [];
  const damaged: string[] = [];
  const attributes = Object.keys(schema.entries);
  let startKey: Item | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: isConsistent,
      ExclusiveStartKey: startKey,
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: attributes.map((_, index) => `#${index}`).join(),
      ExpressionAttributeNames: Object.fromEntries(attributes.map((name, index) => [`#${index}`, name])),
    });
    const send = () => dynamodb.send(scan, { abortSignal: signal });
    const { Items = [], LastEvaluatedKey } = await retryWhileThrottled(send, signal);
    for (const item of Items) {
      const { success, output } = v.safeParse(schema, toPlain(item));
      if (success) clients.push(output);
      else damaged.push(item['Client']?.S ?? '');
    }
    startKey = LastEvaluatedKey;
  } while (startKey);
  return { clients, damaged };
};
