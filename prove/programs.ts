import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

export const CDK = 'node_modules/aws-cdk/bin/cdk';

/** Runs a program of the project, prints its output as messages, and returns its exit code. */
export const runProgram = async (
  args: readonly string[],
  env: Record<string, string>,
  interrupted: AbortSignal,
) => {
  interrupted.throwIfAborted();
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
    // So that Ctrl-C reaches only this process, which then ends the whole group.
    detached: true,
  });
  const end = () => child.exitCode === null && child.pid && process.kill(-child.pid, 'SIGTERM');
  interrupted.addEventListener('abort', end);
  const [code]: (number | null)[] = await once(child, 'exit');
  interrupted.removeEventListener('abort', end);
  return code;
};
