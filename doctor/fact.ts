import { adviseOnResponse, explainError, messageOf, quoteSafely } from './http/advice.ts';
import { Caller, type Login, type Response } from './http/caller.ts';
import { describe, type Expected, type Observation, observe } from './http/expectations.ts';

/** What is true of a sound deployment: a text and a check. */
export type Fact = {
  text: string;
  check: (caller: Caller) => Promise<Observation>;
  /** If this fact is wrong, the later facts are not checked, and `reason` says why. With `status`, only if a response had it. */
  skipsLater?: { reason: string; status?: number };
} & Advice;

/** `todo` is what a person should do. A fact about AWS has `assumedIn` instead: the file of this project that relies on it. */
type Advice = { todo: string } | { assumedIn: string };

/** Facts by name, in the order of the checks. */
export type Facts = Record<string, Fact>;

/** A fact about one response, or about several responses that have to be alike. */
export const responseFact = (
  expected: Expected,
  ask: (caller: Caller) => Promise<Response | Response[]>,
  details: Advice & Partial<Pick<Fact, 'text' | 'skipsLater'>>,
): Fact => ({
  text: describe(expected),
  check: async (caller) => {
    const observations = [await ask(caller)].flat().map((response) => observe(response, expected));
    const seen = [...new Set(observations.map((observation) => observation.seen))].join(', ');
    return { holds: observations.every(({ holds }) => holds), seen };
  },
  ...details,
});

/** If the fact is wrong, `seen` ends with what a person should do. */
type Outcome = { state: 'ok' | 'WRONG' | 'not checked'; seen: string };
export type Result = Outcome & { name: string; text: string };

/** Ends a check that cannot be made on this deployment. */
export class NotChecked extends Error {}

/** Ends a check that waited in vain. This does not prove that the assumption about AWS is wrong. */
export class TooSlow extends Error {}

export type CheckOptions = { login: Login; timeLimitMs: number; interrupted: AbortSignal };

/** Checks one fact after another, except facts that could only repeat an earlier failure. */
export async function* checkFacts(
  facts: Facts,
  { login, timeLimitMs, interrupted }: CheckOptions,
): AsyncGenerator<Result> {
  let skipReason: string | undefined;
  for (const [name, fact] of Object.entries(facts)) {
    const { text, skipsLater } = fact;
    const signal = AbortSignal.any([AbortSignal.timeout(timeLimitMs), interrupted]);
    const caller = new Caller(login, signal);
    const outcome: Outcome = skipReason
      ? { state: 'not checked', seen: skipReason }
      : await checkFact(fact, caller, timeLimitMs);
    if (interrupted.aborted) return;
    const hasStatus =
      !skipsLater?.status || caller.responses.some(({ status }) => status === skipsLater.status);
    if (outcome.state === 'WRONG' && hasStatus) skipReason = skipsLater?.reason;
    yield { name, text, ...outcome };
  }
}

const checkFact = async (fact: Fact, caller: Caller, timeLimitMs: number): Promise<Outcome> => {
  const { login, signal, responses } = caller;
  try {
    const { holds, seen } = await fact.check(caller);
    if (holds) return { state: 'ok', seen };
    // A response for which there is advice explains more than the last response.
    const response = responses.find(adviseOnResponse) ?? responses.at(-1);
    const isShown = response && seen.includes(`${response.status}`);
    const message = isShown ? ` ${quoteSafely(messageOf(response), login)}` : '';
    return { state: 'WRONG', seen: `${seen}${message}; ${adviceOf(fact, response)}` };
  } catch (error) {
    if (error instanceof NotChecked) return { state: 'not checked', seen: error.message };
    if (error instanceof TooSlow) return { state: 'WRONG', seen: `${error.message}; ${adviseIfSlow(fact)}` };
    if (!signal.aborted) return { state: 'WRONG', seen: explainError(error) };
    const seen = `not finished within ${timeLimitMs / 1_000} s; try again; check the network, and the durations and throttles in CloudWatch`;
    return { state: 'WRONG', seen };
  }
};

const adviceOf = (fact: Fact, response: Response | undefined) => {
  if (!('assumedIn' in fact)) return (response && adviseOnResponse(response)) ?? fact.todo;
  const isSlow = response && [503, 504].includes(response.status);
  return isSlow ? adviseIfSlow(fact) : `correct ${fact.assumedIn}`;
};

const adviseIfSlow = (fact: Fact) =>
  `too slow here: try again${'assumedIn' in fact ? `; if it stays slow, correct ${fact.assumedIn}` : ''}`;
