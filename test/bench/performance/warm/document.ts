import { count, numbersTable, percent } from '../../harness/markdown.ts';
import { FLOOR, HALF, LARGEST, MIDDLE, OURS, SMALL } from '../batch-contestants.ts';
import { told } from '../spread.ts';
import type { Contestant, Measured, Served } from './warm.ts';

const AIMS = { overFloorMs: 2, largestCpuMs: 1_500, timesForAnEntry: 1.5 };

export const document = ({ memoryMb, heapMb, sizes, contestants }: Measured) => {
  const table = (what: string, cell: (served: Served) => string) =>
    numbersTable(
      [what, ...sizes.map(({ entries }) => count(entries))],
      contestants.map((contestant) => [
        contestant.name,
        ...sizes.map(({ entries }) => cellOf(contestant, entries, cell)),
      ]),
    );
  const rounds = sizes
    .map(({ entries, warmUps, runs }) => `${count(runs)} after ${count(warmUps)} (${count(entries)})`)
    .join(', ');
  return `## Warm requests

Whole requests of \`POST material-stock-balance\`, by how many entries a batch has, to processes that have served before: they take turns, one
request each, ${rounds}; of ${fewer(contestants, sizes)}. Every answer is a 200
for all entries. The processor's time is that of the function's process with all its threads; the time of the clock includes what the engine
takes, which is on the same machine and no measure of the platform's tables.

${table("Processor's time, ms", ({ cpuMs }) => told(cpuMs))}

${table('Time of the clock, ms', ({ wallMs }) => count(wallMs.median, 1))}

${table("Processor's time for each entry, µs", (served) => count(entryUs(served), 1))}

A function of ${count(memoryMb)} MB: Node may use ${count(heapMb)} MB for what is no longer new in its heap (the platform does not say what it allows). What stands
here is the most that the process ever took, with Node itself and what hands it the events; that of 1 entry is what there is without a batch.

${table('Most memory, MB', ({ peakMb }) => count(peakMb))}

${[overFloor(contestants), largest(contestants, memoryMb), growth(contestants), besides(contestants)].join('\n')}
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
  return exceptions.length > 0 ? exceptions.join(', ') : 'all the same';
};

const of = (contestants: readonly Contestant[], name: string, entries: number) => {
  const { served } = contestants.find((each) => each.name === name) ?? {};
  const found = served?.find((each) => each.entries === entries);
  if (!found) throw new Error(`${name} was not measured with ${entries} entries.`);
  return found;
};

const entryUs = ({ cpuMs, entries }: Served) => (cpuMs.median * 1_000) / entries;

const within = (isMet: boolean) => (isMet ? 'within' : '**past**');

const more = (ms: number) => `${count(Math.abs(ms), 1)} ms ${ms < 0 ? 'less' : 'more'}`;

const overFloor = (contestants: readonly Contestant[]) => {
  const [ours, floor] = [of(contestants, OURS, SMALL), of(contestants, FLOOR, SMALL)];
  const cpuMs = ours.cpuMs.median - floor.cpuMs.median;
  const wallMs = ours.wallMs.median - floor.wallMs.median;
  const isMet = Math.max(cpuMs, wallMs) < AIMS.overFloorMs;
  return `For ${count(SMALL)} entries ours takes ${more(cpuMs)} of the processor and ${more(wallMs)} of the clock than the floor, ${within(isMet)} the ${count(AIMS.overFloorMs)} ms more that were set.`;
};

const largest = (contestants: readonly Contestant[], memoryMb: number) => {
  const { cpuMs, peakMb } = of(contestants, OURS, LARGEST);
  return `For ${count(LARGEST)} it takes ${count(cpuMs.median)} ms of the processor, ${within(cpuMs.median < AIMS.largestCpuMs)} the ${count(AIMS.largestCpuMs)} that were set, and ${count(peakMb)} MB, ${within(peakMb < memoryMb)} the ${count(memoryMb)} that the function has.`;
};

const growth = (contestants: readonly Contestant[]) => {
  const timesThatOf = (entries: number) =>
    entryUs(of(contestants, OURS, LARGEST)) / entryUs(of(contestants, OURS, entries));
  const [sinceMiddle, sinceHalf] = [timesThatOf(MIDDLE), timesThatOf(HALF)];
  const isMet = sinceMiddle <= AIMS.timesForAnEntry;
  const isLinear = sinceHalf <= AIMS.timesForAnEntry;
  return `An entry of ${count(LARGEST)} takes ${count(sinceMiddle, 2)} times what one of ${count(MIDDLE)} takes, ${within(isMet)} the ${count(AIMS.timesForAnEntry, 1)} times that were set, and ${count(sinceHalf, 2)} times what one of ${count(HALF)} takes: between those the time ${isLinear ? 'grows' : '**does not grow**'} linearly.`;
};

/** Of the processor's time; the floor has no part in the largest. */
const besides = (contestants: readonly Contestant[]) => {
  const shares = contestants
    .filter(({ name }) => name !== OURS && name !== FLOOR)
    .map(({ name }) => {
      const share = (entries: number) =>
        of(contestants, OURS, entries).cpuMs.median / of(contestants, name, entries).cpuMs.median;
      return `${percent(share(SMALL))} and ${percent(share(LARGEST))} of *${name}*`;
    });
  return `Of the processor ours takes, for ${count(SMALL)} and for ${count(LARGEST)} entries, ${shares.join(', ')}.`;
};
