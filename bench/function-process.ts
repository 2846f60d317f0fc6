import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

const RUNNER = fileURLToPath(new URL('function-process.mjs', import.meta.url));

/** The heap of a function of 512 MB. Node itself needs 64 MB beside the heap. The deployed functions have more memory. */
const HEAP_MB = 512 - 64;

const LoadFigures = v.object({ loadCpuMs: v.number() });

const ServedEvent = v.object({
  cpuMs: v.number(),
  /** The highest memory use of the process so far. */
  peakMb: v.number(),
  response: v.pipe(
    v.string(),
    v.parseJson(),
    v.object({ statusCode: v.number(), body: v.pipe(v.string(), v.parseJson()) }),
  ),
});
export type ServedEvent = v.InferOutput<typeof ServedEvent>;

/** The same environment for all contestants, and no other variable. */
const environmentFor = (endpoint: string, table: string) => ({
  AWS_REGION: 'eu-central-1',
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
  _X_AMZN_TRACE_ID: 'Root=1-6730a1b2-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  METRICS_NAMESPACE: 'WarehouseControl',
  BALANCE_SNAPSHOTS_TABLE: table,
  SNAPSHOT_RETENTION_DAYS: '365',
});

/** Starts a bundle in a new process. */
export const startProcess = async (file: string, endpoint: string, table: string) => {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, RUNNER, file], {
    env: environmentFor(endpoint, table),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<unknown> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`The process of ${file} ended early.`);
    return JSON.parse(value);
  };
  const { loadCpuMs } = v.parse(LoadFigures, await readLine());
  const serve = async (event: object): Promise<ServedEvent> => {
    child.stdin.write(`${JSON.stringify(event)}\n`);
    return v.parse(ServedEvent, await readLine());
  };
  return {
    loadCpuMs,
    serve,
    serveOk: async (event: object) => {
      const served = await serve(event);
      const { statusCode, body } = served.response;
      if (statusCode !== 200) throw new Error(`${file} responded ${statusCode}: ${JSON.stringify(body)}`);
      return served;
    },
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
};
