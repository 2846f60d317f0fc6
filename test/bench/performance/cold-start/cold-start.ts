import * as v from 'valibot';
import { type Started, startFresh } from '../../harness/fresh-process.ts';
import { environmentOf, functionNames } from '../../harness/functions.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { spreadOf } from '../../harness/statistics.ts';
import { type Build, type Builds, ours, peer, temporaryBuilds } from '../builds.ts';
import { section } from '../section.ts';
import { Spread } from '../spread.ts';
import { document } from './document.ts';

/** After one that is not counted. */
const RUNS = 30;

const Setting = v.picklist(['usual', 'deployed']);
const Contestant = v.strictObject({
  name: v.string(),
  setting: Setting,
  bytes: v.number(),
  loadMs: Spread,
  cpuMs: Spread,
  builtinModules: v.number(),
});
export type Contestant = v.InferOutput<typeof Contestant>;

const schema = v.strictObject({ runs: v.number(), contestants: v.array(Contestant) });
export type Measured = v.InferOutput<typeof schema>;

const NOWHERE = { tables: 'http://127.0.0.1:1', secrets: 'http://127.0.0.1:1' };

const contestantsOf = ({ usual, deployed }: Builds): Build[] => [
  usual(peer('floor')),
  usual(peer('hono')),
  usual(peer('express')),
  usual(peer('rows')),
  deployed(peer('rows')),
  ...functionNames.map(ours).flatMap((file) => [usual(file), deployed(file)]),
];

const noneYet = (): Started[] => [];

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const builds = temporaryBuilds();
  try {
    const measured = contestantsOf(builds).map((build) => ({ build, starts: noneYet() }));
    for (let run = 0; run <= RUNS; run += 1) {
      if (run % 10 === 0) say(`cold start, run ${run} of ${RUNS}`);
      for (const { build, starts } of inTurn(measured, run)) {
        const started = await startFresh(environmentOf(NOWHERE, build.folder, 'unused'));
        if (run > 0) starts.push(started);
      }
    }
    return { runs: RUNS, contestants: measured.map(({ build, starts }) => contestantOf(build, starts)) };
  } finally {
    builds.remove();
  }
};

const contestantOf = ({ name, setting, bytes }: Build, starts: readonly Started[]): Contestant => ({
  name,
  setting,
  bytes,
  loadMs: spreadOf(starts.map(({ loadMs }) => loadMs)),
  cpuMs: spreadOf(starts.map(({ loadCpuMs }) => loadCpuMs)),
  builtinModules: Math.max(...starts.map(({ builtinModules }) => builtinModules)),
});

export const coldStart = section({ name: 'cold-start', schema, measure, document });
