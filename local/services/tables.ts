import {
  CreateTableCommand,
  DynamoDBClient,
  paginateListTables,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { withoutLogger } from '../../shared/storage/without-logger.ts';
import { REGION, type TemplateStack } from '../synthesis/stack.ts';

export const engineClient = (endpoint: string) =>
  withoutLogger(
    new DynamoDBClient({
      endpoint,
      region: REGION,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );

export const createTables = async (stack: TemplateStack, dynamodb: DynamoDBClient) => {
  const existing = await Array.fromAsync(paginateListTables({ client: dynamodb }, {}));
  const names = existing.flatMap(({ TableNames = [] }) => TableNames);
  for (const { id, properties } of stack.ofType('AWS::DynamoDB::GlobalTable')) {
    const TableName = stack.ref(id);
    if (names.includes(TableName)) continue;
    const { KeySchema, AttributeDefinitions } = Object(properties);
    await dynamodb.send(
      new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' }),
    );
  }
};

export const isEmpty = async (dynamodb: DynamoDBClient, TableName: string) =>
  (await dynamodb.send(new ScanCommand({ TableName, Limit: 1 }))).Items?.length === 0;
