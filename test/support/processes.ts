import { readFileSync } from 'node:fs';

/** Passes the run's compile cache to a child process that gets an environment of its own. */
export const compileCache = (): Record<string, string> => {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};
};

/** A file of /proc about a process; empty when the process has ended. */
export const readProcFile = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** The running children of a process, and their children. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

const childrenOf = (pid: number) =>
  readProcFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);

export const isRunning = (pid: number) => {
  const status = readProcFile(pid, 'status');
  // A zombie has ended, although its parent has not waited for it yet.
  return status !== '' && !/^State:\s+Z/m.test(status);
};

export const commandOf = (pid: number) => readProcFile(pid, 'cmdline').replaceAll('\0', ' ');
