import { familyOf } from '../support/processes.ts';

const EVERY_MS = 1_000;
const RUN = 'the run itself';

/** V8 keeps unused memory, so less growth proves no leak. A longer run finds a smaller leak. */
const ALLOWED_GROWTH_MB = 64;
const ALLOWED_GROWTH_OF_RUN_MB = 96;

type Process = { kind: string; megabytes: number; limitMb: number | undefined };

export type MemoryRow = ReturnType<typeof summarize>[number];

/** Samples the memory of a run and of all its child processes. */
export const watchMemory = (run: number) => {
  const samples: Process[][] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      timer = setInterval(() => samples.push(processesOf(run)), EVERY_MS);
    },
    end: () => {
      clearInterval(timer);
      return summarize(samples);
    },
  };
};

/**
 * Compares the largest process of each kind in the first and the last quarter of the run. The sum of all processes would
 * grow without a leak: each process grows at its first large batch, which may come late.
 */
const summarize = (samples: Process[][]) => {
  const kinds = new Set(samples.flatMap((sample) => sample.map(({ kind }) => kind)));
  const quarter = Math.ceil(samples.length / 4);
  return [...kinds].sort().map((kind) => {
    const ofKind = samples.map((sample) => sample.filter((process) => process.kind === kind));
    const largest = ofKind.map((processes) => Math.max(0, ...processes.map(({ megabytes }) => megabytes)));
    const beforeMb = median(largest.slice(0, quarter));
    return {
      kind,
      processes: Math.max(...ofKind.map((processes) => processes.length)),
      beforeMb,
      afterMb: median(largest.slice(-quarter)),
      allowedMb: beforeMb + (kind === RUN ? ALLOWED_GROWTH_OF_RUN_MB : ALLOWED_GROWTH_MB),
      highestMb: Math.max(...largest),
      limitMb: ofKind.flat()[0]?.limitMb,
    };
  });
};

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const processesOf = (run: number): Process[] =>
  familyOf(run).flatMap(({ pid, command, kilobytes }) => {
    const kind = pid === run ? RUN : kindOf(command);
    // The local run limits the heap of a function to its memory setting.
    const limit = /--max-old-space-size=(\d+)/.exec(command)?.[1];
    return kind && kilobytes
      ? [{ kind, megabytes: kilobytes / 1_024, limitMb: limit === undefined ? undefined : Number(limit) }]
      : [];
  });

/** Undefined for a process that was just forked and still has the command of its parent. */
const kindOf = (command: string) => {
  if (command.includes('engine-supervisor')) return 'engine supervisor';
  const functionName = /function-bootstrap\.ts \S+-(\w+?)Function/.exec(command)?.[1];
  if (functionName) return `function ${functionName}`;
  return command.includes(' serve --port ') ? 'engine' : undefined;
};
