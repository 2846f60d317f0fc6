import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Item } from '../storage/attribute-json.ts';
import { Client, toItem, toPlain } from './client.ts';

/** A client, and its item as it was read. */
export type StoredClient = { client: Client; item: Item };

export class DamagedClient extends Error {
  override readonly name = 'DamagedClient';

  constructor(name: string, issues: Parameters<typeof v.summarize>[0]) {
    super(`The item of the client ${name} in the table Clients is damaged:\n${v.summarize(issues)}`);
  }
}

export const readClient = async (
  dynamodb: DynamoDBClient,
  table: string,
  name: string,
): Promise<StoredClient | undefined> => {
  const get = new GetItemCommand({ TableName: table, Key: { Client: { S: name } }, ConsistentRead: true });
  const { Item } = await dynamodb.send(get);
  if (!Item) return undefined;
  const { success, output, issues } = v.safeParse(Client, toPlain(Item));
  if (!success) throw new DamagedClient(name, issues);
  return { client: output, item: Item };
};

/** Returns false and writes nothing if somebody else has changed the client since it was read. */
export const writeClient = async (
  dynamodb: DynamoDBClient,
  table: string,
  client: Omit<Client, 'Version'>,
  before?: StoredClient,
): Promise<boolean> => {
  const Version = (before?.client.Version ?? 0) + 1;
  const Item = toItem({ ...client, Version }, before?.item);
  const put = new PutItemCommand({
    TableName: table,
    Item,
    ...(before
      ? {
          ConditionExpression: 'Version = :version',
          ExpressionAttributeValues: { ':version': { N: String(before.client.Version) } },
        }
      : { ConditionExpression: 'attribute_not_exists(Client)' }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await dynamodb.send(put);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // After a lost response, the SDK repeats the write and finds its own item.
    return isDeepStrictEqual(error.Item, Item);
  }
};
