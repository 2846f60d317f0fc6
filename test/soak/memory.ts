import { processesOf, type RunningProcess, THE_RUN } from './processes.ts';

const EVERY_MS = 1_000;

/**
 * A kind's memory is that of its largest process. Which of a function's processes gets a large batch is chance, and
 * each grows with its first, so that their sum rises for minutes without any leak; the busiest is full-grown soon.
 */
type MemoryRow = {
  kind: string;
  processes: number;
  /** Medians over the first and the last quarter. */
  beforeMb: number;
  afterMb: number;
  allowedMb: number;
  highestMb: number;
  /** What the platform gives the function. */
  limitMb: number | undefined;
};
export type Memory = MemoryRow[];

/**
 * Most of a process's memory is room that V8 has taken and may give back: of 350 MB of the run itself, through which
 * every batch passes several times over, 30 are in use. Growth within these bounds says nothing, growth beyond them
 * does; a longer run sees a smaller leak.
 */
const ALLOWED_GROWTH_MB = 64;
const ALLOWED_GROWTH_OF_THE_RUN_MB = 96;

const allowedGrowth = (kind: string) => (kind === THE_RUN ? ALLOWED_GROWTH_OF_THE_RUN_MB : ALLOWED_GROWTH_MB);

/** Looks at the memory of a run and of all that it has started, from its start until it is asked for what it saw. */
export const memoryWatch = (run: number) => {
  const samples: RunningProcess[][] = [];
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

const summarize = (samples: RunningProcess[][]): Memory => {
  const kinds = new Set(samples.flatMap((sample) => sample.map(({ kind }) => kind)));
  const quarter = Math.ceil(samples.length / 4);
  return [...kinds].sort().map((kind) => {
    const ofKind = samples.map((sample) => sample.filter((each) => each.kind === kind));
    const largest = ofKind.map((processes) => Math.max(0, ...processes.map(({ megabytes }) => megabytes)));
    const beforeMb = median(largest.slice(0, quarter));
    return {
      kind,
      processes: Math.max(...ofKind.map((processes) => processes.length)),
      beforeMb,
      afterMb: median(largest.slice(-quarter)),
      allowedMb: beforeMb + allowedGrowth(kind),
      highestMb: Math.max(...largest),
      limitMb: ofKind.flat()[0]?.limitMb,
    };
  });
};

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
