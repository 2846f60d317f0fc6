import { resolve } from 'node:path';
import type { Assembly } from '../assembly.ts';
import { Disturbances, type LambdaThrottle } from '../disturbances.ts';
import type { Permissions } from '../services/permissions.ts';
import { ACCOUNT, type LocalStack, REGION, type Resource } from '../stack.ts';
import type { FunctionError } from './function-bootstrap.ts';
import { FunctionInstance, type Outcome } from './function-instance.ts';

type LambdaOptions = {
  assembly: Assembly;
  stack: LocalStack;
  permissions: Permissions;
  /** The variables with the endpoints of DynamoDB and Secrets Manager. */
  endpoints: Record<string, string>;
  log: (line: string) => void;
};

export class Lambda {
  readonly throttles = new Disturbances<LambdaThrottle>();
  private readonly functions: Map<string, LocalFunction>;

  constructor(options: LambdaOptions) {
    const functions = options.stack.ofType('AWS::Lambda::Function');
    this.functions = new Map(
      functions.map((resource) => [options.stack.arnOf(resource.id), new LocalFunction(options, resource)]),
    );
  }

  async invoke(arn: string, event: string): Promise<Outcome> {
    const local = this.functions.get(arn);
    if (!local) throw new Error(`There is no function ${arn}.`);
    if (this.throttles.next(({ throttle }) => local.name.includes(throttle))) return THROTTLED;
    return local.invoke(event);
  }

  stop() {
    for (const local of this.functions.values()) local.stop();
  }
}

/** Lambda's error for a call above the concurrency limit of a function or an account. */
const THROTTLED: Outcome = {
  error: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' },
  isThrottled: true,
};

/** The most processes of one function. Further events wait until a process is free. */
const MAX_INSTANCES = 16;

class LocalFunction {
  readonly name: string;
  private readonly log: (line: string) => void;
  private readonly environment: Record<string, string>;
  private readonly timeoutMs: number;
  private readonly memoryMb: number;
  private readonly idle: FunctionInstance[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly instances = new Set<FunctionInstance>();
  private isStopped = false;

  constructor({ stack, assembly, permissions, endpoints, log }: LambdaOptions, resource: Resource) {
    const { properties } = resource;
    this.name = stack.ref(resource.id);
    this.timeoutMs = Number(properties['Timeout'] ?? 3) * 1_000;
    this.memoryMb = Number(properties['MemorySize'] ?? 128);
    this.environment = { ...environmentOf(this.name, resource, assembly.folder), ...endpoints };
    const { LogGroup } = Object(properties['LoggingConfig']);
    const logGroup = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${LogGroup}:*`;
    // As on AWS, a function runs even if its role has no permission to write logs. Its lines are lost.
    this.log = (line) => {
      const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
      const isRefused = (action: string) => permissions.refusalOf(this.name, action, logGroup) !== undefined;
      if (!actions.some(isRefused)) log(`${this.name} ${line}`);
    };
  }

  async invoke(event: string): Promise<Outcome> {
    const instance = await this.acquireInstance();
    if (!instance) return STOPPED;
    const outcome = await instance.serve(event, this.timeoutMs);
    if (outcome === 'not delivered') return this.invoke(event);
    if (instance.isAlive) {
      this.idle.push(instance);
      this.waiting.shift()?.();
    }
    // The runtime itself logs errors that have a trace. Log only the others here.
    if ('error' in outcome && !outcome.error.trace && !this.isStopped) this.log(errorLine(outcome.error));
    return outcome;
  }

  stop() {
    this.isStopped = true;
    for (const instance of this.instances) instance.stop();
    for (const resume of this.waiting.splice(0)) resume();
  }

  /** Returns undefined after the run has stopped, because a new process would outlive the run. */
  private async acquireInstance(): Promise<FunctionInstance | undefined> {
    while (!this.isStopped) {
      const idle = this.idle.pop();
      if (idle) return idle;
      if (this.instances.size < MAX_INSTANCES) return this.startInstance();
      await new Promise<void>((resume) => this.waiting.push(resume));
    }
    return undefined;
  }

  private startInstance() {
    const instance = new FunctionInstance({
      environment: this.environment,
      memoryMb: this.memoryMb,
      log: this.log,
      onExit: (ended) => {
        this.instances.delete(ended);
        const index = this.idle.indexOf(ended);
        if (index !== -1) this.idle.splice(index, 1);
        this.waiting.shift()?.();
      },
    });
    this.instances.add(instance);
    return instance;
  }
}

const STOPPED: Outcome = { error: { errorType: 'Sandbox.Stopped', errorMessage: 'The run has ended' } };

/** The template's variables, and those of the platform that the runtime, the SDK or the functions read. */
const environmentOf = (name: string, { properties, metadata }: Resource, assemblyFolder: string) => {
  const { Variables = {} } = Object(properties['Environment']);
  const variables: Record<string, unknown> = {
    ...Variables,
    AWS_REGION: REGION,
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties['Runtime']}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_LOG_FORMAT: Object(properties['LoggingConfig']).LogFormat,
    LAMBDA_TASK_ROOT: resolve(assemblyFolder, String(metadata['aws:asset:path'])),
    TZ: ':UTC',
    _HANDLER: properties['Handler'],
    // The function's name, so that a service knows which role makes a call.
    AWS_ACCESS_KEY_ID: name,
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)]));
};

/** The platform logs a function's exit and its timeout. */
const errorLine = (error: FunctionError) =>
  JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', message: error });
