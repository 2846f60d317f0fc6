import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { StartupError } from './startup-error.ts';

/** The differences from cdk.json. */
export type SynthesisContext = { stage?: string | undefined; 'warehouse-control'?: string | undefined };

/** Like a deployment, but without its checks by the rules of AWS, which take seconds. */
export const synthesize = async (folder: string, signal: AbortSignal, context: SynthesisContext) => {
  signal.throwIfAborted();
  const options = Object.entries(context).flatMap(([key, value]) =>
    value === undefined ? [] : ['--context', quoteForWindows(`${key}=${value}`)],
  );
  const cdk = spawn('npx', ['--no-install', 'cdk', 'synth', '--quiet', '--output', folder, ...options], {
    env: { ...process.env, CDK_VALIDATION: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // In its own process group, which the signal ends.
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32',
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

/** On Windows, a shell parses the arguments. */
const quoteForWindows = (argument: string) =>
  process.platform === 'win32' ? `"${argument.replaceAll('"', '\\"')}"` : argument;

/** The command starts other processes, which would write to the folder of the next run. */
const endGroup = (command: ChildProcess) => {
  try {
    if (command.pid === undefined || process.platform === 'win32') command.kill();
    else process.kill(-command.pid);
  } catch {
    // The command has already ended.
  }
};
