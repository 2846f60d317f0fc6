import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../support/processes.ts';

export const MAIN = fileURLToPath(new URL('../../admin/main.ts', import.meta.url));

type Options = { input?: string | Buffer; env?: Record<string, string> };

/** The whole line of a command on the local run in a folder. */
export const adminLine = (data: string, args: readonly string[]) => [
  process.execPath,
  MAIN,
  ...args,
  '--local',
  '--data',
  data,
];

/** Starts a command as a process, and collects its output. */
export const startAdmin = (data: string, args: readonly string[], { input = '', env = {} }: Options = {}) => {
  const [program = '', ...line] = adminLine(data, args);
  const child = spawn(program, line, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...compileCache(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  // A command that reads nothing may have ended before its input arrives.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const exit = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, ...said }));
  return { child, said, exit };
};

/** Runs a command to its end on the local run in a folder. */
export const admin = (
  data: string,
  args: readonly string[],
  options?: Options,
): Promise<{ code: number | null; stdout: string; stderr: string }> => startAdmin(data, args, options).exit;
