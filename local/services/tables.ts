import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { type LocalStack, REGION } from '../stack.ts';
import { StartupError } from '../startup-error.ts';

export const adminClient = (endpoint: string) => {
  const client = new DynamoDBClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  // This middleware deep-copies every request, even with no logger set.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

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

/** Some engines cannot expire rows. Readers skip expired rows. */
const ignoreUnknownOperation = (error: unknown) => {
  if (Object(error).name !== 'UnknownOperationException') throw error;
};

const exists = async (client: DynamoDBClient, TableName: string) => {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    // A kill during the first start leaves this status in dynalite's data for good.
    if (Table?.TableStatus === 'CREATING')
      throw new StartupError(
        `The table ${TableName} was never completed. Delete the data folder, or give another with --data.`,
      );
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
};
