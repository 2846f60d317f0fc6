import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { LOOPBACK } from '../../shared/loopback.ts';
import { writeAtomically } from '../data-folder.ts';
import { findFreePort } from '../http.ts';
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

/** Uses the existing engine, or starts an engine. The new engine's data is in the folder, or without a folder in memory. */
export const startEngine = async (
  folder?: string,
  onNotice: (message: string) => void = () => {},
  existing = process.env['DYNAMODB_ENDPOINT'],
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<Engine> => {
  if (existing) return useEngine(existing);
  const engineFile = folder && join(folder, 'engine.json');
  if (engineFile && existsSync(engineFile)) await untilEnded(engineFile, folder, wait);
  const { description, dataFile, args } = engineProgram();
  const data = folder && join(folder, dataFile);
  const port = await findFreePort();
  const supervisor = fork(SUPERVISOR, args(port, data), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // The supervisor has its own process group. If the run's group is killed, the supervisor survives and ends the engine.
    detached: true,
  });
  let pid: number | undefined;
  supervisor.once('message', (enginePid: number) => {
    pid = enginePid;
  });
  const pidReceived = once(supervisor, 'message');
  supervisor.once('exit', (_, signal) => {
    if (signal && pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  // `close` comes after the last output.
  const ended = once(supervisor, 'close');
  const lines: string[] = [];
  let isServing = false;
  const listening = new Promise<void>((resolve) => {
    if (!supervisor.stderr) return;
    createInterface({ input: supervisor.stderr }).on('line', (line) => {
      if (/listening on/i.test(line)) return resolve();
      if (line === '') return;
      lines.push(line);
      if (isServing) onNotice(`Message of the DynamoDB engine: ${line}`);
    });
  });
  // On a busy machine, the engine may listen before the supervisor's message arrives.
  const serving = Promise.all([listening, pidReceived]).then(() => 'serves');
  if ((await Promise.race([serving, ended])) === 'serves') {
    isServing = true;
    const stop = async () => {
      isServing = false;
      supervisor.kill();
      await ended;
    };
    try {
      if (engineFile) writeAtomically(engineFile, JSON.stringify({ pid, port }));
    } catch (error) {
      await stop();
      throw error;
    }
    return { description, endpoint: `http://${LOOPBACK}:${port}`, stop, ended };
  }
  // Since `findFreePort`, another program has opened the port.
  if (/already in use|Port \d+ is in use/.test(lines.join())) return startEngine(folder, onNotice);
  const [message = ''] = lines;
  throw new StartupError(
    `The DynamoDB engine did not start. ${adviceFor(message, data)}Message of the engine: ${message}`,
  );
};

/** The engine of the last run with this folder. After a crash of the machine, the file may be empty, and no engine runs. */
const LastEngine = v.pipe(v.string(), v.parseJson(), v.object({ pid: v.number(), port: v.number() }));

/** An engine whose run was killed ends within 3 s. If its supervisor was killed, too, the engine does not end. */
const untilEnded = async (engineFile: string, folder: string, wait: (ms: number) => Promise<unknown>) => {
  const { success, output } = v.safeParse(LastEngine, readFileSync(engineFile, 'utf8'));
  if (!success) return;
  const { pid, port } = output;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    // Another program may have got the process id, but that program does not listen on this port.
    const isPortFree = await findFreePort(port).catch(() => undefined);
    if (isPortFree || !isAlive(pid)) return;
    await wait(100);
  }
  throw new StartupError(
    `The DynamoDB engine of an earlier run (process ${pid}) still uses ${folder}. End that process, and start again.`,
  );
};

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const useEngine = async (endpoint: string): Promise<Engine> => {
  await engineClient(endpoint)
    .send(new ListTablesCommand({}))
    .catch(() => {
      throw new StartupError(`No DynamoDB engine responds at ${endpoint} (DYNAMODB_ENDPOINT).`);
    });
  return { description: endpoint, endpoint, stop: async () => {}, ended: new Promise(() => {}) };
};

const adviceFor = (message: string, data: string | undefined) => {
  if (message.startsWith('No native build'))
    return 'It does not run on this machine; set DYNAMODB_ENDPOINT to the URL of a DynamoDB-compatible engine. ';
  return data ? 'The data folder may be damaged; give another with --data. ' : '';
};
