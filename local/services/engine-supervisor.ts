import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The parent process of the engine. It ends the engine when the local run ends, even if the run is killed. Once the
 * run asks for it, it restarts an engine that has ended.
 */

const [path = '', ...args] = process.argv.slice(2);
/** The pause before a restart grows, because an engine on a full disk ends soon after each start. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2_000;
const STABLE_AFTER_MS = 2_000;
/** Must be shorter than the time limit for the stop of the run. A kill does not damage the engine's file. */
const KILL_AFTER_MS = 3_000;
let mustRestart = false;
let pauseMs = FIRST_PAUSE_MS;
let isEnding = false;
let engine: ChildProcess;

/** A worker handles one call at a time. By default, the engine has one worker for each processor. */
const WORKERS = '16';

const start = () => {
  engine = spawn(path, args, {
    env: { TOKIO_WORKER_THREADS: WORKERS, ...process.env },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  process.send?.({ pid: engine.pid });
  const startedAt = performance.now();
  engine.on('error', () => process.exit(1));
  engine.on('exit', async (status) => {
    if (isEnding || !mustRestart) process.exit(status ?? 1);
    const isStable = performance.now() - startedAt > STABLE_AFTER_MS;
    pauseMs = isStable ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS);
    await sleep(pauseMs);
    start();
  });
};

const end = () => {
  isEnding = true;
  // During the pause before a restart, there is no engine to kill.
  if (!engine.kill()) process.exit();
  setTimeout(() => engine.kill('SIGKILL'), KILL_AFTER_MS);
};

process.on('message', () => {
  mustRestart = true;
});
process.on('SIGTERM', end);
process.on('disconnect', end);
start();
