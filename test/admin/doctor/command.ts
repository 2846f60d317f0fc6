import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../../support/processes.ts';

const MAIN = fileURLToPath(new URL('../../../admin/doctor/main.ts', import.meta.url));

/** As it is typed. */
export const doctorLine = (args: string[]) => [process.execPath, MAIN, ...args];

type Options = { input?: string; env?: Record<string, string> };

/** Runs the doctor as a process, to its end. */
export const doctor = async (args: string[], { input = '', env = {} }: Options = {}) => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...compileCache(), ...env },
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  // One that is asked wrongly may have ended before it is told anything.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code]: unknown[] = await once(child, 'close');
  return { code, ...said };
};
