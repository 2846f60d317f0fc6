import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** One event served: time of the processor, and of the clock. */
export type Run = { cpuMs: number; wallMs: number; answer: string; log: string[] };
/** What a process has done so far, with the most memory that it ever took. */
export type Runs = { loadMs: number; loadCpuMs: number; peakMb: number; runs: Run[] };

const RUNNER = fileURLToPath(new URL('function-runner.ts', import.meta.url));

/** A process of a function, as the platform starts one for it, with its environment and nothing else. */
export const startFunction = async (environment: Record<string, string>, memoryMb: number) => {
  const child = fork(RUNNER, { env: environment, execArgv: [`--max-old-space-size=${memoryMb}`] });
  const exited = once(child, 'exit');
  const next = async (): Promise<unknown> => {
    const [message]: unknown[] = await Promise.race([
      once(child, 'message'),
      exited.then(([code]) => {
        throw new Error(`The function's process ended with ${code}.`);
      }),
    ]);
    return message;
  };
  await next();
  return {
    serve: async (events: readonly string[]): Promise<Runs> => {
      child.send(events);
      return asRuns(await next());
    },
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
};

export type FunctionProcess = Awaited<ReturnType<typeof startFunction>>;

const asRuns = (message: unknown): Runs => {
  if (isRuns(message)) return message;
  throw new Error('The process of the function sent what nobody asked for.');
};

const isRuns = (message: unknown): message is Runs =>
  typeof message === 'object' && message !== null && 'runs' in message && 'loadMs' in message;
