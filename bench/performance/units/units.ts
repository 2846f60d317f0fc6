import * as v from 'valibot';
import { startEngine } from '../../../local/services/engine.ts';
import { environmentOf } from '../../harness/functions.ts';
import { type Call, startRecorder } from '../../harness/recorder.ts';
import { startFunction } from '../../harness/runner.ts';
import { tablesOf } from '../../harness/tables.ts';
import {
  BATCH_OPERATION,
  batchEvents,
  canKeep,
  checkKept,
  type Entrant,
  LARGEST,
  MIDDLE,
  oursOf,
  peersOf,
  SMALL,
} from '../batch-contestants.ts';
import { temporaryBuilds } from '../builds.ts';
import { section } from '../section.ts';
import { aims, document } from './document.ts';

const Kept = v.strictObject({
  entries: v.number(),
  calls: v.number(),
  items: v.number(),
  bytes: v.number(),
  units: v.number(),
  engineUnits: v.number(),
});
const schema = v.array(v.strictObject({ name: v.string(), kept: v.array(Kept) }));
type Kept = v.InferOutput<typeof Kept>;
export type Measured = v.InferOutput<typeof schema>;

/** Enough for the largest batch. */
const MEMORY_MB = 512;
const sizes = [1, SMALL, MIDDLE, LARGEST];

const keptBy = (entries: number, calls: readonly Call[]): Kept => {
  const sum = (of: (call: Call) => number) => calls.reduce((all, call) => all + of(call), 0);
  return {
    entries,
    calls: calls.length,
    items: sum(({ items }) => items),
    bytes: sum(({ bytes }) => bytes),
    units: sum(({ units }) => units),
    engineUnits: sum(({ engineUnits }) => engineUnits),
  };
};

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const builds = temporaryBuilds();
  const engine = await startEngine(undefined);
  const recorder = await startRecorder(engine.endpoint);
  const whereabouts = { tables: recorder.endpoint, secrets: recorder.endpoint };
  const { create } = tablesOf(engine.endpoint);

  const measureOne = async (entrant: Entrant) => {
    say(`${entrant.name}`);
    const environment = environmentOf(whereabouts, entrant.build.folder, await create(BATCH_OPERATION));
    const process = await startFunction(environment, MEMORY_MB);
    const kept: Kept[] = [];
    try {
      for (const entries of sizes.filter((size) => canKeep(entrant, size))) {
        const { runs } = await process.serve([batchEvents(entries)(entries)]);
        for (const run of runs) checkKept(run, entries);
        kept.push(keptBy(entries, recorder.take()));
      }
    } finally {
      await process.stop();
    }
    return { name: entrant.name, kept };
  };

  try {
    const measured: Measured = [];
    for (const entrant of [...peersOf(builds), ...oursOf(builds)]) measured.push(await measureOne(entrant));
    return measured;
  } finally {
    recorder.stop();
    await engine.stop();
    builds.remove();
  }
};

export const units = section({ name: 'units', schema, measure, aims, document });
