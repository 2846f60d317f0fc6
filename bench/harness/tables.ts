import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { OperationName } from '../../shared/operations.ts';
import { rowOf } from './events.ts';

const keysOf: Record<OperationName, [string, string?]> = {
  'post-change': ['Client', 'Timestamp'],
  'post-material-stock-balance': ['Client', 'SnapshotId'],
  'get-material-codes': ['MaterialCode'],
  'get-purchase-orders': ['PurchaseOrder'],
};

const ROWS_AT_ONCE = 25;

/** New tables of the engine, keyed like those of the service. */
export const tablesOf = (endpoint: string) => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  const create = async (operation: OperationName) => {
    const [partition, sort] = keysOf[operation];
    const TableName = `${operation}-${randomUUID()}`;
    await client.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [
          { AttributeName: partition, KeyType: 'HASH' },
          ...(sort ? [{ AttributeName: sort, KeyType: 'RANGE' as const }] : []),
        ],
        AttributeDefinitions: [partition, ...(sort ? [sort] : [])].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    return TableName;
  };
  const fill = async (table: string, operation: OperationName, rows: number) => {
    for (let first = 0; first < rows; first += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, rows - first);
      const puts = Array.from({ length: count }, (_, index) => ({
        PutRequest: { Item: rowOf(operation, first + index) },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
    }
  };
  return { create, fill };
};
