import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

type Report = (message: string) => void;

/** Uses the existing engine, or starts one with its data in the folder, or in memory. */
export const startEngine = async (
  folder: string | undefined,
  onProblem: Report = () => {},
  existing = process.env['DYNAMODB_ENDPOINT'],
): Promise<Engine> => {
  if (existing) return { description: existing, endpoint: existing, stop: async () => {}, onExit: () => {} };
  const program = engineProgram();
  const data = folder && join(folder, program.dataFile);
  // Another program may open the free port before the engine does.
  for (let attempt = 0; attempt < PORTS_TO_TRY; attempt += 1) {
    const engine = await startOnPort(await freePort(), program, data, onProblem);
    if (engine) return engine;
  }
  throw new StartupError('There is no free port for the DynamoDB engine.');
};

const PORTS_TO_TRY = 10;

const startOnPort = async (
  port: number,
  { description, path, args }: EngineProgram,
  data: string | undefined,
  onProblem: Report,
): Promise<Engine | undefined> => {
  const child = fork(SUPERVISOR, [path, ...args(port, data)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A process group of its own. If the run's group is killed, the supervisor survives and ends the engine.
    detached: true,
  });
  let hasListened = false;
  let isStopping = false;
  /** What the engine has printed since it listened last. */
  let lines: string[] = [];
  const onLine = (line: string) => {
    if (/listening on/i.test(line)) {
      hasListened = true;
      lines = [];
    } else if (line !== '' && lines.push(line) === 1 && hasListened && !isStopping) {
      // Only the first line, because an engine on a full disk repeats it at each restart.
      onProblem(`Message of the DynamoDB engine: ${line}`);
    }
  };
  if (child.stderr) createInterface({ input: child.stderr }).on('line', onLine);
  let enginePid: number | undefined;
  child.on('message', ({ pid }: { pid?: number }) => {
    enginePid = pid;
  });
  // A killed supervisor cannot end the engine, so this process does.
  child.on('exit', (_, signal) => signal && endProcess(enginePid));
  const stop = async () => {
    isStopping = true;
    if (hasEnded(child)) return;
    child.kill();
    await once(child, 'exit');
  };
  const endpoint = `http://${LOOPBACK}:${port}`;
  const state = await waitForEngine(endpoint, child, () => hasListened);
  if (state === 'listens') {
    // From now on, the supervisor restarts the engine. Data in memory would be lost.
    if (data) child.send('restart');
    return { description, endpoint, stop, onExit: (listener) => void child.once('exit', listener) };
  }
  await stop();
  const [message = ''] = lines;
  if (/already in use|Port \d+ is in use/.test(lines.join())) return undefined;
  throw new StartupError(
    `The DynamoDB engine did not start. ${adviceFor(message, data)}Message of the engine: ${message}`,
  );
};

const adviceFor = (message: string, data: string | undefined) => {
  if (message.startsWith('No native build'))
    return 'It does not run on this platform; set DYNAMODB_ENDPOINT to the address of a DynamoDB-compatible engine. ';
  return data ? 'The data folder may be damaged; give another with --data. ' : '';
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

const endProcess = (pid: number | undefined) => {
  try {
    if (pid !== undefined) process.kill(pid);
  } catch {
    // The engine has already ended.
  }
};

export const freePort = async () => {
  const server = createServer();
  const address = await listen(server, 0);
  server.close();
  return Number(new URL(address).port);
};

/** Also waits for the engine's output, because the engine of another run may respond on the port. */
const waitForEngine = async (endpoint: string, child: ChildProcess, hasListened: () => boolean) => {
  for (let attempt = 0; attempt < 800 && !hasEnded(child); attempt += 1) {
    if (hasListened() && (await isAnswering(endpoint))) return 'listens';
    await sleep(25);
  }
  return 'failed';
};

const isAnswering = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  );
