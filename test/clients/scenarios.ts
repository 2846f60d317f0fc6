import { foreignAnswers } from './foreign-answers.ts';
import { prepare, type Run } from './snippets.ts';
import { type Reply, startUnreliableWay, type Trouble } from './unreliable-way.ts';

type Account = Parameters<Run>[0];

const withoutUnit = (code: string) => code.replaceAll(/(['"])kg\1/g, '$1$1');

/** Of a program, in seconds or milliseconds. */
export const TIME_OUT = /\b60(000)?\b/g;
/** In seconds; a program that is in such a hurry need not be waited for. */
export const IMPATIENCE = 5;
const impatient = (code: string) => code.replace(TIME_OUT, `${IMPATIENCE}$1`);

/** In seconds, for a pause alone. */
export const LONGEST_PAUSE = 3;
const unresting = (code: string) => code.replace(TIME_OUT, `${LONGEST_PAUSE}$1`);

export const UNAVAILABLE = 'The store cannot take this now.';

const refusal = (status: number, retryAfter: number | string): Reply => ({
  status,
  headers: { 'Content-Type': 'application/problem+json', 'Retry-After': String(retryAfter) },
  body: JSON.stringify({ status, detail: UNAVAILABLE, requestId: 'of-the-way' }),
});

/** Of each operation the first two attempts fail; the second one of the batch is kept without an answer. */
const many = new Map<number, Trouble>([
  [0, refusal(503, 2)],
  [1, 'cut'],
  [3, refusal(429, 1)],
  [4, 'halve'],
  [6, { ...refusal(503, 1), isHalved: true }],
  [7, 'lose'],
]);

/** Of the list, no attempt succeeds, and the last one ends in the middle of what looks like success. */
const toTheEnd = (index: number): Trouble | undefined => {
  if (index === 0) return undefined;
  return index < 5 ? refusal(503, 1) : 'halve';
};

/** The first is no number, though it may look like one, the second is more than anything holds, the third is a year. */
const strangePauses = ['\u00b2', '99999999999999999999', '31536000'];

/** Of each operation the first attempt fails, and what is said about when to come again is of no use. */
const misled = (index: number) => {
  const pause = index % 2 === 0 ? strangePauses[index / 2] : undefined;
  return pause === undefined ? undefined : refusal(503, pause);
};

const json = { 'Content-Type': 'application/json' };

/** The first answer has no end, and neither has the second one. */
const dripping: Trouble[] = [
  { status: 200, headers: { ...json, 'Content-Length': '100000' }, isEndless: true },
  { status: 200, headers: json, isEndless: true },
];

export const runThrough = async (
  run: Run,
  account: Account,
  troubleOf: (index: number) => Trouble | undefined,
) => {
  const way = await startUnreliableWay(account.baseUrl, troubleOf);
  const outcome = await run({ ...account, baseUrl: way.baseUrl });
  way.stop();
  return {
    outcome,
    operations: way.arrivals.map(({ path }) => path.split('/').at(-1)),
    bodies: way.arrivals.map(({ body }) => body),
    /** Between a request and the one before it, in milliseconds. */
    pauseBefore: (index: number) => Number(way.arrivals[index]?.at) - Number(way.arrivals[index - 1]?.at),
  };
};

/** One request is sent elsewhere, where everything seems to succeed. */
const runRedirected = async (run: Run, account: Account, redirected: number) => {
  const elsewhere = await startUnreliableWay(account.baseUrl, () => ({
    status: 200,
    headers: json,
    body: '{"Timestamp": "", "MaterialCodes": [], "SnapshotId": ""}',
  }));
  const headers = { Location: `${elsewhere.baseUrl}/sign-in` };
  const through = await runThrough(run, account, (index) =>
    index === redirected ? { status: 302, headers } : undefined,
  );
  elsewhere.stop();
  return { ...through, requestsElsewhere: elsewhere.arrivals.map(({ path }) => path) };
};

const runAmongForeigners = async (run: Run, account: Account) => {
  const ended = new Map<string, Awaited<ReturnType<typeof runThrough>>>();
  for (const [name, { reply }] of Object.entries(foreignAnswers)) {
    ended.set(name, await runThrough(run, account, () => reply));
  }
  return ended;
};

/** What a program makes of a service that works, of its own faults, and of a service that is hard to reach. */
export const outcomesOf = async (language: string, account: Account) => {
  const [run, runSpoiled, runImpatient, runUnresting] = await Promise.all([
    prepare(language),
    prepare(language, withoutUnit),
    prepare(language, impatient),
    prepare(language, unresting),
  ]);
  const plain = await run(account);
  const stranger = await run({ ...account, password: 'wrong' });
  const spoiled = await runSpoiled(account);
  const [troubled, silenced, dripped, waited, givenUp, brokenOff, redirected, foreign] = await Promise.all([
    runThrough(run, account, (index) => many.get(index)),
    runThrough(runImpatient, account, (index) => (index === 0 ? 'stall' : undefined)),
    runThrough(runImpatient, account, (index) => dripping[index]),
    runThrough(runUnresting, account, misled),
    runThrough(run, account, () => refusal(503, 1)),
    runThrough(run, account, toTheEnd),
    Promise.all([runRedirected(run, account, 0), runRedirected(run, account, 1)]),
    runAmongForeigners(run, account),
  ]);
  return {
    plain,
    stranger,
    spoiled,
    troubled,
    silenced,
    dripped,
    waited,
    givenUp,
    brokenOff,
    redirected,
    foreign,
  };
};

export type Outcomes = Awaited<ReturnType<typeof outcomesOf>>;
