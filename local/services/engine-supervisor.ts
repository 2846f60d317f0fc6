import { spawn } from 'node:child_process';

/* The parent process of the engine. It ends the engine when the local run ends, even if the run is killed. */

const [path = '', ...args] = process.argv.slice(2);

/** Shorter than the time in which the local run has to end. A kill does not damage the engine's file. */
const KILL_AFTER_MS = 3_000;

/** A worker handles one call at a time. By default, the engine has only one worker for each processor. */
const WORKERS = '16';

const engine = spawn(path, args, {
  env: { TOKIO_WORKER_THREADS: WORKERS, ...process.env },
  stdio: ['ignore', 'ignore', 'inherit'],
  detached: true,
});
// If this process is killed, the run ends the engine.
if (engine.pid !== undefined) process.send?.(engine.pid);
engine.on('error', () => process.exit(1));
engine.on('exit', (status) => process.exit(status ?? 1));

const end = () => {
  engine.kill();
  setTimeout(() => engine.kill('SIGKILL'), KILL_AFTER_MS);
};
process.on('SIGTERM', end);
process.on('disconnect', end);
