import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { LocalRun } from './local-run.ts';

/** An admin takes any credentials, in any region, with the platform's own SDK. */
const anyone = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } };

export const secretsOf = (run: LocalRun) =>
  new SecretsManagerClient({ ...anyone, endpoint: run.outputs().SecretsEndpoint });

/** Everything that a table of a run holds. */
export const rowsOf = async (run: LocalRun, table: string) => {
  const { Tables, DynamoDbEndpoint } = run.outputs();
  const engine = new DynamoDBClient({ ...anyone, endpoint: DynamoDbEndpoint });
  const client = DynamoDBDocumentClient.from(engine);
  const scan = { TableName: Tables[table], ConsistentRead: true };
  const pages = await Array.fromAsync(paginateScan({ client }, scan));
  engine.destroy();
  return pages.flatMap(({ Items = [] }) => Items);
};
