import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Stands between the local run and the engine, which is no program of ours: it ends the engine when the run ends,
 * however that comes about, and starts it again when the engine alone has died and its data lies in a file.
 */

const [path = '', restarts, ...args] = process.argv.slice(2);
const RESTART_AFTER_MS = 200;
/** One that ends over and over will not recover; nor will one that has never answered, whose file may be damaged. */
const MAX_RESTARTS_WITHOUT_ANSWER = 5;
const IS_UP_AFTER_MS = 2_000;
let restartsLeft = 0;
let isEnding = false;
let engine: ChildProcess;

const start = () => {
  engine = spawn(path, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  process.send?.({ pid: engine.pid });
  const startedAt = Date.now();
  engine.on('error', () => process.exit(1));
  engine.on('exit', async (status) => {
    if (restartsLeft > 0 && Date.now() - startedAt > IS_UP_AFTER_MS)
      restartsLeft = MAX_RESTARTS_WITHOUT_ANSWER;
    restartsLeft -= 1;
    if (isEnding || restartsLeft < 0) process.exit(status ?? 1);
    await sleep(RESTART_AFTER_MS);
    if (!isEnding) start();
  });
};

const end = () => {
  isEnding = true;
  engine.kill();
};

// The run says so once the engine has answered for the first time.
process.on('message', () => {
  if (restarts === 'restarts') restartsLeft = MAX_RESTARTS_WITHOUT_ANSWER;
});
process.on('SIGTERM', end);
process.on('disconnect', end);
start();
