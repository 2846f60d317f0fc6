import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient, SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { mapValues } from '../../shared/records.ts';
import { type TableName, tables } from '../../shared/tables.ts';
import { Failure } from '../cli/failure.ts';

export const whereOptions = {
  local: v.optional(v.boolean()),
  data: v.string(),
  stack: v.string(),
  region: v.optional(v.string()),
  profile: v.optional(v.string()),
};
const Where = v.object(whereOptions);
type Where = v.InferOutput<typeof Where>;

export type DeployedClient = {
  name: string;
  secret: string;
  /** A client is late after so many hours without a batch. 0 means never. Undefined in an older deployment. */
  silenceHours: number | undefined;
};

export type Deployment = {
  /** For messages. */
  what: string;
  tables: Record<TableName, string>;
  clients: readonly DeployedClient[];
  overlapHours: number;
  dynamodb: DynamoDBClient;
  /** Loads the SDK only for the commands that need it. */
  secrets: () => Promise<SecretsManagerClient>;
};

export const openDeployment = (where: Where) => (where.local ? openLocal(where) : openDeployed(where));

/** Long enough for ten rows of 400 KB over a slow connection. */
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
  return toDeployment(what, Object.fromEntries(outputs), at, at);
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
  const read = () => readLocal(join(data, 'outputs.json'));
  const { Region: region, Stack } = read();
  // The engine accepts any credentials, so it never gets those of a deployment.
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const at = { requestHandler, region, credentials };
  // Reads the ports at each call: a console keeps running when the local run restarts with other ports.
  return toDeployment(
    `the local run in ${data}`,
    Stack.Outputs,
    { ...at, endpoint: async () => ({ url: new URL(read().DynamoDbEndpoint) }) },
    { ...at, endpoint: async () => ({ url: new URL(read().SecretsEndpoint) }) },
  );
};

const readLocal = (file: string) => {
  if (!existsSync(file)) {
    throw new Failure(
      `There is no ${file}. Start the service with \`npm start\`, or give its data folder with --data.`,
    );
  }
  const result = v.safeParse(LocalOutputs, readFileSync(file, 'utf8'));
  if (!result.success) throw new Failure(`${file} is not valid. Start the service again with \`npm start\`.`);
  return result.output;
};

const toDeployment = (
  what: string,
  outputs: Record<string, string>,
  dynamodb: DynamoDBClientConfig = {},
  secrets: SecretsManagerClientConfig = {},
): Deployment => {
  const output = (name: string) => {
    const value = outputs[name];
    if (value !== undefined) return value;
    throw new Failure(
      `There is no output ${name} in ${what}. Give the stack of a deployment of this version with --stack, or deploy it.`,
    );
  };
  const client = new DynamoDBClient(dynamodb);
  // This middleware deep-copies every request and response, even with no logger set.
  client.middlewareStack.remove('loggerMiddleware');
  const silenceHours = outputs['SilenceHours']?.split(',').map((text) => toHours('SilenceHours', text)) ?? [];
  return {
    what,
    tables: mapValues(tables, (table) => output(`${table}TableName`)),
    clients: output('ClientNames')
      .split(',')
      .map((name, index) => ({
        name,
        secret: output(`SecretName${name.replaceAll(/[^A-Za-z0-9]/g, '')}`),
        silenceHours: silenceHours[index],
      })),
    overlapHours: toHours('CredentialOverlapHours', output('CredentialOverlapHours')),
    dynamodb: client,
    secrets: async () => {
      const { SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
      return new SecretsManagerClient(secrets);
    },
  };
};

const toHours = (name: string, text: string) => {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new Failure(`The output ${name} is not a number of hours: ${text}.`);
};
