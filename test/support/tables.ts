import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { templateOf } from './template.ts';

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

let definitions: Map<string, TableProperties> | undefined;

/** The tables as the template has them, by the attributes that are their keys. */
const definitionOf = (keys: string) => {
  definitions ??= new Map(
    Object.values(templateOf().findResources('AWS::DynamoDB::Table')).map(({ Properties }) => [
      Properties.KeySchema.map((key: { AttributeName: string }) => key.AttributeName).join(),
      Properties,
    ]),
  );
  const definition = definitions.get(keys);
  if (!definition) throw new Error(`The template has no table with the keys ${keys}.`);
  return definition;
};

const keysOf = {
  MaterialCodes: 'MaterialCode',
  PurchaseOrders: 'PurchaseOrder',
  ChangeTimestamps: 'Client,Timestamp',
  BalanceSnapshots: 'Client,SnapshotId',
};

/** A new and empty table of the template's making; answers its name. */
export const createTable = async (table: keyof typeof keysOf, client = testClient()) => {
  const { KeySchema, AttributeDefinitions } = definitionOf(keysOf[table]);
  const TableName = `${table}-${randomUUID()}`;
  await client.send(
    new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' }),
  );
  return TableName;
};

/** Everything that a table holds. */
export const rowsOf = async (TableName: string, client = testClient()) => {
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName, ConsistentRead: true }));
  return pages.flatMap(({ Items = [] }) => Items);
};
