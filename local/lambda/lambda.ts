import { resolve } from 'node:path';
import type { Assembly } from '../assembly.ts';
import { Disturbances, type LambdaThrottle } from '../services/disturbances.ts';
import type { Permissions } from '../services/permissions.ts';
import { ACCOUNT, type LocalStack, REGION, type Resource } from '../stack.ts';
import { FunctionInstance, type Outcome } from './function-instance.ts';
import type { FunctionError } from './runtime-log.ts';

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
    const definitions = options.stack.ofType('AWS::Lambda::Function');
    this.functions = new Map(
      definitions.map((resource) => {
        const local = new LocalFunction(options, resource);
        return [options.stack.arnOf(resource.id), local];
      }),
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
  private readonly options: LambdaOptions;
  private readonly environment: Record<string, string>;
  private readonly timeoutMs: number;
  private readonly memoryMb: number;
  private readonly maxConcurrency: number;
  private concurrency = 0;
  private readonly arn: string;
  private readonly role: string;
  private readonly logGroupArn: string;
  private readonly idle: FunctionInstance[] = [];
  private readonly waiting: ((instance: FunctionInstance | undefined) => void)[] = [];
  private readonly instances = new Set<FunctionInstance>();
  private isStopped = false;

  constructor(options: LambdaOptions, resource: Resource) {
    const { stack, assembly } = options;
    const { properties, metadata } = resource;
    const { LogGroup, LogFormat, ApplicationLogLevel = 'INFO' } = Object(properties['LoggingConfig']);
    const logGroup = String(LogGroup);
    this.options = options;
    this.name = stack.ref(resource.id);
    this.arn = stack.arnOf(resource.id);
    this.role = String(properties['Role']).split('/').at(-1) ?? '';
    this.timeoutMs = Number(properties['Timeout'] ?? 3) * 1_000;
    this.memoryMb = Number(properties['MemorySize'] ?? 128);
    this.maxConcurrency = Number(properties['ReservedConcurrentExecutions'] ?? Number.POSITIVE_INFINITY);
    this.logGroupArn = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${logGroup}:*`;
    this.environment = {
      ...variablesOf(properties),
      ...PLATFORM_VARIABLES,
      AWS_EXECUTION_ENV: `AWS_Lambda_${properties['Runtime']}`,
      AWS_LAMBDA_FUNCTION_NAME: this.name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(this.memoryMb),
      AWS_LAMBDA_LOG_FORMAT: String(LogFormat),
      AWS_LAMBDA_LOG_LEVEL: String(ApplicationLogLevel),
      AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      LAMBDA_TASK_ROOT: resolve(assembly.folder, String(metadata['aws:asset:path'])),
      _HANDLER: String(properties['Handler']),
      ...options.serviceEnvironment(this.name),
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

  private async runOnFreeInstance(event: string): Promise<Outcome> {
    const instance = await this.acquireInstance();
    if (!instance) return STOPPED;
    const outcome = await instance.serve(this.arn, event, this.timeoutMs);
    if (outcome === 'not delivered') return this.runOnFreeInstance(event);
    if (instance.isAlive) this.release(instance);
    const reported = isTooLarge(outcome) ? TOO_LARGE : outcome;
    // The runtime itself logs errors that have a trace. Log only the others here.
    if ('error' in reported && !reported.error.trace && !this.isStopped) this.log(errorLine(reported.error));
    return reported;
  }

  stop() {
    this.isStopped = true;
    for (const instance of this.instances) instance.stop();
    for (const resolveWaiting of this.waiting.splice(0)) resolveWaiting(undefined);
  }

  /** Returns undefined after the run has stopped, because a new process would outlive the run. */
  private acquireInstance() {
    if (this.isStopped) return undefined;
    const idle = this.idle.pop();
    if (idle) return idle;
    if (this.instances.size < MAX_INSTANCES) return this.start();
    return new Promise<FunctionInstance | undefined>((resolve) => this.waiting.push(resolve));
  }

  private start() {
    const instance = new FunctionInstance({
      environment: this.environment,
      memoryMb: this.memoryMb,
      log: (line) => this.log(line),
      onExit: (ended) => this.discard(ended),
    });
    this.instances.add(instance);
    return instance;
  }

  private log(line: string) {
    if (this.mayLog) this.options.log(this.name, line);
  }

  private release(instance: FunctionInstance) {
    const next = this.waiting.shift();
    if (next) next(instance);
    else this.idle.push(instance);
  }

  private discard(instance: FunctionInstance) {
    this.instances.delete(instance);
    const index = this.idle.indexOf(instance);
    if (index !== -1) this.idle.splice(index, 1);
    const next = this.waiting.shift();
    if (next) next(this.start());
  }

  /** As on AWS, a function runs even if its role has no permission to write logs. Its lines are lost. */
  private get mayLog() {
    return ['logs:CreateLogStream', 'logs:PutLogEvents'].every((action) =>
      this.options.permissions.allows(this.role, action, this.logGroupArn),
    );
  }
}

const STOPPED: Outcome = { error: { errorType: 'Sandbox.Stopped', errorMessage: 'The run has ended' } };

const variablesOf = (properties: Record<string, unknown>): Record<string, string> => {
  const { Variables = {} } = Object(properties['Environment']);
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, String(value)]));
};

const PLATFORM_VARIABLES = {
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  LAMBDA_RUNTIME_DIR: '/var/runtime',
  LANG: 'en_US.UTF-8',
  PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
  TZ: ':UTC',
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
