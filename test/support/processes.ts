import { execFileSync } from 'node:child_process';

/** The variables with the folders of the test run, for a child process with an environment of its own. */
export const sharedFolders = (): Record<string, string> => {
  const { NODE_COMPILE_CACHE, WAREHOUSE_ADMIN_CACHE } = process.env;
  return {
    ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
    ...(WAREHOUSE_ADMIN_CACHE ? { WAREHOUSE_ADMIN_CACHE } : {}),
  };
};

type Process = { pid: number; parent: number; kilobytes: number; command: string };

const PS = ['-A', '-ww', ...['pid', 'ppid', 'rss', 'stat', 'args'].flatMap((name) => ['-o', `${name}=`])];

/** Matches no zombie: a zombie has ended, and only its parent has not read its exit code yet. */
const PROCESS = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+[^Z\s]\S*\s+(.*)$/gm;

const runningProcesses = (): Process[] =>
  [...execFileSync('ps', PS, { encoding: 'utf8' }).matchAll(PROCESS)].map(
    ([, pid, parent, kilobytes, command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      kilobytes: Number(kilobytes),
      command,
    }),
  );

const findDescendants = (pid: number, processes: readonly Process[]): Process[] =>
  processes
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child, ...findDescendants(child.pid, processes)]);

/** A process and its running descendants. */
export const familyOf = (pid: number) => {
  const processes = runningProcesses();
  return [...processes.filter((process) => process.pid === pid), ...findDescendants(pid, processes)];
};

export const descendantsOf = (pid: number) => findDescendants(pid, runningProcesses());

/** Whether at least one of the processes runs. */
export const isRunning = (...pids: number[]) => runningProcesses().some(({ pid }) => pids.includes(pid));
