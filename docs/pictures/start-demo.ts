import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The data folder of the demo, whose name is in the pictures and in the report. */
export const DEMO_DATA = '.local/demo';

/** Starts a local run with the demo on a free port. Returns a function that stops it and deletes its folder. */
export const startDemo = async () => {
  const options = ['--demo', '--memory', '--quiet', '--port', '0', '--data', DEMO_DATA];
  const run = spawn(process.execPath, ['local/cli/main.ts', ...options], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let isReady = false;
  for await (const line of createInterface(run.stdout)) {
    isReady = line.startsWith('Ready');
    if (isReady) break;
  }
  if (!isReady) throw new Error('The local run did not start.');
  return async () => {
    const exit = once(run, 'exit');
    run.kill();
    await exit;
    rmSync(join(PROJECT, DEMO_DATA), { recursive: true, force: true });
  };
};
