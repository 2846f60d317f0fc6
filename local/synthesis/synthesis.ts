import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { devNull } from 'node:os';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../startup-error.ts';

const findCdk = () => {
  try {
    return fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'));
  } catch {
    throw new StartupError(
      'The CDK is not installed. Run `npm ci` without --omit=dev, or give an existing synthesis with --assembly.',
    );
  }
};

/** Runs the same command as a deployment, but without the checks of the template, which take seconds. */
export const synthesize = async (
  folder: string,
  signal: AbortSignal,
  stage?: string,
  command = findCdk(),
) => {
  signal.throwIfAborted();
  const options = stage === undefined ? [] : ['--context', `stage=${stage}`];
  const cdk = spawn(process.execPath, [command, 'synth', '--quiet', '--output', folder, ...options], {
    env: { ...withoutCredentials(), CDK_VALIDATION: 'false' },
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

/** With credentials for another account than that of the settings, the app would refuse its settings. */
const withoutCredentials = () => {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const noFiles = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull };
  return { ...Object.fromEntries(others), ...noFiles, AWS_EC2_METADATA_DISABLED: 'true' };
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
