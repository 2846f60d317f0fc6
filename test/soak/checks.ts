import type { Memory } from './memory.ts';
import type { Tally } from './tally.ts';
import type { Difference } from './verify.ts';

export type Check = { name: string; faults: string[] };

type Seen = {
  tally: Tally;
  changes: Difference;
  snapshots: Difference;
  memory: Memory;
  ending: { exitCode: number | null; complaints: string[] };
};

/** What has to be true of a run, and what was found against it. */
export const checksOf = ({ tally, changes, snapshots, memory, ending }: Seen): Check[] => [
  { name: 'every kind of request was made', faults: tally.unseen.map((kind) => `no ${kind}`) },
  { name: 'every request was answered, none with 5xx', faults: serverErrors(tally) },
  { name: 'every answer was the one that its request calls for', faults: [...tally.faults] },
  { name: 'no acknowledged change is lost', faults: changes.lost },
  { name: 'no change is there that was not acknowledged', faults: changes.surplus },
  { name: 'each change is as it was first acknowledged', faults: changes.altered },
  { name: 'no acknowledged snapshot is lost', faults: snapshots.lost },
  { name: 'no snapshot, nor part of one, is there that was not acknowledged', faults: snapshots.surplus },
  { name: 'each snapshot is whole and holds what was sent', faults: snapshots.altered },
  { name: 'memory is flat', faults: memory.flatMap(growth) },
  {
    name: 'each function keeps within the memory that it has on the platform',
    faults: memory.flatMap(excess),
  },
  { name: 'no function has logged an error, nor the service complained', faults: ending.complaints },
  {
    name: 'the service ends when asked',
    faults: ending.exitCode === 0 ? [] : [`it ended with ${ending.exitCode}`],
  },
];

const serverErrors = ({ rows }: Tally) =>
  rows
    .filter(({ status }) => status === 0 || status >= 500)
    .map(({ kind, status, count }) => `${count} × ${kind}: ${status === 0 ? 'no answer' : status}`);

const growth = ({ kind, beforeMb, afterMb, allowedMb }: Memory[number]) =>
  afterMb <= allowedMb
    ? []
    : [`${kind}: ${beforeMb.toFixed(0)} MB became ${afterMb.toFixed(0)}, over ${allowedMb.toFixed(0)}`];

const excess = ({ kind, highestMb, limitMb = Number.POSITIVE_INFINITY }: Memory[number]) =>
  highestMb <= limitMb ? [] : [`${kind}: ${highestMb.toFixed(0)} MB of ${limitMb}`];
