import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { environmentOf } from '../../harness/functions.ts';
import { spreadOf } from '../../harness/statistics.ts';
import { section } from '../section.ts';
import { Spread } from '../spread.ts';
import { document } from './document.ts';

const RUN = fileURLToPath(new URL('run.ts', import.meta.url));

/** How often each is measured, and how often it runs for one measurement. */
const sizes = [
  { entries: 1, rounds: 60, repeats: 100 },
  { entries: 200, rounds: 60, repeats: 20 },
  { entries: 4_000, rounds: 30, repeats: 1 },
  { entries: 40_000, rounds: 12, repeats: 1 },
];

const Times = v.record(v.string(), v.record(v.string(), v.array(v.number())));
const Way = v.strictObject({ step: v.string(), way: v.string(), ms: Spread });
export type Way = v.InferOutput<typeof Way>;
const schema = v.array(v.strictObject({ entries: v.number(), ways: v.array(Way) }));
export type Measured = v.InferOutput<typeof schema>;

const run = promisify(execFile);
const NOWHERE = { tables: 'http://127.0.0.1:1', secrets: 'http://127.0.0.1:1' };

const timesOf = async ({ entries, rounds, repeats }: (typeof sizes)[number]) => {
  const args = ['--expose-gc', RUN, ...[entries, rounds, repeats].map(String)];
  const { stdout } = await run(process.execPath, args, { env: environmentOf(NOWHERE, '', 'unused') });
  return v.parse(Times, JSON.parse(stdout));
};

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const measured: Measured = [];
  for (const size of sizes) {
    say(`the steps of a batch of ${size.entries}`);
    const ways = Object.entries(await timesOf(size)).flatMap(([step, byWay]) =>
      Object.entries(byWay).map(([way, times]) => ({ step, way, ms: spreadOf(times, 4) })),
    );
    measured.push({ entries: size.entries, ways });
  }
  return measured;
};

export const steps = section({ name: 'steps', schema, measure, document });
