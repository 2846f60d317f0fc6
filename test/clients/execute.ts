import { execFile } from 'node:child_process';

export type Command = [string, ...string[]];

/** The output of a program, and its exit code or signal. */
export type Ended = { exitCode: unknown; stdout: string; stderr: string };

/** Runs a program in a folder, and ends one that hangs. Its environment has only these variables, PATH and HOME. */
export const execute = (
  [command, ...args]: Command,
  cwd: string,
  env: Record<string, string>,
  timeout = 120_000,
) => {
  const { PATH, HOME } = process.env;
  return new Promise<Ended>((resolve) => {
    execFile(command, args, { cwd, env: { PATH, HOME, ...env }, timeout }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    );
  });
};
