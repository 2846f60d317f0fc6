import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOOPBACK, listen } from '../http.ts';
import { StartupError } from '../startup-error.ts';
import { type EngineProgram, engineProgram } from './engine-programs.ts';

export type Engine = {
  description: string;
  endpoint: string;
  stop(): Promise<void>;
  onExit(listener: () => void): void;
};

const SUPERVISOR = fileURLToPath(new URL('engine-supervisor.ts', import.meta.url));

/** Uses the engine at DYNAMODB_ENDPOINT, or starts one with its data in the folder, or in memory. */
export const startEngine = async (folder: string | undefined): Promise<Engine> => {
  const existing = process.env['DYNAMODB_ENDPOINT'];
  if (existing) return { description: existing, endpoint: existing, stop: async () => {}, onExit: () => {} };
  const program = engineProgram();
  const data = folder && join(folder, program.dataFile);
  // Another program may open the free port before the engine does.
  for (let attempt = 0; attempt < PORTS_TO_TRY; attempt += 1) {
    const engine = await startOnPort(await freePort(), program, data);
    if (engine) return engine;
  }
  throw new StartupError('There is no free port for the DynamoDB engine.');
};

const PORTS_TO_TRY = 10;

const startOnPort = async (
  port: number,
  { description, path, args }: EngineProgram,
  data: string | undefined,
): Promise<Engine | undefined> => {
  const child = fork(SUPERVISOR, [path, data ? 'restarts' : 'ends', ...args(port, data)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A process group of its own. If the run's group is killed, the supervisor survives and ends the engine.
    detached: true,
  });
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  let enginePid: number | undefined;
  child.on('message', ({ pid }: { pid?: number }) => {
    enginePid = pid;
  });
  // A killed supervisor cannot end the engine, so this process does.
  child.on('exit', (_, signal) => signal && endProcess(enginePid));
  const stop = async () => {
    if (hasEnded(child)) return;
    child.kill();
    await once(child, 'exit');
  };
  const endpoint = `http://${LOOPBACK}:${port}`;
  const state = await waitForEngine(endpoint, child, () => output);
  if (state === 'listens') {
    child.send('answered');
    return { description, endpoint, stop, onExit: (listener) => void child.once('exit', listener) };
  }
  await stop();
  if (/already in use|Port \d+ is in use/.test(output)) return undefined;
  throw new StartupError(
    `The DynamoDB engine did not start. The data folder may be damaged; give another with --data. Message of the engine: ${output.trim().split('\n')[0]}`,
  );
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const endProcess = (pid: number | undefined) => {
  try {
    if (pid !== undefined) process.kill(pid);
  } catch {
    // The engine has already ended.
  }
};

const freePort = async () => {
  const server = createServer();
  const address = await listen(server, 0);
  server.close();
  return Number(new URL(address).port);
};

/** Also reads the engine's output, because the engine of another run may respond on the port. */
const waitForEngine = async (endpoint: string, child: ChildProcess, output: () => string) => {
  for (let attempt = 0; attempt < 800 && !hasEnded(child); attempt += 1) {
    if (/listening on/i.test(output()) && (await isAnswering(endpoint))) return 'listens';
    await sleep(25);
  }
  return 'failed';
};

const isAnswering = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
