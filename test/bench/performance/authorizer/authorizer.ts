import * as v from 'valibot';
import { memoryOf, templateFor } from '../../costs/templates.ts';
import { CLIENTS, logicalId } from '../../harness/functions.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { count, numbersTable } from '../../harness/markdown.ts';
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
    say(`  ${STARTS} starts of ${competitors.length}`);
    for (let start = 0; start < STARTS; start += 1) {
      for (const { build, lives } of inTurn(competitors, start)) {
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

const startOf = ({ loadMs, phases }: Competitor) => loadMs.median + (phases[0]?.wallMs.median ?? 0);
const startCpuOf = ({ loadCpuMs, phases }: Competitor) => loadCpuMs.median + (phases[0]?.cpuMs.median ?? 0);

const rowsOf = (competitors: readonly Competitor[]) => {
  const phases = competitors[0]?.phases ?? [];
  const row = (name: string, value: (competitor: Competitor) => string) => [name, ...competitors.map(value)];
  return [
    row('bundle, KB', ({ bundleBytes }) => count(bundleBytes / 1_000)),
    row('loading it', ({ loadMs }) => told(loadMs)),
    row('— of a processor', ({ loadCpuMs }) => told(loadCpuMs)),
    ...phases.flatMap(({ name }, index) => [
      row(name, (each) => told(each.phases[index]?.wallMs ?? NOTHING, 2)),
      row('— of a processor', (each) => told(each.phases[index]?.cpuMs ?? NOTHING, 2)),
      row('— calls', (each) => count(each.phases[index]?.calls ?? 0)),
    ]),
    row('peak MB', ({ peakMb }) => count(peakMb)),
  ];
};

const NOTHING = { min: Number.NaN, median: Number.NaN, max: Number.NaN };

const document = ({ memoryMb, starts, clients, competitors }: Authorizer) => {
  const [ours, ...others] = competitors;
  if (!ours) throw new Error('Ours was not measured.');
  const compared = others.map(
    (other) => `${count(startOf(other) / startOf(ours), 2)} times that of ours for ${other.name}`,
  );
  const computed = numbersTable(
    ['Computed, ms', ...competitors.map(({ name }) => name)],
    [
      ['load and first request', ...competitors.map((each) => count(atMemory(startCpuOf(each), memoryMb)))],
      ...ours.phases
        .slice(1)
        .map(({ name }, index) => [
          name,
          ...competitors.map(({ phases }) =>
            count(atMemory(phases[index + 1]?.cpuMs.median ?? Number.NaN, memoryMb), 1),
          ),
        ]),
    ],
  );
  return `## The authorizer

${numbersTable(['ms', ...competitors.map(({ name }) => name)], rowsOf(competitors))}

Over ${starts} fresh processes of each, in turns, with ${clients} clients and Secrets Manager on this machine; what stands there is the median of a process, then over
the processes. A call is a read of a secret. Ours reads the current password and the one before, so that an old one stays good for a while after its
change, and keeps what it read for some seconds: who was just there costs no call, nor does a guess. The load and the
first request together take ${compared.join(', and ')}. The floor (\`test/bench/peers/floor-authorizer.ts\`) is the SDK's client alone and one read for each
request: it keeps no copy, counts nothing, and knows no earlier password.

The template gives the authorizer ${count(memoryMb)} MB, and with them ${count(Math.min(1, memoryMb / WHOLE_PROCESSOR_MB), 2)} of a processor. **Computed, not measured**: the processor's time above, at that share, without the
waiting for calls, and as if the platform's processor were this one. (While a process loads, the platform gives more than the share.)

${computed}
`;
};

export const authorizer = section({ name: 'authorizer', schema: Authorizer, measure, document });
