import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const THE_RUN = 'the run itself';

export type RunningProcess = {
  kind: string;
  megabytes: number;
  /** Of a function: what the template gives it. */
  limitMb: number | undefined;
};

type Found = { pid: number; parent: number; megabytes: number; command: string };

/** A run's own process and all that it has started, by what they are. */
export const processesOf = (run: number): RunningProcess[] =>
  (process.platform === 'linux' ? fromProc(run) : fromPs(run)).flatMap(({ pid, megabytes, command }) => {
    const kind = pid === run ? THE_RUN : kindOf(command);
    return kind ? [{ kind, megabytes, limitMb: limitIn(command) }] : [];
  });

/** The memory setting is given to the process as the limit of its heap. */
const limitIn = (command: string) => {
  const limit = /--max-old-space-size=(\d+)/.exec(command)?.[1];
  return limit === undefined ? undefined : Number(limit);
};

/** Nothing for one that has only just split off and is still its parent's copy. */
const kindOf = (command: string) => {
  if (command.includes('engine-keeper')) return 'engine keeper';
  const functionName = /function-bootstrap\.ts \S+-(\w+?)Function/.exec(command)?.[1];
  if (functionName) return `function ${functionName}`;
  return command.includes(' serve --port ') ? 'engine' : undefined;
};

const fromProc = (pid: number): Found[] => {
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`))?.[1];
  // One that has just ended has no memory any more.
  if (!resident) return [];
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  const own = {
    pid,
    parent: 0,
    megabytes: Number(resident) / 1_024,
    command: textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' '),
  };
  return [own, ...children.flatMap(fromProc)];
};

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const fromPs = (run: number): Found[] => {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => {
      const [pid, parent, resident, ...command] = line.trim().split(/\s+/);
      return {
        pid: Number(pid),
        parent: Number(parent),
        megabytes: Number(resident) / 1_024,
        command: command.join(' '),
      };
    });
  const below = (parent: number): Found[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return [...all.filter(({ pid }) => pid === run), ...below(run)];
};
