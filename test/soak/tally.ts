import { type Kind, kinds } from './errands.ts';

/** The status is 0 where no answer came. */
type Exchange = { kind: Kind; status: number; milliseconds: number; fault?: string | undefined };

/** What came of the requests, by what they were and how they were answered. */
export class Tally {
  private readonly times = new Map<string, number[]>();
  private readonly faultsSeen: string[] = [];
  private started = performance.now();
  /** To the last answer. */
  seconds = 0;

  /** What was counted so far counts no more; what was wrong stays so. */
  startTimes() {
    this.times.clear();
    this.started = performance.now();
  }

  add({ kind, status, milliseconds, fault }: Exchange) {
    const key = `${kind}/${status}`;
    const times = this.times.get(key);
    if (times) times.push(milliseconds);
    else this.times.set(key, [milliseconds]);
    if (fault) this.faultsSeen.push(`${kind} ${fault}`);
    this.seconds = (performance.now() - this.started) / 1_000;
  }

  /** What was wrong, each with its operation. */
  get faults(): readonly string[] {
    return this.faultsSeen;
  }

  get rows() {
    return [...this.times]
      .map(([key, times]) => {
        const [kind = '', status] = key.split('/');
        const sorted = times.toSorted((a, b) => a - b);
        return {
          kind,
          status: Number(status),
          count: times.length,
          perSecond: times.length / this.seconds,
          medianMs: atRank(sorted, 0.5),
          p99Ms: atRank(sorted, 0.99),
          maxMs: atRank(sorted, 1),
        };
      })
      .sort((a, b) => orderOf(a.kind) - orderOf(b.kind) || a.status - b.status);
  }

  /** The kinds of which there was not one. */
  get unseen() {
    const seen = new Set([...this.times.keys()].map((key) => key.split('/')[0]));
    return kinds.filter((kind) => !seen.has(kind));
  }
}

export type TallyRow = Tally['rows'][number];

const order: readonly string[] = kinds;
const orderOf = (kind: string) => order.indexOf(kind);

/** The nearest rank: a time that was measured, never one in between. */
const atRank = (sorted: number[], share: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
