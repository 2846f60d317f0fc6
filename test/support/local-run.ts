import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { assembly, temporaryFolder } from './local-assembly.ts';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(projectFolder, 'local/main.ts');

export type Outputs = {
  BaseUrl: string;
  DynamoDbEndpoint: string;
  SecretsEndpoint: string;
  ControlEndpoint: string;
  Region: string;
  Tables: Record<string, string>;
  Clients: Record<string, string>;
};

type RunOptions = {
  assemblyFolder?: string;
  data?: string;
  args?: string[];
  env?: Record<string, string>;
  main?: string;
  cwd?: string;
  /** A process group of its own, as a terminal gives it. */
  detached?: boolean;
};

/** Each test stops what it has started; this is for one that has failed. */
const children = new Set<ChildProcess>();
afterAll(async () => {
  await Promise.all([...children].map((child) => ended(child, 'SIGKILL')));
});

const ended = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
};

/** Starts the local run as a process and leaves it alone; what it says is collected. */
export const spawnLocal = (
  args: string[],
  {
    env = {},
    main = MAIN,
    cwd = projectFolder,
    detached = false,
  }: Pick<RunOptions, 'env' | 'main' | 'cwd' | 'detached'> = {},
) => {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    detached,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const exit = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, ...said }));
  return { child, said, exit };
};

/** Starts the local run and waits until it says that it is ready. */
export const startLocal = async ({
  assemblyFolder,
  data = temporaryFolder(),
  args = [],
  ...where
}: RunOptions = {}) => {
  const from = assemblyFolder ?? (await assembly());
  const run = spawnLocal(['--port', '0', '--assembly', from, '--data', data, ...args], where);
  await eventually(() => {
    if (run.child.exitCode !== null) throw new Error(`It ended: ${run.said.stderr}`);
    return /Ready at|Ctrl-C ends everything/.test(run.said.stdout);
  });
  const outputs = (): Outputs => JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
  const pid = run.child.pid ?? 0;
  return {
    ...run,
    data,
    pid,
    outputs,
    functionsLog: () => readFileSync(join(data, 'functions.log'), 'utf8'),
    url: (path: string) => `${outputs().BaseUrl}/rest/warehouse-control/${path}`,
    authorization: () => {
      const [[username, password] = ['', '']] = Object.entries(outputs().Clients);
      return basic(username, password);
    },
    stop: (signal: NodeJS.Signals = 'SIGTERM') => ended(run.child, signal),
  };
};

export type LocalRun = Awaited<ReturnType<typeof startLocal>>;

export const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Waits for something that is bound to happen; the test's own timeout is the limit. */
export const eventually = async (happens: () => boolean | Promise<boolean>) => {
  while (!(await happens())) await sleep(20);
};

/** The processes that a process has started and that still run, theirs included. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

const childrenOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

export const isRunning = (pid: number) => {
  try {
    // A process that nobody has waited for yet has ended all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Nothing for one that has just ended. */
export const commandOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

export const engineOf = (run: LocalRun) =>
  descendantsOf(run.pid).find((pid) => /^\S*dynoxide serve/.test(commandOf(pid)));

/** As a crash ends it; answers which process it was. */
export const killEngine = (run: LocalRun) => {
  const engine = engineOf(run);
  if (engine === undefined) throw new Error('The engine does not run.');
  process.kill(engine, 'SIGKILL');
  return engine;
};

/** The processes of a function, by what the template calls it. */
export const functionProcesses = (run: LocalRun, name: string) =>
  descendantsOf(run.pid).filter(
    (pid) => isRunning(pid) && new RegExp(`function-bootstrap\\.ts \\S*${name}`).test(commandOf(pid)),
  );
