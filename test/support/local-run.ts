import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, inject } from 'vitest';
import { requestLine } from '../../local/cli/messages.ts';
import type { RequestedFaults } from '../../local/control-server.ts';
import { fillWithDemo } from '../../local/demo/fill-with-demo.ts';
import { type Outputs, type RunStep, start } from '../../local/run.ts';
import { passwordAttributes } from '../../shared/clients/new-client.ts';
import { writeClient } from '../../shared/clients/write-client.ts';
import { assembly, renamedAssembly, temporaryFolder } from './assembly.ts';
import { storedClient } from './clients.ts';
import { basic, send } from './http-client.ts';
import { descendantsOf, isRunning, sharedFolders } from './processes.ts';
import { projectFolder } from './run-app.ts';
import { tracesOf } from './traces.ts';

/** Functions that stop the runs at the end of the test file. */
export const stops = new Set<() => Promise<unknown>>();
/** The passwords of each data folder. No function may have logged them. */
const passwordsOf = new Map<string, Set<string>>();
/** Codes of batchOf. No function may have logged them. */
const BODY = /Сталь-ABC|鋼鋼/;

afterAll(async () => {
  await Promise.all([...stops].map((stop) => stop()));
  for (const [folder, secrets] of passwordsOf) {
    const log = join(folder, 'functions.log');
    const logged = existsSync(log) ? readFileSync(log, 'utf8') : '';
    for (const secret of secrets) expect(tracesOf(secret, logged)).toEqual([]);
    expect(logged).not.toMatch(BODY);
  }
});

/** Sends requests to the run whose outputs are in the folder. */
export const requestsTo = (data: string) => {
  const outputs = (): Outputs => JSON.parse(readFileSync(join(data, 'outputs.json'), 'utf8'));
  const secrets = passwordsOf.get(data) ?? new Set();
  passwordsOf.set(data, secrets);
  const url = (path: string) => `${outputs().BaseUrl}/rest/warehouse-control/${path}`;
  const authorization = () => {
    const [[userName, password] = ['', '']] = Object.entries(outputs().Clients);
    for (const secret of [password, `${userName}:${password}`]) secrets.add(secret);
    return basic(userName, password);
  };
  return {
    data,
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
  };
};

type RunOptions = {
  assemblyFolder?: string;
  data?: string;
  /** Keeps the data in the folder, with an engine of its own. Otherwise, the tables are in the engine of the test run. */
  isOnDisk?: boolean;
  hasLimits?: boolean;
  demo?: boolean;
  runStep?: RunStep;
};

/** Starts the local run in this process. */
export const startLocal = async ({
  assemblyFolder,
  data = temporaryFolder(),
  isOnDisk = false,
  hasLimits = false,
  demo = false,
  runStep = (_, action) => action(),
}: RunOptions = {}) => {
  const original = assemblyFolder ?? (await assembly());
  const output = { requests: '', messages: '', notices: '' };
  const onNotice = (line: string) => {
    output.notices += `${line}\n`;
  };
  const { signal } = new AbortController();
  const run = await start({
    port: 0,
    data,
    isInMemory: !isOnDisk,
    hasLimits,
    // The tables of all runs are in one engine, and their names contain the name of the stack. So each run renames its stack.
    assembly: isOnDisk ? original : renamedAssembly(original, `Stack${randomUUID().slice(0, 8)}`),
    dynamoDbEndpoint: isOnDisk ? '' : inject('dynamoDbEndpoint'),
    signal,
    runStep,
    onServed: (served) => {
      output.requests += `${requestLine(served)}\n`;
    },
    onFunctionLog: () => {},
    onMessage: ({ message }) => {
      output.messages += `${message}\n`;
    },
    onNotice,
    // The scheduled time never comes, so the watch runs only if a test calls it.
    scheduleClock: { now: Date.now, wait: () => new Promise(() => {}) },
  });
  const stop = async () => {
    if (!stops.delete(stop)) return;
    await run.stop();
    if (!isOnDisk) await deleteTables(run.outputs);
  };
  stops.add(stop);
  if (demo) await fillWithDemo(run, new Date(), signal);
  return { ...requestsTo(data), output, pid: process.pid, stop };
};

export type LocalRun = Awaited<ReturnType<typeof startLocal>>;

/** A run in this process, or in a process of its own. */
export type AnyRun = ReturnType<typeof requestsTo> & { pid: number };

const deleteTables = async ({ DynamoDbEndpoint, Tables }: Outputs) => {
  const dynamodb = new DynamoDBClient({ ...anyCredentials, endpoint: DynamoDbEndpoint });
  const deletions = Object.values(Tables).map((TableName) =>
    dynamodb.send(new DeleteTableCommand({ TableName })),
  );
  // A test may have deleted a table.
  await Promise.allSettled(deletions);
  dynamodb.destroy();
};

const MAIN = join(projectFolder, 'local/cli/main.ts');

type CommandOptions = {
  assemblyFolder?: string;
  data?: string;
  args?: string[];
  env?: Record<string, string>;
  /** Starts a process group of its own, as a terminal does. */
  detached?: boolean;
};

const { PATH, HOME, ENGINE } = process.env;

const endProcess = async (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
};

/** Starts the command of the local run as a process, collects its output, and waits until it is ready. */
export const startCommand = async ({
  assemblyFolder,
  data = temporaryFolder(),
  args = [],
  env = {},
  detached = false,
}: CommandOptions = {}) => {
  const from = assemblyFolder ?? (await assembly());
  const options = ['--port', '0', '--assembly', from, '--data', data, ...args];
  const child = spawn(process.execPath, [MAIN, ...options], {
    cwd: projectFolder,
    detached,
    env: { PATH, HOME, ...(ENGINE ? { ENGINE } : {}), ...sharedFolders(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => endProcess(child, signal);
  stops.add(() => stop('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  const exit = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, ...output }));
  // Without a process id, a kill in a test could end the tests themselves.
  if (child.pid === undefined) throw new Error(`${process.execPath} did not start.`);
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`The run ended: ${output.stderr}`);
    return /Ready at|Ctrl-C ends everything/.test(output.stdout);
  });
  return { pid: child.pid, output, exit, ...requestsTo(data), stop };
};

/** Waits for a condition, until the test's own timeout. */
export const eventually = async (happens: () => boolean | Promise<boolean>) => {
  while (!(await happens())) await sleep(50);
};

/** The process id of the run's engine, or of the engine's supervisor. */
const engineProcess = (run: AnyRun, isSupervisor: boolean) => {
  const { port } = new URL(run.outputs().DynamoDbEndpoint);
  const engine = descendantsOf(run.pid).find(
    ({ command }) =>
      new RegExp(`--port[ =]${port}\\b`).test(command) &&
      command.includes('engine-supervisor') === isSupervisor,
  );
  if (!engine) throw new Error('The engine does not run.');
  return engine.pid;
};
export const engineOf = (run: AnyRun) => engineProcess(run, false);
export const supervisorOf = (run: AnyRun) => engineProcess(run, true);

export const killEngine = (run: AnyRun) => process.kill(engineOf(run), 'SIGKILL');

/** The processes of a function, by its name in the template. */
export const functionProcesses = (run: AnyRun, name: string) =>
  descendantsOf(run.pid)
    .filter(({ command }) =>
      new RegExp(`function-bootstrap\\.ts ${run.outputs().Stack.Name}\\S*${name}`).test(command),
    )
    .map(({ pid }) => pid);

/** Makes the authorizer read the clients again: a new process has no copy of the clients. */
export const forgetClients = async (run: AnyRun) => {
  const authorizers = functionProcesses(run, 'Authorizer');
  for (const pid of authorizers) process.kill(pid, 'SIGKILL');
  await eventually(() => !isRunning(...authorizers));
};

/** The local services accept any credentials. */
const anyCredentials = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
};

/** All rows of a table of a run, as plain values. */
export const rowsOf = async (run: AnyRun, table: string) => {
  const { Tables, DynamoDbEndpoint } = run.outputs();
  const engine = new DynamoDBClient({ ...anyCredentials, endpoint: DynamoDbEndpoint });
  const scan = { TableName: Tables[table], ConsistentRead: true };
  const pages = await Array.fromAsync(paginateScan({ client: DynamoDBDocumentClient.from(engine) }, scan));
  engine.destroy();
  return pages.flatMap(({ Items = [] }) => Items);
};

const getControl = async (run: AnyRun, path: string) =>
  (await send(run.outputs().ControlEndpoint + path)).json();

/** Sends a request to the control server of a run. */
export const postControl = (run: AnyRun, path: string, body: object) =>
  send(run.outputs().ControlEndpoint + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Replaces the faults of a run's calls. */
export const injectFaults = async (run: AnyRun, faults: RequestedFaults) =>
  expect((await postControl(run, '/faults', faults)).status).toBe(200);

/** Gives a client another password and ends the previous password, as an admin does. */
export const changePassword = async (run: AnyRun, name: string, password: string) => {
  const { Tables, DynamoDbEndpoint } = run.outputs();
  const engine = new DynamoDBClient({ ...anyCredentials, endpoint: DynamoDbEndpoint });
  const table = Tables['Clients'] ?? '';
  const before = await storedClient(engine, table, name);
  const client = { ...before.client, ...passwordAttributes(password, new Date()) };
  expect(await writeClient(engine, table, client, before)).toBe(true);
  engine.destroy();
  expect((await postControl(run, '/passwords', { client: name, password })).status).toBe(200);
};

/** How many calls had each fault. */
export const faultyCalls = async (run: AnyRun): Promise<number[]> => {
  const { clients, dynamodb, lambda } = await getControl(run, '/faults');
  return [...clients, ...dynamodb, ...lambda].map(({ hits }: { hits: number }) => hits);
};

type Permissions = Record<'granted' | 'unused', { role: string; action: string; resource: string }[]>;

/** The permissions of the functions' roles, and the permissions that no call has needed yet. */
export const permissions = (run: AnyRun): Promise<Permissions> => getControl(run, '/permissions');
