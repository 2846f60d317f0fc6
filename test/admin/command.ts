import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../support/processes.ts';

const MAIN = fileURLToPath(new URL('../../admin/main.ts', import.meta.url));

type Options = { input?: string | Buffer; env?: Record<string, string> };

/** Runs a program to its end in a bare environment. */
export const runProgram = ([program = '', ...args]: readonly string[], { input = '', env = {} }: Options) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const bare = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...compileCache() };
    const options = { env: { ...bare, ...env }, maxBuffer: 100_000_000 };
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    // A command that reads nothing may have ended before its input arrives.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

/** The whole line of a command on the local run in a folder. */
export const adminLine = (data: string, args: readonly string[]) => [
  process.execPath,
  MAIN,
  ...args,
  '--local',
  '--data',
  data,
];

/** Runs a command as a process on the local run in a folder. */
export const admin = (data: string, args: readonly string[], options: Options = {}) =>
  runProgram(adminLine(data, args), options);
