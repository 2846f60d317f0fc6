import { count, numbersTable, percent } from '../../harness/markdown.ts';
import { FLOOR, LARGEST, MIDDLE, OURS, SMALL } from '../batch-contestants.ts';
import type { Aim } from '../section.ts';
import { told } from '../spread.ts';
import type { Contestant, Measured, Served } from './warm.ts';

const AIMS = { overFloorMs: 2, largestCpuMs: 1_500, timesForAnEntry: 1.5 };

export const document = ({ memoryMb, heapMb, deployedMb, sizes, contestants }: Measured) => {
  const table = (what: string, cell: (served: Served) => string) =>
    numbersTable(
      [what, ...sizes.map(({ entries }) => count(entries))],
      contestants.map((contestant) => [
        contestant.name,
        ...sizes.map(({ entries }) => cellOf(contestant, entries, cell)),
      ]),
    );
  const rounds = sizes
    .map(
      ({ entries, warmUps, runs }) => `${count(runs)} of ${count(entries)} entries after ${count(warmUps)}`,
    )
    .join(', ');
  return `## Warm requests

Whole requests of \`POST material-stock-balance\`, by how many entries a batch has, to processes that have served before. They take turns,
one request each: ${rounds} that do not count${fewer(contestants, sizes)}.
In the place of the table is a server that keeps nothing and answers at once: the engine of the tests would take the processor from who is
measured.

${table('CPU, ms', ({ cpuMs }) => told(cpuMs))}

${table('Elapsed, ms', ({ wallMs }) => count(wallMs.median, 1))}

They ran as a function of ${count(memoryMb)} MB would, of which V8 was given ${count(heapMb)} for its old heap; the deployed one has ${count(deployedMb)}. The peak is the most that the process ever
took, with Node itself and what hands it the events; that of 1 entry is what there is without a batch.

${table('Peak, MB', ({ peakMb }) => count(peakMb))}

${besides(contestants)} By the mean an entry takes ours ${entriesInWords(contestants)}; a mean has in it
what a median passes over, the garbage of several small batches that is collected in one of them.
`;
};

const cellOf = ({ served }: Contestant, entries: number, cell: (served: Served) => string) => {
  const found = served.find((each) => each.entries === entries);
  return found ? cell(found) : '–';
};

const fewer = (contestants: readonly Contestant[], sizes: Measured['sizes']) => {
  const exceptions = sizes.flatMap(({ entries, runs }) =>
    contestants.flatMap(({ name, served }) =>
      served
        .filter((each) => each.entries === entries && each.runs < runs)
        .map((each) => `*${name}* with ${count(entries)} only ${count(each.runs)}`),
    ),
  );
  return exceptions.length > 0 ? `; ${exceptions.join(', ')}` : '';
};

const of = (contestants: readonly Contestant[], name: string, entries: number) => {
  const { served } = contestants.find((each) => each.name === name) ?? {};
  const found = served?.find((each) => each.entries === entries);
  if (!found) throw new Error(`${name} was not measured with ${entries} entries.`);
  return found;
};

const entryUs = ({ meanCpuMs, entries }: Served) => (meanCpuMs * 1_000) / entries;

const more = (ms: number) => `${count(Math.abs(ms), 1)} ms ${ms < 0 ? 'less' : 'more'}`;

export const aims = ({ memoryMb, contestants }: Measured): Aim[] => {
  const [ours, floor] = [of(contestants, OURS, SMALL), of(contestants, FLOOR, SMALL)];
  const largest = of(contestants, OURS, LARGEST);
  const overCpuMs = ours.cpuMs.median - floor.cpuMs.median;
  const overWallMs = ours.wallMs.median - floor.wallMs.median;
  const times = entryUs(largest) / entryUs(of(contestants, OURS, MIDDLE));
  return [
    {
      what: `${count(SMALL)} entries to a warm process, against the floor`,
      set: `under ${count(AIMS.overFloorMs)} ms more`,
      found: `CPU ${more(overCpuMs)}, elapsed ${more(overWallMs)}`,
      isMet: Math.max(overCpuMs, overWallMs) < AIMS.overFloorMs,
    },
    {
      what: `${count(LARGEST)} entries, CPU`,
      set: `under ${count(AIMS.largestCpuMs)} ms`,
      found: `${count(largest.cpuMs.median)} ms`,
      isMet: largest.cpuMs.median < AIMS.largestCpuMs,
    },
    {
      what: `${count(LARGEST)} entries, memory`,
      set: `under ${count(memoryMb)} MB`,
      found: `${count(largest.peakMb)} MB`,
      isMet: largest.peakMb < memoryMb,
    },
    {
      what: `Linear growth: CPU of an entry of ${count(LARGEST)} against one of ${count(MIDDLE)}, by the mean`,
      set: `at most ${count(AIMS.timesForAnEntry, 1)} times`,
      found: `${count(times, 2)} times`,
      isMet: times <= AIMS.timesForAnEntry,
    },
  ];
};

const entriesInWords = (contestants: readonly Contestant[]) =>
  [SMALL, MIDDLE, LARGEST]
    .map((entries) => `${count(entryUs(of(contestants, OURS, entries)), 1)} µs of ${count(entries)}`)
    .join(', ');

/** Of the processor's time; the floor has no part in the largest. */
const besides = (contestants: readonly Contestant[]) => {
  const shares = contestants
    .filter(({ name }) => name !== OURS && name !== FLOOR)
    .map(({ name }) => {
      const share = (entries: number) =>
        of(contestants, OURS, entries).cpuMs.median / of(contestants, name, entries).cpuMs.median;
      return `${percent(share(SMALL))} and ${percent(share(LARGEST))} of *${name}*`;
    });
  return `Ours takes, of their CPU, for ${count(SMALL)} and for ${count(LARGEST)} entries, ${shares.join(', ')}.`;
};
