import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import type { TableName } from '../../shared/tables.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { keyAttributes } from './table-reader.ts';

const clientOf = (endpoint: string) =>
  new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

/** All tests of a process share this client, because each new client opens a connection. */
let sharedClient: DynamoDBClient | undefined;

/** A new client for this endpoint, or the shared client of the test run's engine. */
export const testClient = (endpoint?: string) => {
  if (endpoint !== undefined) return clientOf(endpoint);
  sharedClient ??= clientOf(inject('dynamoDbEndpoint'));
  return sharedClient;
};

/** Creates an empty table with the keys of the template, and returns its name. */
export const createTable = async (table: TableName, client = testClient()) => {
  const keys = keyAttributes(table);
  const TableName = `${table}-${randomUUID()}`;
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: index ? 'RANGE' : 'HASH' })),
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  return TableName;
};

export const itemsOf = async (TableName: string, client = testClient()) => {
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName, ConsistentRead: true }));
  return pages.flatMap(({ Items = [] }) => Items);
};

/** A fault proxy before the engine of the test run. */
export const startFaultyEngine = () => startFaultProxy(inject('dynamoDbEndpoint'));

/** Puts an item that the SDK cannot send, because an attribute is named `__proto__`. */
export const putRawItem = async (client: DynamoDBClient, table: string, item: string) => {
  const { protocol, hostname, port } = (await client.config.endpoint?.()) ?? {};
  await fetch(`${protocol}//${hostname}:${port}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.PutItem',
      'X-Amz-Date': '20260101T000000Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
    },
    body: `{"TableName":"${table}","Item":${item}}`,
  });
};
