import { Client, type Response, type Service } from './http/client.ts';
import { adviseOn, messageOf } from './http/describe.ts';
import { explainFailure } from './http/explain-failure.ts';
import { createRedactor } from './http/redact.ts';

/** What is true of a deployment without faults: a text, and how to check it. */
export type Fact = {
  name: string;
  text: string;
  /** Says what it sees. If all is well, that is exactly the text. */
  see: (client: Client) => Promise<string>;
  /** What a person should do if it sees something else, last of all in this response. */
  advise: (last: Response | undefined) => string;
  /** The reason to ask no later fact if this one is wrong. */
  blocks?: string;
};

export type Result = Pick<Fact, 'name' | 'text'> & {
  state: 'ok' | 'WRONG' | 'not asked';
  seen: string;
  todo?: string;
};

/** Advice on the status of the response if there is any, otherwise this. */
export const adviseOr =
  (todo: string): Fact['advise'] =>
  (last) =>
    (last && adviseOn(last)) ?? todo;

/** For a fact about AWS: the file that models it. */
export const correct =
  (model: string): Fact['advise'] =>
  () =>
    `correct ${model}`;

/** Ends a check that cannot say anything here. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}

export type Examination = { service: Service; timeLimitMs: number; interrupted: AbortSignal };

/** Asks one fact after another, except those that could only repeat an earlier failure. */
export async function* askFacts(facts: readonly Fact[], examination: Examination): AsyncGenerator<Result> {
  let obstacle: string | undefined;
  for (const fact of facts) {
    const { name, text, blocks } = fact;
    const answer = obstacle
      ? ({ state: 'not asked', seen: obstacle } as const)
      : await ask(fact, examination);
    if (examination.interrupted.aborted) return;
    if (answer.state === 'WRONG') obstacle ??= blocks;
    yield { name, text, ...answer };
  }
}

const ask = async (fact: Fact, examination: Examination): Promise<Omit<Result, 'name' | 'text'>> => {
  const { service, timeLimitMs, interrupted } = examination;
  const signal = AbortSignal.any([AbortSignal.timeout(timeLimitMs), interrupted]);
  const client = new Client(service, signal);
  try {
    const seen = await fact.see(client);
    if (seen === fact.text) return { state: 'ok', seen };
    const { lastResponse: last } = client;
    const quote = createRedactor(service.username, service.password);
    const isAbout = last && seen.includes(`${last.status}`);
    const message = isAbout ? ` ${quote(messageOf(last))}` : '';
    return { state: 'WRONG', seen: `${seen}${message}`, todo: fact.advise(last) };
  } catch (error) {
    if (error instanceof NotAsked) return { state: 'not asked', seen: error.message };
    if (!signal.aborted) return { state: 'WRONG', ...explainFailure(error) };
    const todo = 'try again; check the network, and the durations and throttles in CloudWatch';
    return { state: 'WRONG', seen: `not finished within ${timeLimitMs / 1_000} s`, todo };
  }
};
