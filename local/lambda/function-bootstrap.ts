import { flushCompileCache } from 'node:module';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import {
  HandlerNotFoundError,
  ImportModuleError,
  JSONStringifyError,
  UserCodeSyntaxError,
} from './runtime-errors.ts';
import { errorOf, logError, patchConsole, setLoggedRequestId } from './runtime-log.ts';

/*
 * Runs in a function's own process instead of AWS's runtime client: loads the bundle and serves one event at a time.
 * Events and responses are JSON text. `npm run test:runtime` compares it with the runtime client.
 */

export type Invocation = {
  requestId: string;
  functionArn: string;
  traceId: string;
  event: string;
  deadlineInMs: number;
};

const environment = (name: string) => process.env[name] ?? '';

const context = ({ requestId, functionArn, traceId, deadlineInMs }: Invocation) => {
  const deadline = performance.now() + deadlineInMs;
  return {
    clientContext: undefined,
    identity: undefined,
    invokedFunctionArn: functionArn,
    awsRequestId: requestId,
    tenantId: undefined,
    xRayTraceId: traceId,
    getRemainingTimeInMillis: () => Math.round(deadline - performance.now()),
    functionName: environment('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: environment('AWS_LAMBDA_FUNCTION_VERSION'),
    memoryLimitInMB: environment('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    logGroupName: environment('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: environment('AWS_LAMBDA_LOG_STREAM_NAME'),
  };
};

const send = (message: object) => process.send?.(message);

type Handler = (event: unknown, context: object) => unknown;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const importBundle = async (file: string): Promise<Record<string, unknown>> => {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    if (error instanceof SyntaxError) throw new UserCodeSyntaxError(error);
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')
      throw new ImportModuleError(error);
    throw error;
  }
};

const load = async () => {
  const name = environment('_HANDLER');
  const [moduleName = '', exportName = ''] = name.split('.');
  const bundle = await importBundle(`${environment('LAMBDA_TASK_ROOT')}/${moduleName}.js`);
  const handler: unknown = bundle[exportName] ?? Object(bundle['default'])[exportName];
  if (!handler) throw new HandlerNotFoundError(`${name} is undefined or not exported`);
  if (!isHandler(handler)) throw new HandlerNotFoundError(`${name} is not a function`);
  return handler;
};

const toJson = (answer: unknown) => {
  try {
    return JSON.stringify(answer) ?? 'null';
  } catch {
    throw new JSONStringifyError();
  }
};

const serve = async (handler: Handler, invocation: Invocation) => {
  // After this message, the event is never given to another process.
  send({ isDelivered: true });
  const { requestId, traceId, event } = invocation;
  setLoggedRequestId(requestId);
  process.env['_X_AMZN_TRACE_ID'] = traceId;
  try {
    const answer: unknown = await handler(JSON.parse(event), context(invocation));
    send({ requestId, answer: toJson(answer) });
  } catch (error) {
    logError(error);
    send({ requestId, error: errorOf(error) });
  }
};

const start = async () => {
  const handler = await load();
  process.on('message', (invocation: Invocation) => void serve(handler, invocation));
  send({ isReady: true });
  // Writes the cache now, because most processes are killed and cannot write it when they end.
  flushCompileCache();
};

// Ctrl-C also reaches this process. It continues until the run ends it.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

// Only Node needs this variable. On the platform, a function does not have it.
delete process.env['NODE_COMPILE_CACHE'];

patchConsole();
start().catch(async (error: unknown) => {
  logError(error);
  await new Promise((resolve) => process.send?.({ error: errorOf(error) }, resolve));
  // The rejection ends the process, and Node prints it.
  throw error;
});
