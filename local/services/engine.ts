import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { freePort, LOOPBACK } from '../http.ts';
import { StartupError } from '../startup-error.ts';
import { engineProgram } from './engine-programs.ts';
import { engineClient } from './tables.ts';

export type Engine = {
  description: string;
  endpoint: string;
  stop(): Promise<void>;
  ended: Promise<unknown>;
};

const SUPERVISOR = fileURLToPath(new URL('engine-supervisor.ts', import.meta.url));

/** Uses the existing engine, or starts one with its data in the folder, or in memory. */
export const startEngine = async (
  folder?: string,
  onProblem: (message: string) => void = () => {},
  existing = process.env['DYNAMODB_ENDPOINT'],
): Promise<Engine> => {
  if (existing) return useEngine(existing);
  const { description, dataFile, args } = engineProgram();
  const data = folder && join(folder, dataFile);
  const port = await freePort();
  const supervisor = fork(SUPERVISOR, args(port, data), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // A process group of its own. If the run's group is killed, the supervisor survives and ends the engine.
    detached: true,
  });
  // `close` comes after the last output.
  const ended = once(supervisor, 'close');
  const lines: string[] = [];
  let isServing = false;
  const listening = new Promise<'listens'>((resolve) => {
    if (!supervisor.stderr) return;
    createInterface({ input: supervisor.stderr }).on('line', (line) => {
      if (/listening on/i.test(line)) return resolve('listens');
      if (line === '') return;
      lines.push(line);
      if (isServing) onProblem(`Message of the DynamoDB engine: ${line}`);
    });
  });
  if ((await Promise.race([listening, ended])) === 'listens') {
    isServing = true;
    const stop = async () => {
      isServing = false;
      supervisor.kill();
      await ended;
    };
    return { description, endpoint: `http://${LOOPBACK}:${port}`, stop, ended };
  }
  // Another program has opened the free port before the engine did.
  if (/already in use|Port \d+ is in use/.test(lines.join())) return startEngine(folder, onProblem);
  const [message = ''] = lines;
  throw new StartupError(
    `The DynamoDB engine did not start. ${adviceFor(message, data)}Message of the engine: ${message}`,
  );
};

const useEngine = async (endpoint: string): Promise<Engine> => {
  await engineClient(endpoint)
    .send(new ListTablesCommand({}))
    .catch(() => {
      throw new StartupError(`No DynamoDB engine answers at ${endpoint} (DYNAMODB_ENDPOINT).`);
    });
  return { description: endpoint, endpoint, stop: async () => {}, ended: new Promise(() => {}) };
};

const adviceFor = (message: string, data: string | undefined) => {
  if (message.startsWith('No native build'))
    return 'It does not run on this platform; set DYNAMODB_ENDPOINT to the address of a DynamoDB-compatible engine. ';
  return data ? 'The data folder may be damaged; give another with --data. ' : '';
};
