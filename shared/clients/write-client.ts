import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Item } from '../storage/attribute-json.ts';
import { Client, ClientAttributes, toItem, toPlain } from './client.ts';

/** A client, and its item as it was read. `client` has only what the schema accepts, so that a damaged client can be locked. */
export type StoredClient = { client: ClientAttributes; item: Item };

export class DamagedClient extends Error {
  override readonly name = 'DamagedClient';
  readonly attributes: readonly string[];

  constructor(name: string, issues: Parameters<typeof v.summarize>[0]) {
    super(`The item of the client ${name} in the table Clients is damaged:\n${v.summarize(issues)}`);
    this.attributes = [...new Set(issues.map((issue) => v.getDotPath(issue) ?? ''))];
  }
}

/** Undefined if the item has all that a client has. */
export const damageOf = (name: string, item: Item): DamagedClient | undefined => {
  const { success, issues } = v.safeParse(Client, toPlain(item));
  return success ? undefined : new DamagedClient(name, issues);
};

/** The client of an item, without its damaged attributes. */
export const toStoredClient = (name: string, item: Item): StoredClient => {
  const damaged = damageOf(name, item)?.attributes ?? [];
  const undamaged = Object.entries(toPlain(item)).filter(([attribute]) => !damaged.includes(attribute));
  return { client: v.parse(ClientAttributes, { ...Object.fromEntries(undamaged), Client: name }), item };
};

export const readClient = async (
  dynamodb: DynamoDBClient,
  table: string,
  name: string,
): Promise<StoredClient | undefined> => {
  const get = new GetItemCommand({ TableName: table, Key: { Client: { S: name } }, ConsistentRead: true });
  const { Item } = await dynamodb.send(get);
  return Item && toStoredClient(name, Item);
};

/** The item after a change, with the next version. */
export const nextItem = (changes: Omit<ClientAttributes, 'Version'>, before?: StoredClient): Item =>
  toItem({ ...changes, Version: (before?.client.Version ?? 0) + 1 }, before?.item);

/** Returns false and writes nothing if somebody else has changed the client since it was read. */
export const writeClient = async (
  dynamodb: DynamoDBClient,
  table: string,
  changes: Omit<ClientAttributes, 'Version'>,
  before?: StoredClient,
): Promise<boolean> => {
  const Item = nextItem(changes, before);
  const put = new PutItemCommand({
    TableName: table,
    Item,
    ...unchanged(before),
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

/** The condition that nobody has changed the client. Its version may be damaged, or missing. */
const unchanged = (before: StoredClient | undefined) => {
  if (!before) return { ConditionExpression: 'attribute_not_exists(Client)' };
  const { Version } = before.item;
  return Version
    ? { ConditionExpression: 'Version = :version', ExpressionAttributeValues: { ':version': Version } }
    : { ConditionExpression: 'attribute_exists(Client) AND attribute_not_exists(Version)' };
};
