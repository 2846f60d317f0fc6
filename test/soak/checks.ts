import type { MemoryRow } from './memory.ts';
import type { Results } from './statistics.ts';
import type { Difference } from './verify.ts';

export type Check = { name: string; faults: readonly string[] };

type Observed = {
  results: Results;
  changes: Difference;
  snapshots: Difference;
  memory: MemoryRow[];
  end: { exitCode: number | null; complaints: string[] };
};

/** What must be true of a run, with the faults that were found. */
export const checksOf = ({ results, changes, snapshots, memory, end }: Observed): Check[] =>
  Object.entries({
    'every kind of request was sent': results.missing.map((kind) => `no ${kind}`),
    'every request got an answer other than 5xx': results.requests
      .filter(({ status }) => status === 0 || status >= 500)
      .map(({ kind, status, count }) => `${count} × ${kind}: ${status === 0 ? 'no answer' : status}`),
    'every answer fits its request': results.faults,
    'no acknowledged change is lost': changes.lost,
    'no change is stored that was not acknowledged': changes.surplus,
    'each change is stored as it was first acknowledged': changes.altered,
    'no acknowledged snapshot is lost': snapshots.lost,
    'no snapshot or part is stored that was not acknowledged': snapshots.surplus,
    'each snapshot is complete and holds what was sent': snapshots.altered,
    'memory does not grow': memory
      .filter(({ afterMb, allowedMb }) => afterMb > allowedMb)
      .map(
        ({ kind, beforeMb, afterMb }) => `${kind}: from ${beforeMb.toFixed(0)} to ${afterMb.toFixed(0)} MB`,
      ),
    'each function stays within its memory on the platform': memory
      .filter(({ highestMb, limitMb = Number.POSITIVE_INFINITY }) => highestMb > limitMb)
      .map(({ kind, highestMb, limitMb }) => `${kind}: ${highestMb.toFixed(0)} MB of ${limitMb}`),
    'no function and no service logged an error': end.complaints,
    'the service ends on SIGTERM': end.exitCode === 0 ? [] : [`exit code ${end.exitCode}`],
  }).map(([name, faults]) => ({ name, faults }));
