import { commandOf, descendantsOf, readProcFile } from '../support/processes.ts';

export const THE_RUN = 'the run itself';

export type RunningProcess = {
  kind: string;
  megabytes: number;
  /** Of a function: what the template gives it. */
  limitMb: number | undefined;
};

/** A run's own process and all that it has started, by what they are. */
export const processesOf = (run: number): RunningProcess[] =>
  [run, ...descendantsOf(run)].flatMap((pid) => {
    const command = commandOf(pid);
    const kind = pid === run ? THE_RUN : kindOf(command);
    const megabytes = residentMb(pid);
    return kind && megabytes ? [{ kind, megabytes, limitMb: limitIn(command) }] : [];
  });

/** Nothing of one that has just ended. */
const residentMb = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readProcFile(pid, 'status'))?.[1] ?? 0) / 1_024;

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
