import {
  type DynamoDBClient,
  PutItemCommand,
  type QueryCommandInput,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../shared/storage/attribute-json.ts';

/** What a watch reads, and how a test stores it. */
export type WatchStorage = {
  dynamodb: DynamoDBClient;
  clientsTable: string;
  snapshotsTable: string;
  putClient: (item: Item) => Promise<unknown>;
  putSnapshotId: (client: string, id: string) => Promise<unknown>;
};

/** Stores in tables of an engine. */
export const engineStorage = (
  dynamodb: DynamoDBClient,
  clientsTable: string,
  snapshotsTable: string,
): WatchStorage => {
  const put = (TableName: string, item: Item) => dynamodb.send(new PutItemCommand({ TableName, Item: item }));
  return {
    ...{ dynamodb, clientsTable, snapshotsTable },
    putClient: (item) => put(clientsTable, item),
    putSnapshotId: (client, id) => put(snapshotsTable, { Client: { S: client }, SnapshotId: { S: id } }),
  };
};

/** Responds to the calls of the watch from memory, because an engine would take minutes for 2,000 clients and many days. */
export const memoryStorage = (): WatchStorage => {
  const clients = new Map<string, Item>();
  const snapshotIds = new Map<string, string[]>();

  const scan = ({ ExclusiveStartKey }: ScanCommandInput) => {
    const items = [...clients.values()];
    const from = ExclusiveStartKey ? items.length / 2 : 0;
    // The first half is a page of its own.
    return ExclusiveStartKey || items.length < 2
      ? { Items: items.slice(from) }
      : { Items: items.slice(0, items.length / 2), LastEvaluatedKey: {} };
  };

  const query = (input: QueryCommandInput) => {
    const { ExpressionAttributeValues: values = {}, ExclusiveStartKey, Limit = 1 } = input;
    const text = (name: string) => values[name]?.S ?? '';
    const ids = snapshotIds.get(text(':client')) ?? [];
    const matching = ids.slice(countBelow(ids, text(':from')), countBelow(ids, `${text(':until')}\0`));
    if (!input.ScanIndexForward) matching.reverse();
    const start = ExclusiveStartKey?.['SnapshotId']?.S;
    const from = start === undefined ? 0 : matching.indexOf(start) + 1;
    const Items = matching.slice(from, from + Limit).map((id) => ({ SnapshotId: { S: id } }));
    return { Items, LastEvaluatedKey: Items.length === Limit ? Items.at(-1) : undefined };
  };

  const send = async ({ input }: { input: ScanCommandInput & QueryCommandInput }) =>
    input.KeyConditionExpression ? query(input) : scan(input);

  return {
    dynamodb: { send } as never,
    ...{ clientsTable: 'Clients', snapshotsTable: 'BalanceSnapshots' },
    putClient: async (item) => clients.set(item['Client']?.S ?? '', item),
    putSnapshotId: async (client, id) => {
      const ids = snapshotIds.get(client) ?? [];
      ids.splice(countBelow(ids, id), 0, id);
      snapshotIds.set(client, ids);
    },
  };
};

/** How many of the sorted ids are below this text. */
const countBelow = (ids: readonly string[], text: string) => {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
};
