import { execFile } from 'node:child_process';

export type Command = [string, ...string[]];

/** What a program said, and how it ended. */
export type Ended = { exitCode: unknown; stdout: string; stderr: string };

/** Runs a program in this folder, with nothing in its environment but this, where programs are and whose home it is. */
export const execute = ([command, ...args]: Command, cwd: string, env: Record<string, string>) => {
  const { PATH, HOME } = process.env;
  return new Promise<Ended>((resolve) => {
    execFile(command, args, { cwd, env: { PATH, HOME, ...env }, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? (error.code ?? error.signal) : 0, stdout, stderr }),
    );
  });
};
