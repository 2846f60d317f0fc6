import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';

/*
 * Runs in a function's own process instead of AWS's runtime client: loads the bundle and serves one event at a time.
 * Events and responses are JSON text. `npm run test:with -- runtime` compares this file with the runtime client.
 */

export type Invocation = { requestId: string; event: string; timeoutMs: number };

/** The runtime reports an error to the platform in this form. */
export type FunctionError = { errorType: string; errorMessage: string; trace?: string[] };

const { LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env;

const send = (message: object) => process.send?.(message);

const linesOf = ({ stack = '' }: Error) => stack.split('\n');

const errorOf = (error: unknown): FunctionError =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: linesOf(error) }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };

/** Describes an error for the log, and also the errors inside it, such as its cause. */
const describeErrors = (_: string, value: unknown) =>
  value instanceof Error
    ? {
        errorType: value.constructor.name,
        errorMessage: value.message,
        stackTrace: linesOf(value),
        ...value,
      }
    : value;

const logError = (thrown: unknown, requestId = '-') => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const line = { timestamp: new Date().toISOString(), level: 'ERROR', requestId, message: error };
  process.stdout.write(`${JSON.stringify(line, describeErrors)}\n`);
};

type Handler = (event: unknown, context: object) => unknown;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const load = async () => {
  const [moduleName = '', exportName = ''] = _HANDLER.split('.');
  const bundle: Record<string, unknown> = await import(
    pathToFileURL(`${LAMBDA_TASK_ROOT}/${moduleName}.js`).href
  );
  const handler = bundle[exportName] ?? Object(bundle['default'])[exportName];
  if (!isHandler(handler)) throw new Error(`${_HANDLER} is not a function`);
  return handler;
};

const serve = async (handler: Handler, { requestId, event, timeoutMs }: Invocation) => {
  // After this message, the local run gives the event to no other process.
  send({ isDelivered: true });
  const deadline = performance.now() + timeoutMs;
  const getRemainingTimeInMillis = () => Math.round(deadline - performance.now());
  try {
    const response = await handler(JSON.parse(event), { awsRequestId: requestId, getRemainingTimeInMillis });
    send({ requestId, response: JSON.stringify(response) ?? 'null' });
  } catch (error) {
    logError(error, requestId);
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

// Ctrl-C and the end of a terminal also reach this process. The process continues until the local run ends it.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

// Only Node needs this variable. On the platform, a function does not have it.
delete process.env['NODE_COMPILE_CACHE'];

start().catch(async (error: unknown) => {
  logError(error);
  await new Promise((resolve) => process.send?.({ error: errorOf(error) }, resolve));
  process.exitCode = 1;
  process.disconnect();
});
