import * as v from 'valibot';
import { type Started, startFresh } from '../../harness/fresh-process.ts';
import { environmentOf, functionNames, NOWHERE } from '../../harness/functions.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { spreadOf } from '../../harness/statistics.ts';
import { type Build, type Builds, ours, peer, temporaryBuilds } from '../builds.ts';
import { section } from '../section.ts';
import { Spread } from '../spread.ts';
import { aims, document } from './document.ts';

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

const peers = (['floor', 'floor-authorizer', 'hono', 'express', 'rows'] as const).map(peer);

const contestantsOf = ({ usual, deployed }: Builds): Build[] =>
  [...peers, ...functionNames.map(ours)].flatMap((file) => [usual(file), deployed(file)]);

const noneYet = (): Started[] => [];

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const builds = temporaryBuilds();
  try {
    const measured = contestantsOf(builds).map((build) => ({ build, starts: noneYet() }));
    for (let run = 0; run <= RUNS; run += 1) {
      if (run % 10 === 0) say(`run ${run} of ${RUNS}`);
      for (const { build, starts } of inTurn(measured)) {
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

export const coldStart = section({ name: 'cold-start', schema, measure, aims, document });
