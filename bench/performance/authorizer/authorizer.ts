import * as v from 'valibot';
import { memoryOf, templateFor } from '../../costs/templates.ts';
import { CLIENTS, logicalId } from '../../harness/functions.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { count, numbersTable, significant } from '../../harness/markdown.ts';
import { median, rounded, spreadOf } from '../../harness/statistics.ts';
import { type Builds, ours, peer, temporaryBuilds } from '../builds.ts';
import { section } from '../section.ts';
import { Spread, told } from '../spread.ts';
import { type Life, live, startFilledSecrets } from './runs.ts';

const Competitor = v.strictObject({
  name: v.string(),
  bundleBytes: v.number(),
  loadMs: Spread,
  loadCpuMs: Spread,
  peakMb: v.number(),
  phases: v.array(v.strictObject({ name: v.string(), wallMs: Spread, cpuMs: Spread, calls: v.number() })),
});
const Authorizer = v.strictObject({
  memoryMb: v.number(),
  starts: v.number(),
  clients: v.number(),
  competitors: v.array(Competitor),
});
type Competitor = v.InferOutput<typeof Competitor>;
type Authorizer = v.InferOutput<typeof Authorizer>;

const STARTS = 15;

const entrantsOf = ({ usual, deployed }: Builds) => [
  { name: 'ours', build: deployed(ours('authorizer')) },
  { name: 'ours, bundled as usual', build: usual(ours('authorizer')) },
  { name: 'a floor, bundled as usual', build: usual(peer('floor-authorizer')) },
];

const noneYet = (): Life[] => [];

/** What so many lives came to; of each phase of a life, its median event counts. */
const summed = (name: string, bundleBytes: number, lives: readonly Life[]): Competitor => {
  const [first] = lives;
  const of = (value: (life: Life) => number) => spreadOf(lives.map(value), 2);
  return {
    name,
    bundleBytes,
    loadMs: of(({ loadMs }) => loadMs),
    loadCpuMs: of(({ loadCpuMs }) => loadCpuMs),
    peakMb: rounded(median(lives.map(({ peakMb }) => peakMb)), 0),
    phases: (first?.phases ?? []).map((phase, index) => ({
      name: phase.name,
      wallMs: of(({ phases }) => phases[index]?.wallMs ?? Number.NaN),
      cpuMs: of(({ phases }) => phases[index]?.cpuMs ?? Number.NaN),
      calls: Math.max(...lives.map(({ phases }) => phases[index]?.calls ?? Number.NaN)),
    })),
  };
};

const measure = async (say: (line: string) => void): Promise<Authorizer> => {
  const memoryMb = memoryOf(await templateFor(CLIENTS), logicalId('authorizer'));
  const secrets = await startFilledSecrets();
  const builds = temporaryBuilds();
  const competitors = entrantsOf(builds).map((entrant) => ({ ...entrant, lives: noneYet() }));
  try {
    say(`${STARTS} starts of ${competitors.length}`);
    for (let start = 0; start < STARTS; start += 1) {
      for (const { build, lives } of inTurn(competitors)) {
        lives.push(await live(secrets, build.folder, memoryMb));
      }
    }
    return {
      memoryMb,
      starts: STARTS,
      clients: CLIENTS,
      competitors: competitors.map(({ name, build, lives }) => summed(name, build.bytes, lives)),
    };
  } finally {
    builds.remove();
    await secrets.stop();
  }
};

/** The memory at which the platform gives a whole processor; below it, a share. */
const WHOLE_PROCESSOR_MB = 1_769;

/** Computed: what so much of a processor's time takes where a function has a share of one. */
export const atMemory = (cpuMs: number, memoryMb: number) =>
  cpuMs * Math.max(1, WHOLE_PROCESSOR_MB / memoryMb);

/** What it could have instead. */
const LESS_MB = [1_024, 512];

const NOTHING = { min: Number.NaN, median: Number.NaN, max: Number.NaN };

const document = ({ memoryMb, starts, clients, competitors }: Authorizer) => {
  const [ours] = competitors;
  if (!ours) throw new Error('Ours was not measured.');
  const row = (name: string, value: (competitor: Competitor) => string) => [name, ...competitors.map(value)];
  const rows = [
    row('loading it', ({ loadMs }) => told(loadMs)),
    ...ours.phases.map(({ name }, index) =>
      row(name, ({ phases }) => {
        const { wallMs = NOTHING, calls = 0 } = phases[index] ?? {};
        return `${significant(wallMs.median)} (${significant(wallMs.min)}–${significant(wallMs.max)}), ${inWords(calls)}`;
      }),
    ),
    row('peak memory, MB', ({ peakMb }) => count(peakMb)),
  ];
  const firstCpuMs = ours.phases[0]?.cpuMs.median ?? Number.NaN;
  const firstAt = (mb: number) => `${count(atMemory(firstCpuMs, mb))} ms with ${count(mb)} MB`;
  return `## The authorizer

Elapsed, in ms, with the reads of a secret that a request takes: ${starts} new processes of each, ${clients} clients, and a Secrets Manager on this machine, which
answers at once. Ours reads the current password and the one before, so that an old one stays good for a while after its change, and keeps
what it has read for some seconds: who was just there costs no read, nor does a guess. The floor (\`bench/peers/floor-authorizer.ts\`) is the
SDK's client alone and one read for each request: it keeps no copy, counts nothing, and knows no earlier password.

${numbersTable(['', ...competitors.map(({ name }) => name)], rows)}

With ${count(memoryMb)} MB it has ${count(Math.min(1, memoryMb / WHOLE_PROCESSOR_MB), 2)} of a processor, of which its first request takes ${significant(firstCpuMs)} ms. Computed, that would be ${LESS_MB.map(firstAt).join(', and ')}.
`;
};

const inWords = (calls: number) =>
  calls === 0 ? 'none' : `${significant(calls)} ${calls === 1 ? 'read' : 'reads'}`;

export const authorizer = section({ name: 'authorizer', schema: Authorizer, measure, document });
