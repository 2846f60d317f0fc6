import { createRequire, flushCompileCache } from 'node:module';
import { performance } from 'node:perf_hooks';

/*
 * Runs in a function's own process: loads the bundle as the platform does, and serves one event at a time. Events and
 * answers are JSON text, as on the platform.
 */

type Invocation = { requestId: string; functionArn: string; event: string; deadlineInMs: number };

const environment = (name: string) => process.env[name] ?? '';

const context = ({ requestId, functionArn, deadlineInMs }: Invocation) => {
  const deadline = performance.now() + deadlineInMs;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: environment('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: environment('AWS_LAMBDA_FUNCTION_VERSION'),
    invokedFunctionArn: functionArn,
    logGroupName: environment('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: environment('AWS_LAMBDA_LOG_STREAM_NAME'),
    memoryLimitInMB: environment('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    getRemainingTimeInMillis: () => Math.max(0, Math.round(deadline - performance.now())),
  };
};

/** The platform reports a function's uncaught error in this form. */
const errorOf = (error: unknown) => ({
  errorType: error instanceof Error ? error.name : 'Error',
  errorMessage: error instanceof Error ? error.message : String(error),
  ...(error instanceof Error && error.stack ? { stackTrace: error.stack.split('\n') } : {}),
});

const send = (message: object) => process.send?.(message);

const load = () => {
  const [moduleName = '', exportName = ''] = environment('_HANDLER').split('.');
  const handler: unknown = createRequire(import.meta.url)(
    `${environment('LAMBDA_TASK_ROOT')}/${moduleName}.js`,
  )[exportName];
  if (!isHandler(handler)) throw new Error(`${environment('_HANDLER')} is not a function.`);
  return handler;
};

type Handler = (event: unknown, context: object) => unknown;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const serve = async (handler: Handler, invocation: Invocation) => {
  // From here on, the event cannot go to another process.
  send({ isDelivered: true });
  try {
    const answer: unknown = await handler(JSON.parse(invocation.event), context(invocation));
    send({ requestId: invocation.requestId, answer: JSON.stringify(answer) ?? 'null' });
  } catch (error) {
    send({ requestId: invocation.requestId, error: errorOf(error) });
  }
};

// This process ends with the run that started it. The terminal's Ctrl-C is for that run.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

// The cache serves this file and the bundle. The function's environment has only what the platform sets.
delete process.env['NODE_COMPILE_CACHE'];

try {
  const handler = load();
  process.on('message', (invocation: Invocation) => void serve(handler, invocation));
  send({ isReady: true });
  // Most processes are killed, and could not write the cache at their end.
  flushCompileCache();
} catch (error) {
  send({ error: errorOf(error) });
  process.exitCode = 1;
  process.disconnect();
}
