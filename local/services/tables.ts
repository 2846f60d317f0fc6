import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { type LocalStack, REGION } from '../stack.ts';

/** The engine accepts any credentials. */
export const adminClient = (endpoint: string) => {
  const client = new DynamoDBClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  // It deep-copies every request, even with no logger set.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/** Creates the template's tables that do not exist yet. */
export const deployTables = async (stack: LocalStack, endpoint: string) => {
  const client = adminClient(endpoint);
  for (const { id, properties } of stack.ofType('AWS::DynamoDB::GlobalTable')) {
    const TableName = stack.ref(id);
    if (await exists(client, TableName)) continue;
    const { KeySchema, AttributeDefinitions, TimeToLiveSpecification } = Object(properties);
    await client.send(
      new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' }),
    );
    if (TimeToLiveSpecification) {
      const update = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification });
      await client.send(update).catch(ignoreUnknownOperation);
    }
  }
  client.destroy();
};

/** Some engines never delete rows by themselves. Readers pass over rows that have expired. */
const ignoreUnknownOperation = (error: unknown) => {
  if (Object(error).name !== 'UnknownOperationException') throw error;
};

const exists = async (client: DynamoDBClient, TableName: string) => {
  try {
    await client.send(new DescribeTableCommand({ TableName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
};
