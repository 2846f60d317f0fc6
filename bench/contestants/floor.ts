import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';

/*
 * The bare SDK: it stores a batch as one item. It checks nothing, writes no log, handles no error, and cannot store a
 * batch that needs a second item.
 */

type Entry = {
  MaterialCode: string;
  StockBalance: number;
  StockBalanceUnit: string;
  PurchaseOrders: string[] | Record<string, never>;
};

const dynamodb = new DynamoDBClient({});

export const handler = async ({ body, requestContext }: APIGatewayProxyEvent) => {
  const { MaterialCodes }: { MaterialCodes: Entry[] } = JSON.parse(body ?? '');
  const { requestId, authorizer } = requestContext;
  const ReceivedAt = new Date().toISOString();
  const SnapshotId = `${ReceivedAt}-${requestId.slice(-12)}`;
  const Item: Record<string, AttributeValue> = {
    Client: { S: authorizer?.['client'] },
    SnapshotId: { S: SnapshotId },
    ReceivedAt: { S: ReceivedAt },
    RequestId: { S: requestId },
    EntryCount: { N: String(MaterialCodes.length) },
    Balances: { M: Object.fromEntries(MaterialCodes.map((entry) => [entry.MaterialCode, balanceOf(entry)])) },
  };
  await dynamodb.send(new PutItemCommand({ TableName: process.env['BALANCE_SNAPSHOTS_TABLE'], Item }));
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ SnapshotId, ReceivedAt, EntryCount: MaterialCodes.length }),
  };
};

const balanceOf = ({ StockBalance, StockBalanceUnit, PurchaseOrders }: Entry): AttributeValue => ({
  M: {
    StockBalance: { N: String(StockBalance) },
    StockBalanceUnit: { S: StockBalanceUnit },
    PurchaseOrders: {
      L: Array.isArray(PurchaseOrders) ? PurchaseOrders.map((order) => ({ S: order })) : [],
    },
  },
});
