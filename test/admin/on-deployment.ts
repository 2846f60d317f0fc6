import { execFile } from 'node:child_process';
import { compileCache } from '../support/processes.ts';
import { MAIN } from './command.ts';

/** Runs a command that finds its deployment from this environment. */
export const adminOnDeployment = (args: readonly string[], env: Record<string, string>, input = '') =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { env: { PATH: process.env['PATH'], ...compileCache(), ...env }, maxBuffer: 100_000_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
