import type { MemoryRow } from './memory.ts';
import { HELD_CONNECTIONS } from './neighbours.ts';
import type { Results } from './statistics.ts';
import type { Difference } from './verify.ts';

export type Check = { name: string; faults: readonly string[] };

type Observed = {
  results: Results;
  changes: Difference;
  snapshots: Difference;
  end: { exitCode: number | null; complaints: string[] };
};

const toChecks = (faults: Record<string, readonly string[]>): Check[] =>
  Object.entries(faults).map(([name, found]) => ({ name, faults: found }));

/** The checks of every run, with the faults that they found. */
export const checksOf = ({ results, changes, snapshots, end }: Observed) =>
  toChecks({
    'every kind of request was sent': results.missing.map((kind) => `no ${kind}`),
    'every request got an answer other than 5xx': results.requests
      .filter(({ status }) => status === 0 || status >= 500)
      .map(({ kind, status, count }) => `${count} × ${kind}: ${status === 0 ? 'no answer' : status}`),
    'every answer fits its request': results.faults,
    'no acknowledged change is lost': changes.lost,
    'no change is stored that was not acknowledged': changes.surplus,
    'each change is stored with the request id of its first acknowledgement': changes.altered,
    'no acknowledged snapshot is lost': snapshots.lost,
    'no snapshot or part is stored that was not acknowledged': snapshots.surplus,
    'each snapshot is complete and has the entries that were sent': snapshots.altered,
    'no function and no service logged an error': end.complaints,
    'the service ends on SIGTERM': end.exitCode === 0 ? [] : [`exit code ${end.exitCode}`],
  });

export const memoryChecksOf = (memory: MemoryRow[]) =>
  toChecks({
    'memory does not grow': memory
      .filter(({ afterMb, allowedMb }) => afterMb > allowedMb)
      .map(
        ({ kind, beforeMb, afterMb }) => `${kind}: from ${beforeMb.toFixed(0)} to ${afterMb.toFixed(0)} MB`,
      ),
    'each function stays within its memory on the platform': memory
      .filter(({ highestMb, limitMb = Number.POSITIVE_INFINITY }) => highestMb > limitMb)
      .map(({ kind, highestMb, limitMb }) => `${kind}: ${highestMb.toFixed(0)} MB of ${limitMb}`),
  });

const MIN_REQUESTS = 1_000;
const MAX_SLOWDOWN = 2;

export const neighbourChecksOf = ({ requests }: Results, heldConnections: number) => {
  const countOf = (kind: string, status: number) =>
    requests.find((row) => row.kind === kind && row.status === status)?.count ?? 0;
  const others = (kind: string, ...statuses: number[]) =>
    requests
      .filter((row) => row.kind === kind && !statuses.includes(row.status))
      .map(({ status, count }) => `${count} × ${status}`);
  const wellBehaved = ['alone', 'with neighbours'];
  const [alone = Number.NaN, beside = Number.NaN] = wellBehaved.map(
    (kind) => requests.find((row) => row.kind === kind && row.status === 200)?.p99Ms,
  );
  return toChecks({
    'every well-behaved request gets a 200': wellBehaved.flatMap((kind) => others(kind, 200)),
    [`each phase has at least ${MIN_REQUESTS} well-behaved requests`]: wellBehaved
      .filter((kind) => countOf(kind, 200) < MIN_REQUESTS)
      .map((kind) => `${countOf(kind, 200)} ${kind}`),
    [`the 99th percentile is at most ${MAX_SLOWDOWN} times as long with neighbours`]:
      beside <= MAX_SLOWDOWN * alone ? [] : [`${beside.toFixed(0)} ms after ${alone.toFixed(0)} ms`],
    'the flood gets 200 and 429, and no other status': [
      ...others('flood', 200, 429),
      ...[200, 429].filter((status) => countOf('flood', status) === 0).map((status) => `no ${status}`),
    ],
    'every wrong password gets a 401': others('wrong password', 401),
    [`${HELD_CONNECTIONS} connections were open at once`]:
      heldConnections === HELD_CONNECTIONS ? [] : [`${heldConnections} were`],
  });
};
