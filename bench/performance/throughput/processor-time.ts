import { commandOf, descendantsOf, readProcFile } from '../../../test/support/processes.ts';

/** What each process of a local run has taken of the processors, by what it does. Linux tells; elsewhere there is none. */

/** Linux counts in hundredths of a second, whatever its own clock does. */
const MS_PER_TICK = 10;
/** Behind the name of the program, which may hold spaces: in user mode, and in the system's. */
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;

export const msIn = (stat: string) => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[USER_FIELD] ?? 0) + Number(fields[SYSTEM_FIELD] ?? 0);
  return ticks * MS_PER_TICK;
};

const roleOf = (command: string) => {
  if (/dynoxide serve|^\S*dynoxide /.test(command)) return 'engine';
  if (/function-bootstrap\.ts \S*authorizer/i.test(command)) return 'authorizer';
  if (command.includes('function-bootstrap.ts')) return 'function';
  return command.includes('engine-keeper.ts') ? 'keeper of the engine' : 'gateway';
};

export type Taken = { role: string; ms: number };

/** So far; several processes of one role are one sum. */
export const processorTime = (pid: number): Map<string, number> => {
  const byRole = new Map<string, number>();
  for (const each of [pid, ...descendantsOf(pid)]) {
    const stat = readProcFile(each, 'stat');
    const role = roleOf(commandOf(each));
    if (stat) byRole.set(role, (byRole.get(role) ?? 0) + msIn(stat));
  }
  return byRole;
};

export const takenBetween = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Taken[] =>
  [...after]
    .map(([role, ms]) => ({ role, ms: ms - (before.get(role) ?? 0) }))
    .filter(({ ms }) => ms > 0)
    .sort((one, other) => other.ms - one.ms);
