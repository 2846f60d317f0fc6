import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The parent process of the engine. It ends the engine when the local run ends, even if the run is killed. If the
 * engine crashes and its data is in a file, it starts the engine again.
 */

const [path = '', restarts, ...args] = process.argv.slice(2);
const RESTART_AFTER_MS = 200;
/** If the engine ends more often, each time soon after its start, its file is probably damaged. */
const MAX_QUICK_RESTARTS = 5;
const STABLE_AFTER_MS = 2_000;
/** Must be shorter than the time limit for the stop of the run. A kill does not damage the engine's file. */
const KILL_AFTER_MS = 3_000;
let restartsLeft = 0;
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
    if (restartsLeft > 0 && performance.now() - startedAt > STABLE_AFTER_MS)
      restartsLeft = MAX_QUICK_RESTARTS;
    restartsLeft -= 1;
    if (isEnding || restartsLeft < 0) process.exit(status ?? 1);
    await sleep(RESTART_AFTER_MS);
    if (!isEnding) start();
  });
};

const end = () => {
  isEnding = true;
  engine.kill();
  setTimeout(() => engine.kill('SIGKILL'), KILL_AFTER_MS);
};

// The run sends a message after the engine's first response.
process.on('message', () => {
  if (restarts === 'restarts') restartsLeft = MAX_QUICK_RESTARTS;
});
process.on('SIGTERM', end);
process.on('disconnect', end);
start();
