import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect } from 'vitest';
import type { Outputs } from '../../local/run.ts';
import type { RequestedDisturbances } from '../../local/services/control-server.ts';
import { assembly, temporaryFolder } from './assembly.ts';
import { basic, send } from './http-client.ts';
import { compileCache, descendantsOf } from './processes.ts';
import { projectFolder } from './run-app.ts';
import { tracesOf } from './traces.ts';

export const MAIN = join(projectFolder, 'local/cli/main.ts');

type RunOptions = {
  assemblyFolder?: string;
  data?: string;
  args?: string[];
  env?: Record<string, string>;
  main?: string;
  cwd?: string;
  /** Starts a process group of its own, as a terminal does. */
  detached?: boolean;
};

const { PATH, HOME, ENGINE } = process.env;

/** A failed test leaves its child processes; they end after its file. */
const children = new Set<ChildProcess>();
/** By data folder: the passwords that no function may have logged. */
const passwordsOf = new Map<string, Set<string>>();
/** Codes of batchOf, which no function may have logged either. */
const BODY = /Сталь-ABC|鋼鋼/;

afterAll(async () => {
  await Promise.all([...children].map((child) => ended(child, 'SIGKILL')));
  for (const [folder, secrets] of passwordsOf) {
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

/** Starts the local run as a process and collects its output. */
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
    env: { PATH, HOME, ...(ENGINE ? { ENGINE } : {}), ...compileCache(), ...env },
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

/** Starts the local run and waits until it is ready. */
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
  const secrets = passwordsOf.get(data) ?? new Set();
  passwordsOf.set(data, secrets);
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
    /** Sends an object as JSON, and text as it is. */
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

/** Waits for a condition, until the test's own timeout. */
export const eventually = async (happens: () => boolean | Promise<boolean>) => {
  while (!(await happens())) await sleep(50);
};

export const engineOf = (run: LocalRun) =>
  descendantsOf(run.pid).find(({ command }) =>
    /^\S*dynoxide serve|^\S+ \S*dynalite-server\.ts/.test(command),
  );

/** Kills the engine and returns its process id. */
export const killEngine = (run: LocalRun) => {
  const engine = engineOf(run);
  if (engine === undefined) throw new Error('The engine does not run.');
  process.kill(engine.pid, 'SIGKILL');
  return engine.pid;
};

/** The processes of a function, by its name in the template. */
export const functionProcesses = (run: LocalRun, name: string) =>
  descendantsOf(run.pid)
    .filter(({ command }) => new RegExp(`function-bootstrap\\.ts \\S*${name}`).test(command))
    .map(({ pid }) => pid);

/** The local services accept any credentials. */
const anyone = { region: 'eu-central-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } };

export const secretsOf = (run: LocalRun) =>
  new SecretsManagerClient({ ...anyone, endpoint: run.outputs().SecretsEndpoint });

/** All rows of a table of a run, as plain values. */
export const rowsOf = async (run: LocalRun, table: string) => {
  const { Tables, DynamoDbEndpoint } = run.outputs();
  const engine = new DynamoDBClient({ ...anyone, endpoint: DynamoDbEndpoint });
  const scan = { TableName: Tables[table], ConsistentRead: true };
  const pages = await Array.fromAsync(paginateScan({ client: DynamoDBDocumentClient.from(engine) }, scan));
  engine.destroy();
  return pages.flatMap(({ Items = [] }) => Items);
};

const getControl = async (run: LocalRun, path: string) =>
  (await send(run.outputs().ControlEndpoint + path)).json();

/** Replaces the disturbances of a run's calls. */
export const disturb = async (run: LocalRun, disturbances: RequestedDisturbances) => {
  const answer = await send(`${run.outputs().ControlEndpoint}/disturbances`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(disturbances),
  });
  expect(answer.status).toBe(200);
};

/** How many calls each disturbance has met. */
export const disturbedCalls = async (run: LocalRun): Promise<number[]> => {
  const { dynamodb, secretsmanager, lambda } = await getControl(run, '/disturbances');
  return [...dynamodb, ...secretsmanager, ...lambda].map(({ hits }: { hits: number }) => hits);
};

type Permissions = Record<'granted' | 'unused', { role: string; action: string; resource: string }[]>;

/** The permissions of the functions' roles, and those that no call has needed yet. */
export const permissions = (run: LocalRun): Promise<Permissions> => getControl(run, '/permissions');

/** The ARN of the client's secret. */
export const secretArn = async (run: LocalRun) => {
  const { granted } = await permissions(run);
  const grant = granted.find(({ action }) => action === 'secretsmanager:GetSecretValue');
  if (!grant) throw new Error('No role may read a secret.');
  return grant.resource;
};
