import { readFileSync } from 'node:fs';

/** What Linux tells of a process in one of its files; nothing of one that has just ended. */
export const toldOf = (pid: number, file: string) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** The processes that a process has started and that still run, theirs included. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

const childrenOf = (pid: number) =>
  toldOf(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);

export const isRunning = (pid: number) => {
  const status = toldOf(pid, 'status');
  // A process that nobody has waited for yet has ended all the same.
  return status !== '' && !/^State:\s+Z/m.test(status);
};

export const commandOf = (pid: number) => toldOf(pid, 'cmdline').replaceAll('\0', ' ');
