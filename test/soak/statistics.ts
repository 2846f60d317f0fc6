/** The status is 0 if no answer came. */
type Exchange = { kind: string; status: number; milliseconds: number; fault?: string | undefined };

/** Counts and times of requests, by kind and status. */
export const createStatistics = (kinds: readonly string[]) => {
  const times = new Map<string, number[]>();
  const faults: string[] = [];
  let started = performance.now();
  let seconds = 0;
  return {
    /** Clears the times, but keeps the faults. */
    restart: () => {
      times.clear();
      started = performance.now();
    },
    add: ({ kind, status, milliseconds, fault }: Exchange) => {
      const key = `${kind}/${status}`;
      times.set(key, times.get(key) ?? []);
      times.get(key)?.push(milliseconds);
      if (fault) faults.push(`${kind} ${fault}`);
      seconds = (performance.now() - started) / 1_000;
    },
    results: () => {
      const requests = [...times].map(([key, unsorted]) => {
        const [kind = '', status] = key.split('/');
        const sorted = unsorted.toSorted((a, b) => a - b);
        return {
          kind,
          status: Number(status),
          count: sorted.length,
          perSecond: sorted.length / seconds,
          medianMs: percentile(sorted, 0.5),
          p99Ms: percentile(sorted, 0.99),
          maxMs: percentile(sorted, 1),
        };
      });
      requests.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.status - b.status);
      const missing = kinds.filter((kind) => !requests.some((row) => row.kind === kind));
      return { seconds, requests, missing, faults };
    },
  };
};

export type Results = ReturnType<ReturnType<typeof createStatistics>['results']>;

/** The nearest rank, which is always a measured time. */
const percentile = (sorted: number[], share: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
