import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { Failure } from '../../admin/text/failure.ts';
import { generatePassword } from '../../shared/clients/password.ts';
import { mapValues } from '../../shared/object-keys.ts';
import { callService, describeStack, readOutput } from '../aws.ts';
import { TooSlow } from '../fact.ts';
import { plans, trialClients } from './trial-clients.ts';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const CDK = 'node_modules/aws-cdk/bin/cdk';
const CDK_APP = `"${process.execPath}" doctor/trial/trial-app.ts`;

/** With this context of the CDK, the 429 responses of the trial have two more headers, which one fact needs. */
export const TRIAL_HEADERS_CONTEXT = 'trial-headers';

const POLL_PAUSE_MS = 3_000;
const DESTROY_ATTEMPTS = 20;
const DESTROY_PAUSE_MS = 30_000;
const METRIC_PERIOD_S = 60;

/** Within this time, a changed setting takes effect, and a metric gets its value. */
const MAX_WAIT_S = 300;

type Options = { interrupted: AbortSignal; seconds?: number; destroyPauseMs?: number; cdk?: string };

/** A deployment that exists only while the doctor checks its facts. */
export class Trial {
  readonly name: string;
  /** The passwords of the trial's clients. Only this process has them. */
  readonly passwords = mapValues(trialClients, generatePassword);
  /** The folder of the synthesized template. */
  private readonly assembly: string;
  private readonly options: Required<Options>;
  private readonly startTime = new Date();
  private settings: object;

  constructor(name: string, options: Options) {
    this.name = name;
    this.assembly = join(projectFolder, 'cdk.out', name);
    this.options = { seconds: MAX_WAIT_S, destroyPauseMs: DESTROY_PAUSE_MS, cdk: CDK, ...options };
    this.settings = { stackName: name, ephemeral: true, plans };
  }

  /** Refuses the name of an existing stack, because the trial destroys its stack at the end. */
  async requireNew() {
    if (!(await describeStack(this.name))) return;
    throw new Failure(`There is a stack ${this.name} already. Give a new name. Nothing was changed.`);
  }

  /** Each call keeps the settings of the calls before it. */
  async deploy(settings: object = {}, options: readonly string[] = []) {
    this.settings = { ...this.settings, ...settings };
    const context = `warehouse-control=${JSON.stringify(this.settings)}`;
    const args = ['deploy', '--require-approval', 'never', '--context', context, '--output', this.assembly];
    if (await this.runCdk([...args, ...options], this.options.interrupted)) return;
    throw new Failure('The deployment failed. The messages of `cdk deploy` above say why.');
  }

  /** Runs the CDK, sends all its output to standard error, and returns whether it succeeded. */
  protected async runCdk(args: readonly string[], signal?: AbortSignal): Promise<boolean> {
    const env = { CDK_APP, ...process.env };
    const options = { cwd: projectFolder, env, stdio: ['ignore' as const, 2, 2], signal };
    const child = spawn(process.execPath, [this.options.cdk, ...args], options);
    const [code]: (number | null)[] = await once(child, 'exit');
    return code === 0;
  }

  output(name: string) {
    return readOutput(this.name, name);
  }

  /** Asks until `isAwaited` accepts the value. Returns the last value when the time ends. */
  async poll<T>(
    ask: () => Promise<T>,
    isAwaited: (value: T) => boolean,
    seconds = this.options.seconds,
  ): Promise<T> {
    const endsAt = performance.now() + seconds * 1_000;
    for (;;) {
      const value = await ask();
      if (isAwaited(value) || performance.now() > endsAt) return value;
      await this.pause(POLL_PAUSE_MS);
    }
  }

  /** Asks again after each pause until `isDone` accepts the values. Returns all values. */
  async repeat<T>(ask: () => Promise<T>, isDone: (values: T[]) => boolean, pauseMs: number): Promise<T[]> {
    const values = [await ask()];
    while (!isDone(values)) {
      await this.pause(pauseMs);
      values.push(await ask());
    }
    return values;
  }

  protected pause(milliseconds: number): Promise<unknown> {
    return sleep(milliseconds, undefined, { signal: this.options.interrupted });
  }

  /** The gateway then refuses the requests of the clients in this slot. */
  async disableKey(idPrefix: string, signal: AbortSignal) {
    const id = await this.resource(idPrefix, 'AWS::ApiGateway::ApiKey');
    const patchOperations = [{ op: 'replace', path: '/enabled', value: 'false' }];
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ patchOperations });
    await callService('apigateway', { method: 'PATCH', path: `/apikeys/${id}`, headers, body, signal });
  }

  /** Does the work while the function's concurrency is 0. */
  async whileThrottled<T>(idPrefix: string, work: () => Promise<T>): Promise<T> {
    const lambda = new LambdaClient();
    const FunctionName = await this.resource(idPrefix, 'AWS::Lambda::Function');
    await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
    try {
      return await work();
    } finally {
      await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
    }
  }

  async resource(idPrefix: string, type: string) {
    const client = new CloudFormationClient();
    const pages = paginateListStackResources({ client }, { StackName: this.name });
    const resources = (await Array.fromAsync(pages)).flatMap((page) => page.StackResourceSummaries ?? []);
    const candidates = resources.filter(({ ResourceType }) => ResourceType === type);
    const resource = candidates.find(({ LogicalResourceId }) => LogicalResourceId?.startsWith(idPrefix));
    if (resource?.PhysicalResourceId) return resource.PhysicalResourceId;
    throw new Failure(`The stack has no ${type} ${idPrefix}.`);
  }

  /** The sum of a metric of the service since the trial began, or of another metric since another time. */
  async sum(
    MetricName: string,
    dimensions: Record<string, string>,
    { Namespace = this.name, since = this.startTime } = {},
  ) {
    const query = new GetMetricStatisticsCommand({
      Namespace,
      MetricName,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      StartTime: since,
      EndTime: new Date(Date.now() + METRIC_PERIOD_S * 1_000),
      Period: METRIC_PERIOD_S,
      Statistics: ['Sum'],
    });
    const { Datapoints = [] } = await new CloudWatchClient().send(query);
    return Datapoints.reduce((total, { Sum = 0 }) => total + Sum, 0);
  }

  /** Waits until the metric has a value, which takes minutes. Returns its sum since the trial began. */
  async metric(MetricName: string, dimensions: Record<string, string> = {}) {
    const ask = () => this.sum(MetricName, dimensions);
    const total = await this.poll(ask, (value) => value > 0);
    if (total > 0) return total;
    throw new TooSlow(`has no value after ${this.options.seconds} s`);
  }

  /** Returns whether the stack is gone. After Ctrl-C, an update may still run, and the stack can be destroyed only after it. */
  async destroy() {
    for (let attempt = 0; attempt < DESTROY_ATTEMPTS && (await describeStack(this.name)); attempt += 1) {
      const args = ['destroy', '--force', '--app', this.assembly, this.name];
      if (!(await this.runCdk(args))) await sleep(this.options.destroyPauseMs);
    }
    rmSync(this.assembly, { recursive: true, force: true });
    return (await describeStack(this.name)) === undefined;
  }
}
