import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { type DeployedPlan, decodePlans } from '../../shared/clients/plans.ts';
import { mapValues } from '../../shared/object-keys.ts';
import { withoutLogger } from '../../shared/storage/without-logger.ts';
import { type TableName, tables } from '../../shared/tables.ts';
import { Failure } from '../text/failure.ts';

export const whereOptions = {
  local: v.optional(v.boolean()),
  data: v.string(),
  stack: v.string(),
  region: v.optional(v.string()),
  profile: v.optional(v.string()),
};
const Where = v.object(whereOptions);
/** Which deployment, as options of the command line. */
export type Where = v.InferOutput<typeof Where>;

export type Deployment = {
  /** For messages. */
  what: string;
  baseUrl: string;
  tables: Record<TableName, string>;
  plans: readonly DeployedPlan[];
  dynamodb: DynamoDBClient;
} & Access;

type Access = {
  /** Tells the deployment from others, together with the names of its tables. */
  key: string;
  /** The ARN of the person or role whose credentials these are. */
  caller: () => Promise<string>;
  /** Only a local run keeps passwords. */
  keepPassword?: (change: KeptPassword) => Promise<void>;
};

/** Null removes the password. Undefined keeps that of the former user name. */
type KeptPassword = { userName: string; formerUserName: string; password: string | null | undefined };

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
  const caller = async () => {
    // Loaded late, because few commands need it.
    const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
    const { Arn = 'unknown' } = await new STSClient(at).send(new GetCallerIdentityCommand());
    return Arn;
  };
  return toDeployment(what, Object.fromEntries(outputs), at, { key: what, caller });
};

const LocalOutputs = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    DynamoDbEndpoint: v.string(),
    ControlEndpoint: v.string(),
    Region: v.string(),
    Stack: v.object({ Outputs: v.record(v.string(), v.string()) }),
  }),
);

const openLocal = async ({ data }: Where): Promise<Deployment> => {
  const read = () => readLocal(join(data, 'outputs.json'));
  const { Region: region, Stack } = read();
  // The engine accepts any credentials, so it never gets those of a deployment.
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  // Reads the ports at each call: a console keeps running when the local run restarts with other ports.
  const endpoint = async () => ({ url: new URL(read().DynamoDbEndpoint) });
  const keepPassword = async (change: KeptPassword) => {
    const { ok, status } = await fetch(new URL('/passwords', read().ControlEndpoint), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(change),
    });
    if (!ok) throw new Failure(`The local run responded with status ${status}.`);
  };
  const at = { requestHandler, region, credentials, endpoint };
  const access = { key: resolve(data), caller: async () => 'local', keepPassword };
  return toDeployment(`the local run in ${data}`, Stack.Outputs, at, access);
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
  at: DynamoDBClientConfig,
  access: Access,
): Deployment => {
  const output = (name: string) => {
    const value = outputs[name];
    if (value !== undefined) return value;
    throw new Failure(
      `There is no output ${name} in ${what}. Give the stack of a deployment of this version with --stack, or deploy it.`,
    );
  };
  return {
    what,
    baseUrl: output('BaseUrl'),
    tables: mapValues(tables, (table) => output(`${table}TableName`)),
    plans: decodePlans(output('Plans')),
    dynamodb: withoutLogger(new DynamoDBClient(at)),
    ...access,
  };
};
