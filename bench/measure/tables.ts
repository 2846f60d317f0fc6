import { randomUUID } from 'node:crypto';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { type OperationName, operations } from '../../shared/operations.ts';
import { forEachConcurrently } from '../../shared/storage/concurrency.ts';
import { tableDefinition } from '../../shared/tables.ts';
import type { Item } from './dynamodb-rules.ts';

const keysOf = (operation: OperationName) => {
  const { partitionKey, sortKey } = tableDefinition(operations[operation].table);
  return [partitionKey, sortKey ?? []].flat();
};

const ROWS_PER_CALL = 25;
const CALLS_AT_A_TIME = 8;

export const tablesIn = (endpoint: string) => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });

  const create = async (operation: OperationName) => {
    const keys = keysOf(operation);
    const TableName = `${operation}-${randomUUID()}`;
    await client.send(
      new CreateTableCommand({
        TableName,
        KeySchema: keys.map((AttributeName, index) => ({
          AttributeName,
          KeyType: index === 0 ? 'HASH' : 'RANGE',
        })),
        AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    return TableName;
  };

  const fill = async (table: string, rows: number, rowAt: (index: number) => Item) => {
    const put = (first: number) => {
      const count = Math.min(ROWS_PER_CALL, rows - first);
      const puts = Array.from({ length: count }, (_, index) => ({
        PutRequest: { Item: rowAt(first + index) },
      }));
      return client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
    };
    const starts = Array.from({ length: Math.ceil(rows / ROWS_PER_CALL) }, (_, call) => call * ROWS_PER_CALL);
    await forEachConcurrently(CALLS_AT_A_TIME, starts.values(), put);
  };

  const readItems = async (TableName: string): Promise<Item[]> => {
    const pages = await Array.fromAsync(paginateScan({ client }, { TableName, ConsistentRead: true }));
    return pages.flatMap(({ Items = [] }) => Items);
  };

  return { create, fill, readItems };
};

export type Tables = ReturnType<typeof tablesIn>;
