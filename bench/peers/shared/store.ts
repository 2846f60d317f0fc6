import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Entry } from './schemas.ts';

/** The four operations on the tables, by the SDK's document client. */

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Who sent what is kept, and in which request. */
export type Sender = { client: string; requestId: string };

export const recordChange = async (Timestamp: string, { client: Client, requestId }: Sender) => {
  const put = new PutCommand({
    TableName: process.env['CHANGE_TIMESTAMPS_TABLE'],
    Item: { Client, Timestamp, ReceivedAt: new Date().toISOString(), RequestId: requestId },
    ConditionExpression: 'attribute_not_exists(Client)',
  });
  try {
    await client.send(put);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
};

const listOf = async (TableName: string | undefined, key: string) => {
  const rows: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    rows.push(...Items);
  return rows.sort((one, other) => (String(one[key]) < String(other[key]) ? -1 : 1));
};

export const materialCodes = () => listOf(process.env['MATERIAL_CODES_TABLE'], 'MaterialCode');
export const purchaseOrders = () => listOf(process.env['PURCHASE_ORDERS_TABLE'], 'PurchaseOrder');

/** Keeps a batch in as many items as it takes. The first is written last, so that no part is there without it. */
export const keepSnapshot = async (entries: readonly Entry[], { client: Client, requestId }: Sender) => {
  const ReceivedAt = new Date().toISOString();
  const SnapshotId = `${ReceivedAt}-${randomUUID().slice(-12)}`;
  const parts = inParts(entries);
  const put = (part: readonly Entry[], index: number) =>
    client.send(
      new PutCommand({
        TableName: process.env['BALANCE_SNAPSHOTS_TABLE'],
        Item: {
          Client: index === 0 ? Client : `${Client}:${index + 1}`,
          SnapshotId,
          ReceivedAt,
          RequestId: requestId,
          EntryCount: entries.length,
          Parts: parts.length,
          Balances: Object.fromEntries(part.map(({ MaterialCode, ...balance }) => [MaterialCode, balance])),
        },
        ConditionExpression: 'attribute_not_exists(Client) OR RequestId = :requestId',
        ExpressionAttributeValues: { ':requestId': requestId },
      }),
    );
  const [first = [], ...others] = parts;
  await Promise.all(others.map((part, index) => put(part, index + 1)));
  await put(first, 0);
  return { SnapshotId, ReceivedAt, EntryCount: entries.length };
};

/** An item takes 400 KB with all that stands beside the balances. */
const ROOM = 390_000;

const inParts = (entries: readonly Entry[]) => {
  const parts: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > room) {
      parts.push([]);
      room = ROOM;
    }
    parts.at(-1)?.push(entry);
    room -= size;
  }
  return parts;
};

/** At least what the table counts: the attributes' names, a number and the signs of a map and a list come to less than 80. */
const sizeOf = ({ MaterialCode, StockBalanceUnit, PurchaseOrders }: Entry) =>
  80 + Buffer.byteLength(MaterialCode) + Buffer.byteLength(StockBalanceUnit) + PurchaseOrders.length * 10;
