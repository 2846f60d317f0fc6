import * as v from 'valibot';
import { inTurn } from '../../harness/in-turn.ts';
import { count, numbersTable, percent } from '../../harness/markdown.ts';
import { type FunctionProcess, startFunction } from '../../harness/runner.ts';
import { spreadOf } from '../../harness/statistics.ts';
import { temporaryBuilds } from '../builds.ts';
import { Spread, told } from '../spread.ts';
import { startFarEngine } from './far-engine.ts';
import { LIST_EVENT, type ListsSetup, statusOf } from './setup.ts';

/** A list read by so many segments side by side, from a table that is far away. */

const Reading = v.strictObject({
  rows: v.number(),
  segments: v.number(),
  wallMs: Spread,
  calls: v.number(),
  readUnits: v.number(),
});
export const Segments = v.strictObject({
  callMs: v.number(),
  mbMs: v.number(),
  readings: v.array(Reading),
});
type Reading = v.InferOutput<typeof Reading>;
type Segments = v.InferOutput<typeof Segments>;

/** Set, not measured: about what a table in the same region takes. */
const DISTANCE = { callMs: 5, mbMs: 40 };
/** The first is what is deployed: one call, and four segments where that does not suffice. */
const DEPLOYED = 0;
const COUNTS = [DEPLOYED, 1, 2, 4, 8];
const WARM_UPS = 2;
const RUNS = 7;

type Listed = { table: string; rows: number };
type Competitor = { segments: number; process: FunctionProcess; times: number[]; taken: Taken };
type Taken = { calls: number; units: number };
type FarEngine = Awaited<ReturnType<typeof startFarEngine>>;

const serveOnce = async (far: FarEngine, competitor: Competitor) => {
  far.take();
  const { runs } = await competitor.process.serve([LIST_EVENT]);
  competitor.taken = far.take();
  for (const { answer, wallMs, log } of runs) {
    if (statusOf(answer) !== 200) throw new Error(`It was answered with ${statusOf(answer)}: ${log.join()}`);
    competitor.times.push(wallMs);
  }
};

export const measureSegments = async (setup: ListsSetup, lists: readonly Listed[]): Promise<Segments> => {
  const far = await startFarEngine(setup.engine.endpoint, DISTANCE);
  const builds = temporaryBuilds();
  const { folder } = builds.deployed('bench/performance/lists/list-by-segments.ts');
  const start = async (table: string, segments: number): Promise<Competitor> => {
    const environment = setup.environment(far.endpoint, table, folder);
    const process = await startFunction({ ...environment, SEGMENTS: String(segments) }, setup.memoryMb);
    return { segments, process, times: [], taken: { calls: 0, units: 0 } };
  };
  const measureList = async ({ table, rows }: Listed) => {
    const competitors: Competitor[] = [];
    for (const segments of COUNTS) competitors.push(await start(table, segments));
    for (let round = 0; round < WARM_UPS + RUNS; round += 1) {
      for (const competitor of inTurn(competitors)) await serveOnce(far, competitor);
    }
    for (const { process } of competitors) await process.stop();
    return competitors.map(
      ({ segments, times, taken }): Reading => ({
        rows,
        segments,
        wallMs: spreadOf(times.slice(WARM_UPS)),
        calls: taken.calls,
        readUnits: taken.units,
      }),
    );
  };
  try {
    const readings: Reading[] = [];
    for (const list of lists) readings.push(...(await measureList(list)));
    return { ...DISTANCE, readings };
  } finally {
    far.stop();
    builds.remove();
  }
};

/** What so many segments save and cost against one, at the same size. */
export const againstOne = (readings: readonly Reading[], rows: number, segments: number) => {
  const of = (wanted: number) => readings.find((each) => each.rows === rows && each.segments === wanted);
  const [one, more] = [of(1), of(segments)];
  if (!one || !more) throw new Error(`Nothing was measured of ${segments} segments of ${rows} rows.`);
  return {
    saved: 1 - more.wallMs.median / one.wallMs.median,
    ms: more.wallMs.median - one.wallMs.median,
    units: more.readUnits - one.readUnits,
  };
};

const inWords = (ms: number) => `${count(Math.abs(ms), 1)} ms ${ms < 0 ? 'faster' : 'slower'}`;
const signed = (units: number) => `${units < 0 ? '' : '+'}${count(units)}`;

export const documentSegments = ({ callMs, mbMs, readings }: Segments) => {
  const sizes = [...new Set(readings.map(({ rows }) => rows))];
  const table = numbersTable(
    [
      'Codes',
      ...COUNTS.map((segments) => (segments === DEPLOYED ? 'as deployed, ms' : `${segments} at a time, ms`)),
      'Calls',
      'Read units',
    ],
    sizes.map((size) => {
      const row = readings.filter(({ rows }) => rows === size);
      return [
        count(size),
        ...row.map(({ wallMs }) => told(wallMs)),
        row.map(({ calls }) => count(calls)).join(' / '),
        row.map(({ readUnits }) => count(readUnits)).join(' / '),
      ];
    }),
  );
  const differences = sizes.map((rows) => ({ rows, ...againstOne(readings, rows, DEPLOYED) }));
  const sentences = differences.map(
    ({ rows, ms, units }) => `${count(rows)} codes ${inWords(ms)}, read units ${signed(units)}`,
  );
  const saved = differences.at(-1)?.saved ?? 0;
  return `As deployed, a list is read by one call, and by 4 segments side by side in a process that has found that not to suffice. The engine here is a
single process, on the processors of who asks it, so that there is hardly a wait to share; these calls go to a stand-in that answers what the
engine answered, ${count(callMs)} ms later and ${count(mbMs)} ms more for each MB read. Both are chosen, not measured.

${table}

Against a single segment, what is deployed is: ${sentences.join('; ')}. The largest list takes ${percent(Math.abs(saved))} ${saved < 0 ? 'more' : 'less'} time.
A segment that finds next to nothing still costs a unit, and each rounds up for itself.
`;
};
