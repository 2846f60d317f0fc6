import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  paginateListStackResources,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { explain, Failure } from '../admin/cli/failure.ts';
import { readCredentials } from '../admin/deployment/credentials.ts';
import { openDeployment } from '../admin/deployment/deployment.ts';
import { type Patience, poll } from './fact.ts';
import { CDK, projectFolder, runProgram } from './programs.ts';

const describeStack = async (cloudFormation: CloudFormationClient, StackName: string) => {
  try {
    const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    return stack;
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
};

/** The account and region of the current credentials, from the ARN of the CDK's own stack. */
export const findAccount = async () => {
  const toolkit = await describeStack(new CloudFormationClient(), 'CDKToolkit');
  const [, , , region, account] = toolkit?.StackId?.split(':') ?? [];
  if (account && region) return { account, region };
  throw new Failure('The CDK is not set up in this account and region. Run `npx cdk bootstrap` first.');
};

type DeployedSettings = { clients?: object[]; throttle?: object; allowedCidrs?: string[] };

const DELETION_SECONDS = 1_800;
const NEVER = new AbortController().signal;

/** The interface tests send thousands of requests. */
const limits = { rate: 1_000, burst: 2_000, batches: { rate: 1_000, burst: 2_000 } };
const DOCTOR = { name: 'doctor', silenceHours: 0, limits };

/** The quota of the client `second`, which `addClientAndThrottle` adds. */
const REQUESTS_A_DAY = 5;

/** A deployment that lasts for one proof. */
export class Stage {
  readonly name: string;
  /** How long a change may take to take effect. */
  readonly patience: Patience;
  private readonly cloudFormation = new CloudFormationClient();
  private readonly cloudWatch = new CloudWatchClient();
  private readonly lambda = new LambdaClient();
  private readonly startedAt = new Date();

  get assembly() {
    return join(projectFolder, 'proof', this.name);
  }

  constructor(name: string, patience: Patience) {
    this.name = name;
    this.patience = patience;
  }

  async deploy(settings: DeployedSettings = {}) {
    const all = { stackName: this.name, ephemeral: true, clients: [DOCTOR], ...settings };
    const context = `warehouse-control=${JSON.stringify(all)}`;
    const options = ['--require-approval', 'never', '--context', context];
    const code = await runProgram(
      [CDK, 'deploy', ...options, '--output', this.assembly],
      {},
      this.patience.interrupted,
    );
    if (code !== 0) throw new Failure(`The deployment failed: \`cdk deploy\` ended with ${code}.`);
  }

  async addClientAndThrottle(settings: DeployedSettings) {
    const second = { name: 'second', silenceHours: 0, limits: { perDay: REQUESTS_A_DAY } };
    await this.deploy({ clients: [DOCTOR, second], throttle: { ratePerSecond: 1, burst: 1 }, ...settings });
  }

  async baseUrl() {
    const stack = await describeStack(this.cloudFormation, this.name);
    return stack?.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '';
  }

  /** The user name and the password of a client. */
  async credentialsOf(client: string) {
    const { clients, secrets } = await openDeployment({ data: '', stack: this.name });
    const secret = clients.find(({ name }) => name === client);
    const { username, password } = secret ? await readCredentials(await secrets(), secret) : {};
    if (username && password) return { username, password };
    throw new Failure(`The deployment has no password of the client ${client}.`);
  }

  /** Does the work while the function's concurrency is 0. */
  async whileThrottled<T>(idPrefix: string, work: () => Promise<T>): Promise<T> {
    const FunctionName = await this.functionName(idPrefix);
    const none = { FunctionName, ReservedConcurrentExecutions: 0 };
    await this.lambda.send(new PutFunctionConcurrencyCommand(none));
    try {
      return await work();
    } finally {
      await this.lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    }
  }

  /** Waits until the metric has a value, which takes minutes. Returns its sum since the start of the proof. */
  metric(MetricName: string, dimensions: Record<string, string>) {
    const sum = async () => {
      const { Datapoints = [] } = await this.cloudWatch.send(
        new GetMetricStatisticsCommand({
          Namespace: this.name,
          MetricName,
          Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
          StartTime: this.startedAt,
          EndTime: new Date(Date.now() + 60_000),
          Period: 60,
          Statistics: ['Sum'],
        }),
      );
      return Datapoints.reduce((total, { Sum = 0 }) => total + Sum, 0);
    };
    return poll(sum, (value) => value > 0, this.patience);
  }

  /** Deletes the stack in any state. Returns what remains: retained resources, or the stack. */
  async destroy() {
    rmSync(this.assembly, { recursive: true, force: true });
    const stack = await describeStack(this.cloudFormation, this.name);
    if (!stack) return { isDestroyed: true, left: [] };
    const StackName = stack.StackId ?? this.name;
    await this.requestDeletion(StackName);
    const waiter = {
      client: this.cloudFormation,
      maxWaitTime: DELETION_SECONDS,
      minDelay: 2,
      maxDelay: 10,
    };
    const failure = await waitUntilStackDeleteComplete(waiter, { StackName }).then(() => undefined, explain);
    const pages = paginateDescribeStackEvents({ client: this.cloudFormation }, { StackName });
    const events = (await Array.fromAsync(pages)).flatMap(({ StackEvents = [] }) => StackEvents);
    const resources = events
      .filter(({ ResourceStatus = '' }) => ['DELETE_SKIPPED', 'DELETE_FAILED'].includes(ResourceStatus))
      .map(({ ResourceType, PhysicalResourceId, ResourceStatus }) =>
        [ResourceType, PhysicalResourceId, ResourceStatus].join(' '),
      );
    if (failure === undefined) return { isDestroyed: true, left: resources };
    return { isDestroyed: false, left: [`the stack ${StackName}: ${failure}`, ...resources] };
  }

  /** Tries again, because CloudFormation cannot delete a stack during an update, and Ctrl-C does not end the update. */
  private async requestDeletion(StackName: string) {
    const request = () =>
      this.cloudFormation.send(new DeleteStackCommand({ StackName })).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof Error && /cannot be deleted while in status/.test(error.message)) return error;
          throw error;
        },
      );
    const isAccepted = (refusal: Error | undefined) => refusal === undefined;
    const refusal = await poll(request, isAccepted, { seconds: DELETION_SECONDS, interrupted: NEVER });
    if (refusal) throw refusal;
  }

  private async functionName(idPrefix: string) {
    const pages = paginateListStackResources({ client: this.cloudFormation }, { StackName: this.name });
    const resources = (await Array.fromAsync(pages)).flatMap((page) => page.StackResourceSummaries ?? []);
    const name = resources.find(
      ({ ResourceType, LogicalResourceId }) =>
        ResourceType === 'AWS::Lambda::Function' && LogicalResourceId?.startsWith(idPrefix),
    )?.PhysicalResourceId;
    if (name) return name;
    throw new Failure(`The stack has no function ${idPrefix}.`);
  }
}
