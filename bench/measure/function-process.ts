import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

const RUNNER = fileURLToPath(new URL('function-process.mjs', import.meta.url));

const Loaded = v.object({ loadMs: v.number() });

const Served = v.object({
  ms: v.number(),
  /** Of the whole process, with all its threads. */
  cpuMs: v.number(),
  /** The highest memory use of the process so far. */
  peakMb: v.number(),
  log: v.string(),
  answer: v.pipe(
    v.string(),
    v.parseJson(),
    v.object({
      statusCode: v.optional(v.number()),
      headers: v.optional(v.record(v.string(), v.unknown())),
      multiValueHeaders: v.optional(v.record(v.string(), v.unknown())),
      body: v.optional(v.string(), ''),
    }),
  ),
});
export type Served = v.InferOutput<typeof Served>;

type Start = { file: string; environment: Record<string, string>; heapMb?: number | undefined };

/** Starts a bundle in a new process with only this environment. */
export const startProcess = async ({ file, environment, heapMb }: Start) => {
  const limit = heapMb ? [`--max-old-space-size=${heapMb}`] : [];
  const child = spawn(process.execPath, [...limit, RUNNER, file], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<unknown> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`The process of ${file} ended early.`);
    return JSON.parse(value);
  };
  const { loadMs } = v.parse(Loaded, await readLine());
  return {
    loadMs,
    serve: async (event: object): Promise<Served> => {
      child.stdin.write(`${JSON.stringify(event)}\n`);
      return v.parse(Served, await readLine());
    },
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
};

export type FunctionProcess = Awaited<ReturnType<typeof startProcess>>;

export const serveOk = async (process: FunctionProcess, event: object) => {
  const served = await process.serve(event);
  const { statusCode, body } = served.answer;
  if (statusCode !== 200) throw new Error(`A request was answered with ${statusCode}: ${body}`);
  return served;
};
