import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { parseKnownFiles } from '@smithy/core/config';
import * as v from 'valibot';
import { type DeployedPlan, decodePlans } from '../../shared/clients/plans.ts';
import { mapValues } from '../../shared/object-keys.ts';
import { withoutLogger } from '../../shared/storage/without-logger.ts';
import { type ServiceTable, serviceTables } from '../../shared/tables.ts';
import { Failure } from '../text/failure.ts';
import { type RefusalLog, refusalLogOfAws, refusalLogOfFile } from './refusal-log.ts';

/** The options of the command line that choose a deployment. */
export type Where = {
  local?: boolean | undefined;
  data: string;
  stack: string;
  region?: string | undefined;
  profile?: string | undefined;
};

export type Deployment = {
  /** For messages, such as `the stack WarehouseControl in eu-west-1`. */
  name: string;
  baseUrl: string;
  tables: Record<ServiceTable, string>;
  /** Where the history of the lists is. Undefined in a deployment of an older version. */
  records: Records | undefined;
  plans: readonly DeployedPlan[];
  refusalLog: RefusalLog;
  dynamodb: DynamoDBClient;
  /** The time of the service, because the clock of this machine may be wrong. */
  now: () => Date;
  /** Identifies the deployment, together with the names of its tables. */
  key: string;
  /** The ARN of the person or role that runs the command. */
  caller: () => Promise<string>;
  /** Only the deployment of a local run has this function, because only a local run keeps passwords. */
  keepPassword?: (change: KeptPassword) => Promise<void>;
};

type Records = { table: string; retentionDays: number };

/** A client that was changed, and its new password, if the change made one. */
type KeptPassword = { client: string; password: string | undefined };

export const openDeployment = (where: Where) => (where.local ? openLocal(where) : openDeployed(where));

/** Long enough for ten rows of 400 KB over a slow connection. */
const requestHandler = {
  connectionTimeout: 5_000,
  requestTimeout: 30_000,
  throwOnRequestTimeout: true,
  socketTimeout: 30_000,
};

const openDeployed = async ({ stack, region, profile }: Where): Promise<Deployment> => {
  const clientConfig = { requestHandler, ...(region ? { region } : {}), ...(profile ? { profile } : {}) };
  // The SDK ignores an unknown profile, and may find other credentials.
  if (profile && !Object.hasOwn(await parseKnownFiles({ profile }), profile))
    throw new Failure(`There is no profile ${profile} in the AWS configuration of this machine.`);
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const cloudFormation = new CloudFormationClient(clientConfig);
  const { Stacks: [described] = [] } = await cloudFormation.send(
    new DescribeStacksCommand({ StackName: stack }),
  );
  const outputs: Record<string, string> = Object.fromEntries(
    (described?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  const name = `the stack ${stack} in ${await cloudFormation.config.region()}`;
  const caller = async () => {
    // Loaded late, because few commands need it.
    const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
    const { Arn = 'unknown' } = await new STSClient(clientConfig).send(new GetCallerIdentityCommand());
    return Arn;
  };
  // The SDK compares its clock with each response.
  const { systemClockOffset } = cloudFormation.config;
  const dynamodbConfig = { ...clientConfig, systemClockOffset };
  const refusalLog = refusalLogOfAws(name, outputs['RefusalLogGroups'], clientConfig);
  return toDeployment(name, outputs, dynamodbConfig, { key: name, caller, refusalLog });
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
  // The local engine accepts any credentials, so it never gets the credentials of a deployment.
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  // Reads the port at each call: the local run may restart with another port while a console still runs.
  const endpoint = async () => ({ url: new URL(read().DynamoDbEndpoint) });
  const keepPassword = async (change: KeptPassword) => {
    const { ok, status } = await fetch(new URL('/passwords', read().ControlEndpoint), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(change),
    });
    if (!ok) throw new Failure(`The local run responded with status ${status}.`);
  };
  const clientConfig = { requestHandler, region, credentials, endpoint };
  const refusalLog = refusalLogOfFile(join(data, 'functions.log'));
  const access = { key: resolve(data), caller: async () => 'local', keepPassword, refusalLog };
  return toDeployment(`the local run in ${data}`, Stack.Outputs, clientConfig, access);
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
  name: string,
  outputs: Record<string, string>,
  clientConfig: DynamoDBClientConfig,
  access: Pick<Deployment, 'key' | 'caller' | 'keepPassword' | 'refusalLog'>,
): Deployment => {
  const output = (key: string) => {
    const value = outputs[key];
    if (value !== undefined) return value;
    throw new Failure(
      `There is no output ${key} in ${name}. With --stack, give a stack of this version. If this stack is older, deploy this version.`,
    );
  };
  const dynamodb = withoutLogger(new DynamoDBClient(clientConfig));
  return {
    name,
    baseUrl: output('BaseUrl'),
    tables: mapValues(serviceTables, (table) => output(`${table}TableName`)),
    records: recordsOf(outputs),
    plans: decodePlans(output('Plans')),
    dynamodb,
    now: () => new Date(Date.now() + dynamodb.config.systemClockOffset),
    ...access,
  };
};

const recordsOf = ({
  AdminRecordsTableName: table,
  RecordRetentionDays: days,
}: Record<string, string>): Records | undefined =>
  table && days ? { table, retentionDays: Number(days) } : undefined;

/** Changes of lists and marks need this table, which older deployments lack. */
export const requireRecords = ({ records, name }: Pick<Deployment, 'records' | 'name'>) => {
  if (records) return records;
  throw new Failure(
    `Deploy this version first: ${name} has no table AdminRecords, which keeps the history of the lists and what was told.`,
  );
};
