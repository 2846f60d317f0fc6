import { Client, type Response, type Service } from './http/client.ts';
import { adviseOn, explainFailure, messageOf, quote } from './http/describe.ts';

/** What is true of a deployment without faults: a text, and how to check it. */
export type Fact = {
  text: string;
  /** Says what it sees. If all is well, that is exactly the text. */
  see: (client: Client) => Promise<string>;
  /** The reason to ask no later fact if this one is wrong. */
  blocks?: string;
} & Advice;

/** For a fact about a deployment, what a person should do. For one about AWS, the file of this project to correct. */
type Advice = { todo: string } | { model: string };

/** By name, in the order of asking. */
export type Facts = Record<string, Fact>;

/** `seen` ends with what a person should do if it is wrong. */
type Answer = { state: 'ok' | 'WRONG' | 'not asked'; seen: string };
export type Result = Answer & { name: string; text: string };

/** Ends a check that cannot say anything here. */
export class NotAsked extends Error {}

export type Examination = { service: Service; timeLimitMs: number; interrupted: AbortSignal };

/** Asks one fact after another, except those that could only repeat an earlier failure. */
export async function* askFacts(facts: Facts, examination: Examination): AsyncGenerator<Result> {
  let obstacle: string | undefined;
  for (const [name, fact] of Object.entries(facts)) {
    const { text, blocks } = fact;
    const answer: Answer = obstacle ? { state: 'not asked', seen: obstacle } : await ask(fact, examination);
    if (examination.interrupted.aborted) return;
    if (answer.state === 'WRONG') obstacle ??= blocks;
    yield { name, text, ...answer };
  }
}

const ask = async (fact: Fact, { service, timeLimitMs, interrupted }: Examination): Promise<Answer> => {
  const signal = AbortSignal.any([AbortSignal.timeout(timeLimitMs), interrupted]);
  const client = new Client(service, signal);
  try {
    const seen = await fact.see(client);
    if (seen === fact.text) return { state: 'ok', seen };
    const { lastResponse: last } = client;
    const message = last && seen.includes(`${last.status}`) ? ` ${quote(messageOf(last), service)}` : '';
    return { state: 'WRONG', seen: `${seen}${message}; ${adviceOf(fact, last)}` };
  } catch (error) {
    if (error instanceof NotAsked) return { state: 'not asked', seen: error.message };
    if (!signal.aborted) return { state: 'WRONG', seen: explainFailure(error) };
    const seen = `not finished within ${timeLimitMs / 1_000} s; try again; check the network, and the durations and throttles in CloudWatch`;
    return { state: 'WRONG', seen };
  }
};

const adviceOf = (fact: Fact, last: Response | undefined) =>
  'model' in fact ? `correct ${fact.model}` : ((last && adviseOn(last)) ?? fact.todo);
