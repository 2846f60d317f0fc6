import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Entry } from './schema.ts';

const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient({}));

type Sender = { client: string; requestId: string };

/** Stores each part of a batch as an item. Part 1 is written last, so readers never see an incomplete batch. */
export const storeSnapshot = async (entries: readonly Entry[], { client: Client, requestId }: Sender) => {
  const ReceivedAt = new Date().toISOString();
  const SnapshotId = `${ReceivedAt}-${randomUUID().slice(-12)}`;
  const parts = splitIntoParts(entries);
  const put = (part: readonly Entry[], index: number) =>
    dynamodb.send(
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

/** DynamoDB limits an item to 400 KB, including the fields beside the balances. */
const PART_BYTES = 390_000;

const splitIntoParts = (entries: readonly Entry[]) => {
  const parts: Entry[][] = [];
  let bytesLeft = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (size > bytesLeft) {
      parts.push([]);
      bytesLeft = PART_BYTES;
    }
    parts.at(-1)?.push(entry);
    bytesLeft -= size;
  }
  return parts;
};

/** An upper bound: the attribute names, number, map and list of an entry need less than 80 bytes. */
const sizeOf = ({ MaterialCode, StockBalanceUnit, PurchaseOrders }: Entry) =>
  80 + Buffer.byteLength(MaterialCode) + Buffer.byteLength(StockBalanceUnit) + PurchaseOrders.length * 10;
