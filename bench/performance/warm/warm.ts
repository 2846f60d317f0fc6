import * as v from 'valibot';
import { memoryOf, templateFor } from '../../costs/templates.ts';
import { environmentOf, logicalId } from '../../harness/functions.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { type FunctionProcess, type Run, startFunction } from '../../harness/runner.ts';
import { startSink } from '../../harness/sink.ts';
import { rounded, spreadOf } from '../../harness/statistics.ts';
import {
  BATCH_OPERATION,
  batchEvents,
  canKeep,
  checkKept,
  type Entrant,
  everyoneOf,
  LARGEST,
  MIDDLE,
  ROWS,
  SMALL,
} from '../batch-contestants.ts';
import { temporaryBuilds } from '../builds.ts';
import { section } from '../section.ts';
import { Spread } from '../spread.ts';
import { aims, document } from './document.ts';

const Served = v.strictObject({
  entries: v.number(),
  runs: v.number(),
  cpuMs: Spread,
  /** Garbage of several small batches is collected in one of them, which a median passes over. */
  meanCpuMs: v.number(),
  wallMs: Spread,
  peakMb: v.number(),
});
const Contestant = v.strictObject({ name: v.string(), served: v.array(Served) });
const schema = v.strictObject({
  memoryMb: v.number(),
  heapMb: v.number(),
  deployedMb: v.number(),
  sizes: v.array(v.strictObject({ entries: v.number(), warmUps: v.number(), runs: v.number() })),
  contestants: v.array(Contestant),
});
export type Served = v.InferOutput<typeof Served>;
export type Contestant = v.InferOutput<typeof Contestant>;
export type Measured = v.InferOutput<typeof schema>;

type Size = Measured['sizes'][number];

const sizes: Size[] = [
  { entries: 1, warmUps: 200, runs: 60 },
  { entries: SMALL, warmUps: 100, runs: 60 },
  { entries: MIDDLE, warmUps: 20, runs: 40 },
  { entries: LARGEST, warmUps: 3, runs: 10 },
];

/** A row for each of so many materials takes seconds. */
const sizeFor = ({ name }: Entrant, size: Size): Size =>
  name === ROWS && size.entries === LARGEST ? { ...size, warmUps: 1, runs: 3 } : size;

/** Less than the template gives, so that what holds here holds there. */
const MEMORY_MB = 512;
/** Left to Node itself; the platform does not say how much of a function's memory goes to the heap. */
const HEAP_MB = MEMORY_MB - 64;

type Standing = { entrant: Entrant; process: FunctionProcess; rounds: number; size: Size; runs: Run[] };

/** Whoever has fewer rounds joins for the last of them. */
const serveInTurn = async (standing: readonly Standing[], { entries, warmUps, runs }: Size) => {
  const eventOf = batchEvents(entries);
  const peaks = new Map<Standing, number>();
  for (let left = warmUps + runs; left > 0; left -= 1) {
    for (const each of inTurn(standing).filter(({ rounds }) => rounds >= left)) {
      const served = await each.process.serve([eventOf(left)]);
      for (const run of served.runs) checkKept(run, entries);
      if (left <= each.size.runs) each.runs.push(...served.runs);
      peaks.set(each, served.peakMb);
    }
  }
  return standing.map((each) => ({
    name: each.entrant.name,
    served: {
      entries,
      runs: each.runs.length,
      cpuMs: spreadOf(each.runs.map(({ cpuMs }) => cpuMs)),
      meanCpuMs: rounded(each.runs.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / each.runs.length, 2),
      wallMs: spreadOf(each.runs.map(({ wallMs }) => wallMs)),
      peakMb: rounded(peaks.get(each) ?? Number.NaN, 0),
    },
  }));
};

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const deployedMb = memoryOf(await templateFor(1), logicalId(BATCH_OPERATION));
  const builds = temporaryBuilds();
  const { endpoint, stop } = await startSink();

  const start = async (entrant: Entrant, of: Size): Promise<Standing> => {
    const size = sizeFor(entrant, of);
    const environment = environmentOf({ tables: endpoint, secrets: endpoint }, entrant.build.folder, 'sink');
    const process = await startFunction(environment, HEAP_MB);
    return { entrant, process, rounds: size.warmUps + size.runs, size, runs: [] };
  };

  const measureSize = async (entrants: readonly Entrant[], size: Size) => {
    say(`${size.entries} entries, ${size.warmUps} and ${size.runs} rounds`);
    const standing: Standing[] = [];
    try {
      for (const entrant of entrants.filter((each) => canKeep(each, size.entries)))
        standing.push(await start(entrant, size));
      return await serveInTurn(standing, size);
    } finally {
      for (const { process } of standing) await process.stop();
    }
  };

  try {
    const entrants = everyoneOf(builds);
    const contestants: Contestant[] = entrants.map(({ name }) => ({ name, served: [] }));
    for (const size of sizes) {
      for (const { name, served } of await measureSize(entrants, size))
        contestants.find((each) => each.name === name)?.served.push(served);
    }
    return { memoryMb: MEMORY_MB, heapMb: HEAP_MB, deployedMb, sizes, contestants };
  } finally {
    stop();
    builds.remove();
  }
};

export const warm = section({ name: 'warm', schema, measure, aims, document });
