import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalRun } from './local-run.ts';

/** An admin takes any credentials, in any region, with the platform's own SDK. */
const anyone = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } };

export const secretsOf = (run: LocalRun) =>
  new SecretsManagerClient({ ...anyone, endpoint: run.outputs().SecretsEndpoint });

export const rowsOf = async (run: LocalRun, table: string) => {
  const { Tables, DynamoDbEndpoint } = run.outputs();
  const client = new DynamoDBClient({ ...anyone, endpoint: DynamoDbEndpoint });
  const scan = new ScanCommand({ TableName: Tables[table], ConsistentRead: true });
  const { Items = [] } = await DynamoDBDocumentClient.from(client).send(scan);
  client.destroy();
  return Items;
};
