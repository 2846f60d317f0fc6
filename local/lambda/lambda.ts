import { resolve } from 'node:path';
import type { Assembly } from '../assembly.ts';
import { Disturbances, type LambdaThrottle } from '../disturbances.ts';
import type { Permissions } from '../services/permissions.ts';
import { ACCOUNT, type LocalStack, REGION, type Resource } from '../stack.ts';
import type { FunctionError } from './function-bootstrap.ts';
import { FunctionInstance, type Outcome } from './function-instance.ts';

export const MAX_EVENT_BYTES = 6_291_456;
const MAX_ANSWER_BYTES = 6_291_556;

type LambdaOptions = {
  assembly: Assembly;
  stack: LocalStack;
  permissions: Permissions;
  /** Returns the endpoints of DynamoDB and Secrets Manager, and the function's access key. */
  serviceEnvironment: (functionName: string) => Record<string, string>;
  log: (functionName: string, line: string) => void;
};

/** The most processes of one function. Further events wait until a process is free. */
const MAX_INSTANCES = 16;

export class Lambda {
  readonly throttles = new Disturbances<LambdaThrottle>();
  private readonly functions: Map<string, LocalFunction>;

  constructor(options: LambdaOptions) {
    const { stack } = options;
    this.functions = new Map(
      stack
        .ofType('AWS::Lambda::Function')
        .map((resource) => [stack.arnOf(resource.id), new LocalFunction(options, resource)]),
    );
  }

  async invoke(arn: string, event: string): Promise<Outcome> {
    const local = this.functions.get(arn);
    if (!local) throw new Error(`There is no function ${arn}.`);
    if (local.isFull || this.throttles.next(({ throttle }) => local.name.includes(throttle)))
      return THROTTLED;
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

class LocalFunction {
  readonly name: string;
  private readonly log: (line: string) => void;
  private readonly environment: Record<string, string>;
  private readonly timeoutMs: number;
  private readonly memoryMb: number;
  private readonly maxConcurrency: number;
  private concurrency = 0;
  private readonly idle: FunctionInstance[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly instances = new Set<FunctionInstance>();
  private isStopped = false;

  constructor({ stack, assembly, permissions, serviceEnvironment, log }: LambdaOptions, resource: Resource) {
    const { properties } = resource;
    this.name = stack.ref(resource.id);
    this.timeoutMs = Number(properties['Timeout'] ?? 3) * 1_000;
    this.memoryMb = Number(properties['MemorySize'] ?? 128);
    this.maxConcurrency = Number(properties['ReservedConcurrentExecutions'] ?? Number.POSITIVE_INFINITY);
    this.environment = {
      ...environmentOf(this.name, resource, assembly.folder),
      ...serviceEnvironment(this.name),
    };
    const role = String(properties['Role']).split('/').at(-1) ?? '';
    const logGroup = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${logGroupOf(properties)}:*`;
    // As on AWS, a function runs even if its role has no permission to write logs. Its lines are lost.
    this.log = (line) => {
      const actions = ['logs:CreateLogStream', 'logs:PutLogEvents'];
      if (actions.every((action) => permissions.allows(role, action, logGroup))) log(this.name, line);
    };
  }

  get isFull() {
    return this.concurrency >= this.maxConcurrency;
  }

  async invoke(event: string): Promise<Outcome> {
    this.concurrency += 1;
    try {
      return await this.runOnFreeInstance(event);
    } finally {
      this.concurrency -= 1;
    }
  }

  stop() {
    this.isStopped = true;
    for (const instance of this.instances) instance.stop();
    for (const resume of this.waiting.splice(0)) resume();
  }

  private async runOnFreeInstance(event: string): Promise<Outcome> {
    const instance = await this.acquireInstance();
    if (!instance) return STOPPED;
    const outcome = await instance.serve(event, this.timeoutMs);
    if (outcome === 'not delivered') return this.runOnFreeInstance(event);
    if (instance.isAlive) {
      this.idle.push(instance);
      this.waiting.shift()?.();
    }
    const reported = isTooLarge(outcome) ? TOO_LARGE : outcome;
    // The runtime itself logs errors that have a trace. Log only the others here.
    if ('error' in reported && !reported.error.trace && !this.isStopped) this.log(errorLine(reported.error));
    return reported;
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

const logGroupOf = (properties: Resource['properties']) =>
  String(Object(properties['LoggingConfig']).LogGroup);

/** The template's variables, and those of the platform (developer guide, "Defined runtime environment variables"). */
const environmentOf = (name: string, { properties, metadata }: Resource, assemblyFolder: string) => {
  const { Variables = {} } = Object(properties['Environment']);
  const { LogFormat, ApplicationLogLevel = 'INFO' } = Object(properties['LoggingConfig']);
  const variables: Record<string, unknown> = {
    ...Variables,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EXECUTION_ENV: `AWS_Lambda_${properties['Runtime']}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: properties['MemorySize'] ?? 128,
    AWS_LAMBDA_LOG_FORMAT: LogFormat,
    AWS_LAMBDA_LOG_LEVEL: ApplicationLogLevel,
    AWS_LAMBDA_LOG_GROUP_NAME: logGroupOf(properties),
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: resolve(assemblyFolder, String(metadata['aws:asset:path'])),
    LANG: 'en_US.UTF-8',
    PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
    TZ: ':UTC',
    _HANDLER: properties['Handler'],
  };
  return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)]));
};

/** The platform logs a function's exit, its timeout and a response that is too large. */
const errorLine = (error: FunctionError) =>
  JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', message: error });

const isTooLarge = (outcome: Outcome) =>
  'answer' in outcome && Buffer.byteLength(outcome.answer) > MAX_ANSWER_BYTES;

const TOO_LARGE: Outcome = {
  error: {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${MAX_ANSWER_BYTES} bytes).`,
  },
};
