import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { Failure } from '../admin/text/failure.ts';

/** Returns undefined if CloudFormation does not know the stack. Only the message of the error says so, not its code. */
export const ifExists = async <T>(call: Promise<T>) => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
};

export const describeStack = async (StackName: string) => {
  const command = new DescribeStacksCommand({ StackName });
  return (await ifExists(new CloudFormationClient().send(command)))?.Stacks?.[0];
};

/** Names the account and region of the current credentials, from the ARN of the CDK's own stack. */
export const describeAccount = async () => {
  const toolkit = await describeStack('CDKToolkit');
  const [, , , region, account] = toolkit?.StackId?.split(':') ?? [];
  if (account && region) return `account ${account}, ${region}`;
  throw new Failure('The CDK is not set up in this account and region. Run `npx cdk bootstrap` first.');
};

export const readOutput = async (stack: string, name: string) => {
  const { Outputs = [] } = (await describeStack(stack)) ?? {};
  const value = Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
  if (value) return value;
  throw new Failure(`The stack ${stack} has no output ${name}.`);
};

type Call = {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
};

/**
 * Sends one request to a service, signed by the SDK, because a package for each service would be larger than the doctor.
 * Returns undefined after a 404.
 */
export const callService = async (service: string, call: Call) => {
  const { path = '/', headers = {}, body, signal } = call;
  const { method = body ? 'POST' : 'GET' } = call;
  const { config } = new LambdaClient();
  const [region, host] =
    service === 'iam'
      ? ['us-east-1', service]
      : [await config.region(), `${service}.${await config.region()}`];
  const url = new URL(path, process.env['AWS_ENDPOINT_URL'] ?? `https://${host}.amazonaws.com`);
  const scheme = { name: 'sigv4', signingName: service, signingRegion: region, properties: {} };
  const signedRequest = await (await config.signer(scheme)).sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path,
    query: {},
    headers: { ...headers, host: url.host },
    body,
  });
  const response = await fetch(url, { ...signedRequest, body: body ?? null, signal });
  if (response.ok) return response.text();
  if (response.status === 404) return undefined;
  throw new Failure(`${service} responded with ${response.status}: ${await response.text()}`);
};

export const callForJson = async <T>(service: string, schema: v.GenericSchema<unknown, T>, call: Call) =>
  v.parse(v.pipe(v.string(), v.parseJson(), schema), await callService(service, call));
