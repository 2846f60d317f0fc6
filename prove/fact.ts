import { setTimeout as sleep } from 'node:timers/promises';
import { explain } from '../admin/cli/failure.ts';

/** An assumption of the project about AWS, and how to test it. */
export type Fact<TSubject> = {
  name: string;
  expected: string;
  /** The file to correct if AWS behaves differently. */
  model: string;
  ask: (subject: TSubject) => Promise<string>;
};

export type Row = { name: string; expected: string; seen: string; verdict: string };

export const NEEDS_DEPLOYMENT = 'not tested: needs a deployment';

export const toRow = ({ name, expected, model }: Omit<Fact<never>, 'ask'>, seen: string): Row => {
  const verdict = seen === expected ? 'agrees' : `differs: correct ${model}`;
  return { name, expected, seen, verdict };
};

export const notAsked = ({ name, expected }: Pick<Row, 'name' | 'expected'>, reason: string): Row => ({
  name,
  expected,
  seen: '',
  verdict: reason,
});

export const differs = ({ verdict }: Row) => verdict.startsWith('differs');

/** Tests one fact after another, and ends early when interrupted. */
export async function* askAll<TSubject>(
  facts: readonly Fact<TSubject>[],
  subject: TSubject,
  interrupted: AbortSignal,
): AsyncGenerator<Row> {
  for (const fact of facts) {
    const seen = await fact.ask(subject).catch((error: unknown) => `no answer: ${explain(error)}`);
    if (interrupted.aborted) return;
    yield toRow(fact, seen);
  }
}

export type Patience = { seconds: number; interrupted: AbortSignal };

const PAUSE_MS = 3_000;

/** Asks again, because a change takes a while to reach all servers of AWS. Returns the last value after a timeout. */
export const poll = async <T>(
  ask: () => Promise<T>,
  isAwaited: (value: T) => boolean,
  { seconds, interrupted }: Patience,
): Promise<T> => {
  const endsAt = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await ask();
    if (isAwaited(value) || performance.now() > endsAt) return value;
    await sleep(PAUSE_MS, undefined, { signal: interrupted });
  }
};
