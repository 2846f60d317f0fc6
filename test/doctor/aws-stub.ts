import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import { serve } from './examine.ts';

/** The body of a response: JSON, the content of XML, or undefined for what does not exist. A number is a status. */
export type Respond = (parameters: URLSearchParams, body: string) => object | string | number | undefined;

/** The service in the signature, and the name of the call. */
const nameCall = ({ method, url, headers }: IncomingMessage, parameters: URLSearchParams) => {
  const [, service] = /Credential=[^/]+\/\d+\/([^/]+\/[^/]+)\//.exec(String(headers.authorization)) ?? [];
  const target = String(headers['x-amz-target'] ?? '').split('.')[1];
  return [String(service), target ?? parameters.get('Action') ?? `${method} ${url}`] as const;
};

const toResponse = (response: ReturnType<Respond>, stack: string | null) => {
  if (typeof response === 'object') return { status: 200, body: JSON.stringify(response) };
  if (typeof response === 'string') return { status: 200, body: `<R>${response}</R>` };
  const error = `<Code>ValidationError</Code><Message>${stack} does not exist</Message>`;
  return { status: response ?? 404, body: `<ErrorResponse><Error>${error}</Error></ErrorResponse>` };
};

/** Responds to calls of AWS by their names, such as `DescribeStacks` or `GET /account`. Returns what was called. */
export const startAws = async (responses: Record<string, Respond>) => {
  const calls: string[] = [];
  const endpoint = await serve(async (incoming) => {
    const body = await text(incoming);
    const parameters = new URLSearchParams(body);
    const [service, name] = nameCall(incoming, parameters);
    calls.push(`${service} ${name}`);
    return toResponse(responses[name]?.(parameters, body), parameters.get('StackName'));
  });
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  onTestFinished(() => void vi.unstubAllEnvs());
  return calls;
};

/** CloudFormation's description of these stacks, with their outputs. */
export const describeStacks =
  (stacks: Record<string, Record<string, string>>): Respond =>
  (parameters) => {
    const name = parameters.get('StackName') ?? '';
    const outputs = Object.entries(stacks[name] ?? {}).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    const id = `arn:aws:cloudformation:eu-west-1:123456789012:stack/${name}/1`;
    const stack = `<StackId>${id}</StackId><StackName>${name}</StackName><Outputs>${outputs.join('')}</Outputs>`;
    const result = `<DescribeStacksResult><Stacks><member>${stack}</member></Stacks></DescribeStacksResult>`;
    return stacks[name] && result;
  };

type Resource = { id: string; type: string; name: string };

/** CloudFormation's list of the resources of a stack. */
export const listStackResources =
  (...resources: Resource[]): Respond =>
  () => {
    const members = resources.map(
      ({ id, type, name }) =>
        `<member><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId></member>`,
    );
    const list = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
    return `<ListStackResourcesResult>${list}</ListStackResourcesResult>`;
  };
