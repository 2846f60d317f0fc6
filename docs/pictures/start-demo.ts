import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The data folder of the demo, whose name is in the pictures and in the report. */
export const DEMO_DATA = '.local/demo';

/** Starts a local run with the demo on a free port. In memory, so it changes no stored data. Returns a function that stops it. */
export const startDemo = async () => {
  const options = ['--demo', '--memory', '--quiet', '--port', '0', '--data', DEMO_DATA];
  const run = spawn(process.execPath, ['local/cli/main.ts', ...options], {
    cwd: PROJECT,
    // The run ends when the channel closes, so also when this process is killed.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let isReady = false;
  if (!run.stdout) throw new Error('The local run has no output.');
  for await (const line of createInterface(run.stdout)) {
    isReady = line.startsWith('Ready');
    if (isReady) break;
  }
  if (!isReady) throw new Error('The local run did not start.');
  return async () => {
    const exit = once(run, 'exit');
    run.disconnect();
    const [code]: unknown[] = await exit;
    if (code !== 0) throw new Error(`The local run ended with ${code}.`);
  };
};
