import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../cli/startup-error.ts';
import { LOOPBACK, listen } from '../http.ts';

export type Engine = { endpoint: string; stop(): Promise<void>; onExit(listener: () => void): void };

const KEEPER = fileURLToPath(new URL('engine-keeper.ts', import.meta.url));

/** A DynamoDB-compatible engine: one that runs already, or one that is started on the file, or in memory. */
export const startEngine = async (file: string | undefined): Promise<Engine> => {
  const given = process.env['DYNAMODB_ENDPOINT'];
  if (given) return { endpoint: given, stop: async () => {}, onExit: () => {} };
  const path = enginePath();
  // Between the choice of a port and its use, somebody else may have taken it.
  for (let attempt = 0; attempt < PORTS_TO_TRY; attempt += 1) {
    const engine = await startOn(await freePort(), path, file);
    if (engine) return engine;
  }
  throw new StartupError('The DynamoDB engine found no free port.');
};

const PORTS_TO_TRY = 10;

const startOn = async (port: number, path: string, file: string | undefined): Promise<Engine | undefined> => {
  const args = ['serve', '--port', String(port), ...(file ? ['--db-path', file] : [])];
  const child = fork(KEEPER, [path, file ? 'restarts' : 'ends', ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A process group of its own: what kills the run's whole group must leave someone to end the engine.
    detached: true,
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  let enginePid: number | undefined;
  child.on('message', ({ pid }: { pid?: number }) => {
    enginePid = pid;
  });
  // A keeper that was killed could not end what it kept.
  child.on('exit', (_, signal) => signal && endProcess(enginePid));
  const stop = async () => {
    if (hasEnded(child)) return;
    child.kill();
    await once(child, 'exit');
  };
  const endpoint = `http://${LOOPBACK}:${port}`;
  const state = await untilItListens(endpoint, child, () => said);
  if (state === 'listens') {
    child.send('answers');
    return { endpoint, stop, onExit: (listener) => void child.once('exit', listener) };
  }
  await stop();
  if (/already in use/.test(said)) return undefined;
  throw new StartupError(
    `The DynamoDB engine did not start; the data folder may be damaged, and --data takes another. It said: ${said.trim().split('\n')[0]}`,
  );
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const endProcess = (pid: number | undefined) => {
  try {
    if (pid !== undefined) process.kill(pid);
  } catch {
    // It has ended by itself.
  }
};

const NO_ENGINE =
  'No DynamoDB engine is installed for this platform: run `npm i --no-save dynoxide`, or put an executable named dynoxide on the PATH, or set DYNAMODB_ENDPOINT to any DynamoDB-compatible engine that runs.';

const enginePath = () => {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(
      `@dynoxide/${process.platform}-${process.arch}/dynoxide${process.platform === 'win32' ? '.exe' : ''}`,
    );
  } catch {
    if (isOnPath('dynoxide')) return 'dynoxide';
    throw new StartupError(NO_ENGINE);
  }
};

const isOnPath = (command: string) => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const freePort = async () => {
  const server = createServer();
  const address = await listen(server, 0);
  server.close();
  return Number(new URL(address).port);
};

/** That something answers is not enough: it may be another run's. */
const untilItListens = async (endpoint: string, child: ChildProcess, said: () => string) => {
  for (let attempt = 0; attempt < 800 && !hasEnded(child); attempt += 1) {
    if (/listening on/i.test(said()) && (await answers(endpoint))) return 'listens';
    await sleep(25);
  }
  return 'failed';
};

const answers = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
