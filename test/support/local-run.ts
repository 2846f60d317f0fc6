import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import type { Outputs } from '../../local/run.ts';
import { compileCache } from './compile-cache.ts';
import { basic, send } from './http-client.ts';
import { assembly, temporaryFolder } from './local-assembly.ts';
import { commandOf, descendantsOf, isRunning } from './processes.ts';
import { tracesOf } from './traces.ts';

export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = join(projectFolder, 'local/cli/main.ts');

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
/** By their folders, what the functions must not have logged, whatever went wrong. */
const secretsOf = new Map<string, Set<string>>();
/** Of the codes in batchOf, and of those that make them long. */
const BODY = /Сталь-ABC|鋼鋼/;

afterAll(async () => {
  await Promise.all([...children].map((child) => ended(child, 'SIGKILL')));
  for (const [folder, secrets] of secretsOf) {
    const log = join(folder, 'functions.log');
    const said = existsSync(log) ? readFileSync(log, 'utf8') : '';
    for (const secret of secrets) expect(tracesOf(secret, said)).toEqual([]);
    expect(said).not.toMatch(BODY);
  }
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
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...compileCache(), ...env },
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
  const secrets = secretsOf.get(data) ?? new Set();
  secretsOf.set(data, secrets);
  const pid = run.child.pid ?? 0;
  const url = (path: string) => `${outputs().BaseUrl}/rest/warehouse-control/${path}`;
  const authorization = () => {
    const [[username, password] = ['', '']] = Object.entries(outputs().Clients);
    for (const secret of [password, `${username}:${password}`]) secrets.add(secret);
    return basic(username, password);
  };
  return {
    ...run,
    data,
    pid,
    outputs,
    functionsLog: () => readFileSync(join(data, 'functions.log'), 'utf8'),
    url,
    authorization,
    get: (path: string, Authorization = authorization()) => send(url(path), { headers: { Authorization } }),
    /** An object goes as JSON. */
    post: (path: string, body: object | string) =>
      send(url(path), {
        method: 'POST',
        headers: { Authorization: authorization(), 'Content-Type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    stop: (signal: NodeJS.Signals = 'SIGTERM') => ended(run.child, signal),
  };
};

export type LocalRun = Awaited<ReturnType<typeof startLocal>>;

/** Waits for something that is bound to happen; the test's own timeout is the limit. */
export const eventually = async (happens: () => boolean | Promise<boolean>) => {
  while (!(await happens())) await sleep(20);
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
