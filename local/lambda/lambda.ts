import { resolve } from 'node:path';
import { MAX_FUNCTION_RESPONSE_BYTES } from '../../shared/limits.ts';
import { Faults, functionOf, type LambdaFault } from '../faults.ts';
import type { Permissions } from '../services/permissions.ts';
import type { Assembly } from '../synthesis/assembly.ts';
import { ACCOUNT, REGION, type Resource, type TemplateStack } from '../synthesis/stack.ts';
import type { FunctionError } from './function-bootstrap.ts';
import { FunctionInstance, type Outcome } from './function-instance.ts';
import { createProcessPool } from './process-pool.ts';

type LambdaOptions = {
  assembly: Assembly;
  stack: TemplateStack;
  permissions: Permissions;
  /** The variables with the endpoints of DynamoDB and SNS. */
  endpoints: Record<string, string>;
  log: (line: string) => void;
};

export type Lambda = ReturnType<typeof createLambda>;

/** The functions of the stack. */
export const createLambda = (options: LambdaOptions) => {
  const { stack } = options;
  const faults = new Faults<LambdaFault>();
  const functions = new Map(
    stack
      .ofType('AWS::Lambda::Function')
      .map((resource) => [stack.attribute(resource.id, 'Arn'), createFunction(options, resource)]),
  );
  return {
    names: Array.from(functions.values(), ({ name }) => name),
    faults,
    invoke: async (arn: string, event: string): Promise<Outcome> => {
      const calledFunction = functions.get(arn);
      if (!calledFunction) throw new Error(`There is no function ${arn}.`);
      const fault = faults.next((next) => calledFunction.name.includes(functionOf(next)));
      return fault?.throttle !== undefined
        ? THROTTLED
        : calledFunction.invoke(event, fault?.kill !== undefined);
    },
    stop: () => {
      for (const { stop } of functions.values()) stop();
    },
  };
};

/** Lambda's error for a call above the concurrency limit of a function or an account. */
const THROTTLED: Outcome = {
  error: { errorType: 'TooManyRequestsException', errorMessage: 'Rate Exceeded.' },
  isThrottled: true,
};

const STOPPED: Outcome = { error: { errorType: 'Sandbox.Stopped', errorMessage: 'The run has ended' } };

const createFunction = (options: LambdaOptions, resource: Resource) => {
  const { stack, assembly, permissions, endpoints, log } = options;
  const { Timeout, MemorySize, LoggingConfig } = Object(resource.properties);
  const name = stack.ref(resource.id);
  const environment = { ...environmentOf(name, resource, assembly.folder), ...endpoints };
  let isStopped = false;

  const logGroup = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${LoggingConfig.LogGroup}:*`;
  const isRefused = (action: string) =>
    permissions.refusalOf(name, { action, resource: logGroup }) !== undefined;
  // As on AWS, a function runs even if its role has no permission to write logs. The function's lines are then lost.
  const logLine = (line: string) => {
    if (!['logs:CreateLogStream', 'logs:PutLogEvents'].some(isRefused)) log(`${name} ${line}`);
  };

  const pool = createProcessPool<FunctionInstance>(
    (onExit) => new FunctionInstance({ environment, memoryMb: MemorySize, log: logLine, onExit }),
  );

  const invoke = async (event: string, isKilled = false): Promise<Outcome> => {
    const instance = await pool.acquire();
    if (!instance) return STOPPED;
    const outcome = await (isKilled ? instance.kill() : instance.serve(event, Timeout * 1_000));
    if (outcome === 'not delivered') return invoke(event);
    pool.release(instance);
    const result = 'response' in outcome ? refuseTooLarge(outcome) : outcome;
    // The runtime itself logs an error that has a trace.
    if ('error' in result && !result.error.trace && !isStopped) logLine(errorLine(result.error));
    return result;
  };

  const stop = () => {
    isStopped = true;
    pool.stop();
  };
  return { name, invoke, stop };
};

const refuseTooLarge = (outcome: { response: string }): Outcome => {
  if (Buffer.byteLength(outcome.response) <= MAX_FUNCTION_RESPONSE_BYTES) return outcome;
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${MAX_FUNCTION_RESPONSE_BYTES} bytes).`;
  return { error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } };
};

/** The variables of the template, and the platform's variables that the runtime, the SDK or the functions read. */
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
    // A service learns from this name which role makes a call.
    AWS_ACCESS_KEY_ID: name,
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  return Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, String(value)]));
};

/** The platform logs a function's exit and its timeout. */
const errorLine = (error: FunctionError) =>
  JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', message: error });
