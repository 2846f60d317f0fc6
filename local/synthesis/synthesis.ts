import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../startup-error.ts';

const CDK = fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'));

/** Runs the same command as a deployment, but without the checks of the template, which take seconds. */
export const synthesize = async (folder: string, signal: AbortSignal, stage?: string, command = CDK) => {
  signal.throwIfAborted();
  const options = stage === undefined ? [] : ['--context', `stage=${stage}`];
  const cdk = spawn(process.execPath, [command, 'synth', '--quiet', '--output', folder, ...options], {
    env: { ...process.env, CDK_VALIDATION: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // The command has its own process group, so that `endGroup` can end all processes of the command.
    detached: process.platform !== 'win32',
  });
  const output: Buffer[] = [];
  cdk.stderr.on('data', (chunk) => output.push(chunk));
  const end = () => endGroup(cdk);
  signal.addEventListener('abort', end);
  const [status] = await once(cdk, 'close');
  signal.removeEventListener('abort', end);
  if (status !== 0)
    throw new StartupError(`The synthesis failed:\n${Buffer.concat(output).toString().trim()}`);
};

/** The command starts other processes. They would continue to write to the folder. */
const endGroup = (command: ChildProcess) => {
  try {
    if (command.pid === undefined || process.platform === 'win32') command.kill();
    else process.kill(-command.pid);
  } catch {
    // The command has already ended.
  }
};
