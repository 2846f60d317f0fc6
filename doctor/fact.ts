import { adviseOn, explainFailure, messageOf, quoteSafely } from './http/advice.ts';
import { Caller, type Login, type Response } from './http/caller.ts';
import { describe, type Expected, expects, type Seen } from './http/expectations.ts';

/** What is true of a sound deployment: a text, and how to check it. */
export type Fact = {
  text: string;
  see: (caller: Caller) => Promise<Seen>;
  /** If this fact is wrong, the later ones are skipped for this reason. With `status`: only if a response had it. */
  blocks?: { reason: string; status?: number };
} & Advice;

/** For a fact about a deployment, what a person should do. For one about AWS, the file of this project that assumes it. */
type Advice = { todo: string } | { model: string };

/** By name, in the order of asking. */
export type Facts = Record<string, Fact>;

/** A fact about one response, or about several that have to be alike. */
export const expecting = (
  expected: Expected,
  ask: (caller: Caller) => Promise<Response | Response[]>,
  others: Advice & Partial<Pick<Fact, 'text' | 'blocks'>>,
): Fact => ({
  text: describe(expected),
  see: async (caller) => {
    const all = [await ask(caller)].flat().map((response) => expects(response, expected));
    const seen = [...new Set(all.map((each) => each.seen))].join(', ');
    return { holds: all.every(({ holds }) => holds), seen };
  },
  ...others,
});

/** `seen` ends with what a person should do if it is wrong. */
type Outcome = { state: 'ok' | 'WRONG' | 'not checked'; seen: string };
export type Result = Outcome & { name: string; text: string };

/** Ends a check that cannot say anything here. */
export class NotChecked extends Error {}

/** Ends a check that waited in vain, which does not prove that AWS differs. */
export class TooSlow extends Error {}

export type Examination = { login: Login; timeLimitMs: number; interrupted: AbortSignal };

/** Checks one fact after another, except those that could only repeat an earlier failure. */
export async function* checkFacts(
  facts: Facts,
  { login, timeLimitMs, interrupted }: Examination,
): AsyncGenerator<Result> {
  let obstacle: string | undefined;
  for (const [name, fact] of Object.entries(facts)) {
    const { text, blocks } = fact;
    const signal = AbortSignal.any([AbortSignal.timeout(timeLimitMs), interrupted]);
    const caller = new Caller(login, signal);
    const outcome: Outcome = obstacle
      ? { state: 'not checked', seen: obstacle }
      : await check(fact, caller, timeLimitMs);
    if (interrupted.aborted) return;
    const isBlocking = !blocks?.status || caller.responses.some(({ status }) => status === blocks.status);
    if (outcome.state === 'WRONG' && isBlocking) obstacle ??= blocks?.reason;
    yield { name, text, ...outcome };
  }
}

const check = async (fact: Fact, caller: Caller, timeLimitMs: number): Promise<Outcome> => {
  const { login, signal, responses } = caller;
  try {
    const { holds, seen } = await fact.see(caller);
    if (holds) return { state: 'ok', seen };
    // Of several responses, one that failed explains more than the last one.
    const telling = responses.find(adviseOn) ?? responses.at(-1);
    const isSeen = telling && seen.includes(`${telling.status}`);
    const message = isSeen ? ` ${quoteSafely(messageOf(telling), login)}` : '';
    return { state: 'WRONG', seen: `${seen}${message}; ${adviceOf(fact, telling)}` };
  } catch (error) {
    if (error instanceof NotChecked) return { state: 'not checked', seen: error.message };
    if (error instanceof TooSlow) return { state: 'WRONG', seen: `${error.message}; ${adviseOnSlow(fact)}` };
    if (!signal.aborted) return { state: 'WRONG', seen: explainFailure(error) };
    const seen = `not finished within ${timeLimitMs / 1_000} s; try again; check the network, and the durations and throttles in CloudWatch`;
    return { state: 'WRONG', seen };
  }
};

const adviceOf = (fact: Fact, telling: Response | undefined) => {
  if (!('model' in fact)) return (telling && adviseOn(telling)) ?? fact.todo;
  const isSlow = telling && [503, 504].includes(telling.status);
  return isSlow ? adviseOnSlow(fact) : `correct ${fact.model}`;
};

const adviseOnSlow = (fact: Fact) =>
  `too slow here: try again${'model' in fact ? `; if it stays, correct ${fact.model}` : ''}`;
