import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { environmentOf, NOWHERE } from '../../harness/functions.ts';
import { spreadOf } from '../../harness/statistics.ts';
import { SMALL } from '../batch-contestants.ts';
import { section } from '../section.ts';
import { Spread } from '../spread.ts';
import { document } from './document.ts';
import { OURS } from './ways.ts';

/** How often each is measured, and how often it runs for one measurement. */
const sizes = [
  { entries: 1, rounds: 60, repeats: 100 },
  { entries: SMALL, rounds: 60, repeats: 20 },
  { entries: 4_000, rounds: 30, repeats: 1 },
  { entries: 40_000, rounds: 15, repeats: 1 },
];
const STARTS = 15;

const Way = v.strictObject({ step: v.string(), way: v.string(), ms: Spread });
const First = v.strictObject({ step: v.string(), ours: Spread, before: Spread });
const schema = v.strictObject({
  sizes: v.array(v.strictObject({ entries: v.number(), ways: v.array(Way) })),
  first: v.strictObject({ entries: v.number(), starts: v.number(), steps: v.array(First) }),
});
export type Way = v.InferOutput<typeof Way>;
export type Measured = v.InferOutput<typeof schema>;

const execute = promisify(execFile);

/** A script of this folder in a process of its own, and the JSON that it puts out. */
const run = async <T>(
  script: string,
  args: readonly (string | number)[],
  Output: v.GenericSchema<unknown, T>,
) => {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const environment = environmentOf(NOWHERE, '', 'unused');
  const { stdout } = await execute(process.execPath, ['--expose-gc', file, ...args.map(String)], {
    env: environment,
  });
  return v.parse(Output, JSON.parse(stdout));
};

const Times = v.record(v.string(), v.record(v.string(), v.array(v.number())));
const FirstTimes = v.record(v.string(), v.number());

const measureSize = async ({ entries, rounds, repeats }: (typeof sizes)[number]) => {
  const times = await run('run.ts', [entries, rounds, repeats], Times);
  const ways = Object.entries(times).flatMap(([step, byWay]) =>
    Object.entries(byWay).map(([way, each]) => ({ step, way, ms: spreadOf(each, 4) })),
  );
  return { entries, ways };
};

const measureFirst = async () => {
  const ours: Record<string, number>[] = [];
  const before: Record<string, number>[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    ours.push(await run('first.ts', [SMALL, OURS], FirstTimes));
    before.push(await run('first.ts', [SMALL, 'before'], FirstTimes));
  }
  const spread = (starts: typeof ours, step: string) =>
    spreadOf(starts.map((times) => times[step] ?? Number.NaN));
  const steps = Object.keys(ours[0] ?? {}).map((step) => ({
    step,
    ours: spread(ours, step),
    before: spread(before, step),
  }));
  return { entries: SMALL, starts: STARTS, steps };
};

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const measured: Measured['sizes'] = [];
  for (const size of sizes) {
    say(`${size.entries} entries`);
    measured.push(await measureSize(size));
  }
  say(`${STARTS} processes that do it for the first time`);
  return { sizes: measured, first: await measureFirst() };
};

export const steps = section({ name: 'steps', schema, measure, document });
