import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { type TableName, tableDefinition } from '../../shared/tables.ts';
import { assembly } from './assembly.ts';
import { startFaultProxy } from './fault-proxy.ts';

export const testClient = (endpoint = inject('dynamoDbEndpoint')) =>
  new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

type TableProperties = {
  KeySchema: { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[];
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' }[];
};

type Resource = { Type: string; Properties: TableProperties };

let definitions: Map<string, TableProperties> | undefined;

const readDefinitions = async () => {
  const path = join(await assembly(), 'WarehouseControl.template.json');
  const { Resources }: { Resources: Record<string, Resource> } = JSON.parse(readFileSync(path, 'utf8'));
  const tables = Object.values(Resources).filter(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable');
  return new Map(
    tables.map(({ Properties }) => [
      Properties.KeySchema.map(({ AttributeName }) => AttributeName).join(),
      Properties,
    ]),
  );
};

/** The template's definition of the table with these key attributes. */
const definitionOf = async (keys: string) => {
  definitions ??= await readDefinitions();
  const definition = definitions.get(keys);
  if (!definition) throw new Error(`The template has no table with the keys ${keys}.`);
  return definition;
};

const keysOf = (table: TableName) => {
  const { partitionKey, sortKey } = tableDefinition(table);
  return [partitionKey, sortKey ?? []].flat().join();
};

/** Creates an empty table as the template defines it, and returns its name. */
export const createTable = async (table: TableName, client = testClient()) => {
  const { KeySchema, AttributeDefinitions } = await definitionOf(keysOf(table));
  const TableName = `${table}-${randomUUID()}`;
  await client.send(
    new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' }),
  );
  return TableName;
};

/** All rows of a table. */
export const rowsOf = async (TableName: string, client = testClient()) => {
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
