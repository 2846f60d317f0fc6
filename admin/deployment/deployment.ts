import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient, SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { mapValues } from '../../shared/records.ts';
import { type TableName, tables } from '../../shared/tables.ts';
import { Failure } from '../cli/failure.ts';

/** A deployment, or the local run whose data folder is given. */
export type Where = {
  local?: boolean | undefined;
  data: string;
  stack: string;
  region?: string | undefined;
  profile?: string | undefined;
};

export type ClientSecret = { name: string; secret: string };

/** What the commands work on: a deployment or a local run. */
export type Deployment = {
  /** For messages. */
  what: string;
  tables: Record<TableName, string>;
  clients: readonly ClientSecret[];
  overlapHours: number;
  dynamodb: DynamoDBClient;
  /** Loads the SDK only for the commands that need it. */
  secrets: () => Promise<SecretsManagerClient>;
};

export const openDeployment = (where: Where) => (where.local ? openLocal(where) : openDeployed(where));

/** Short enough for a person who waits, and long enough for 25 rows of 400 KB on a slow line. */
const requestHandler = {
  connectionTimeout: 5_000,
  requestTimeout: 30_000,
  throwOnRequestTimeout: true,
  socketTimeout: 30_000,
};

const openDeployed = async ({ stack, region, profile }: Where): Promise<Deployment> => {
  const at = { requestHandler, ...(region ? { region } : {}), ...(profile ? { profile } : {}) };
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const cloudFormation = new CloudFormationClient(at);
  const { Stacks: [described] = [] } = await cloudFormation.send(
    new DescribeStacksCommand({ StackName: stack }),
  );
  const outputs = (described?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]);
  const what = `the stack ${stack} in ${await cloudFormation.config.region()}`;
  return {
    what,
    ...fromOutputs(Object.fromEntries(outputs), what),
    dynamodb: new DynamoDBClient(at),
    secrets: secretsFrom(at),
  };
};

const secretsFrom = (config: SecretsManagerClientConfig) => async () => {
  const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
  return new SecretsManagerClient(config);
};

const LocalOutputs = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    DynamoDbEndpoint: v.string(),
    SecretsEndpoint: v.string(),
    Region: v.string(),
    Stack: v.object({ Outputs: v.record(v.string(), v.string()) }),
  }),
);

const openLocal = async ({ data }: Where): Promise<Deployment> => {
  const file = join(data, 'outputs.json');
  const result = v.safeParse(LocalOutputs, readLocal(file));
  if (!result.success) throw new Failure(`${file} is not what \`npm start\` writes. Start it anew.`);
  const { DynamoDbEndpoint, SecretsEndpoint, Region, Stack } = result.output;
  // The engine accepts any credentials, so it never sees those of a deployment.
  const at = {
    requestHandler,
    region: Region,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
  const what = `the local run in ${data}`;
  return {
    what,
    ...fromOutputs(Stack.Outputs, what),
    dynamodb: new DynamoDBClient({ ...at, endpoint: DynamoDbEndpoint }),
    secrets: secretsFrom({ ...at, endpoint: SecretsEndpoint }),
  };
};

const readLocal = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Failure(
      `There is no ${file}: start the service with \`npm start\`, or give its folder with --data.`,
    );
  }
};

const fromOutputs = (outputs: Record<string, string>, what: string) => {
  const output = (name: string) => {
    const value = outputs[name];
    if (value !== undefined) return value;
    throw new Failure(
      `There is no output ${name} in ${what}. Give the stack of a deployment of this version with --stack, or deploy it.`,
    );
  };
  return {
    tables: mapValues(tables, (table) => output(`${table}TableName`)),
    clients: output('ClientNames')
      .split(',')
      .map((name) => ({ name, secret: output(`SecretName${name.replaceAll(/[^A-Za-z0-9]/g, '')}`) })),
    overlapHours: toHours(output('CredentialOverlapHours')),
  };
};

const toHours = (text: string) => {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new Failure(`The output CredentialOverlapHours is no number of hours: ${text}.`);
};
