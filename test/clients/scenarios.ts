import { type Fault, type Reply, startFaultProxy } from '../support/fault-proxy.ts';
import { foreignReplies } from './foreign-replies.ts';
import { prepare, type Run } from './snippets.ts';

type Account = Parameters<Run>[0];

const withoutUnit = (code: string) => code.replaceAll(/(['"])kg\1/g, '$1$1');

/** A program's time-out, in seconds or milliseconds. */
export const TIME_OUT = /\b60(000)?\b/g;
/** Time-outs in seconds, so that the tests need not wait for a minute. */
export const SHORT_TIME_OUT = 5;
export const SHORT_PAUSE = 3;
const timeOutAfter = (seconds: number) => (code: string) => code.replace(TIME_OUT, `${seconds}$1`);

export const UNAVAILABLE = 'The store cannot take this now.';

const json = { 'Content-Type': 'application/json' };

const refusal = (status: number, retryAfter: number | string): Reply => ({
  status,
  headers: { 'Content-Type': 'application/problem+json', 'Retry-After': String(retryAfter) },
  body: JSON.stringify({ status, detail: UNAVAILABLE, requestId: 'proxy-id' }),
});

/** Ends the connection in the middle of the body. */
const halve = ({ status, headers, body = '' }: Reply): Reply => ({
  status,
  headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  body: body.slice(0, body.length / 2),
  ending: 'cut',
});

type FaultAt = (index: number) => Fault | 'halved' | undefined;

/** The first two attempts of each operation fail. The service keeps the second batch, but its answer is lost. */
const mixedFaults = new Map<number, ReturnType<FaultAt>>([
  [0, refusal(503, 2)],
  [1, 'cut'],
  [3, refusal(429, 1)],
  [4, 'halved'],
  [6, halve(refusal(503, 1))],
  [7, 'lost'],
]);

/** All attempts to read the list fail. The last answer is a success that ends in the middle. */
const listFaults: FaultAt = (index) => {
  if (index === 0) return undefined;
  return index < 5 ? refusal(503, 1) : 'halved';
};

/** The first looks like a number but is none, the second is too large for any type, the third is a year. */
const strangePauses = ['\u00b2', '99999999999999999999', '31536000'];

/** The first attempt of each operation fails, with a useless Retry-After. */
const strangeRefusals: FaultAt = (index) => {
  const pause = index % 2 === 0 ? strangePauses[index / 2] : undefined;
  return pause === undefined ? undefined : refusal(503, pause);
};

const endlessReplies: Reply[] = [
  { status: 200, headers: { ...json, 'Content-Length': '100000' }, ending: 'endless' },
  { status: 200, headers: json, ending: 'endless' },
];

/** Runs a program with a fault proxy between it and the service. */
export const runThrough = async (run: Run, account: Account, faultAt: FaultAt) => {
  const service = new URL(account.baseUrl);
  const proxy = await startFaultProxy(service.origin);
  const requests: { path: string; body: string; at: number }[] = [];
  proxy.decide(async (_action, _number, { path, body, pass }) => {
    const index = requests.push({ path, body: body.toString(), at: performance.now() }) - 1;
    const fault = faultAt(index) ?? 'through';
    return fault === 'halved' ? halve(await pass()) : fault;
  });
  const outcome = await run({ ...account, baseUrl: proxy.endpoint + service.pathname });
  await proxy.stop();
  return {
    outcome,
    operations: requests.map(({ path }) => path.split('/').at(-1)),
    bodies: requests.map(({ body }) => body),
    /** The milliseconds between a request and the one before it. */
    pauseBefore: (index: number) => Number(requests[index]?.at) - Number(requests[index - 1]?.at),
  };
};

/** Redirects one request to another server, where everything seems to succeed. */
const runRedirected = async (run: Run, account: Account, redirected: number) => {
  const elsewhere = await startFaultProxy(account.baseUrl);
  const body = '{"Timestamp": "", "MaterialCodes": [], "SnapshotId": ""}';
  elsewhere.decide(() => ({ status: 200, headers: json, body }));
  const headers = { Location: `${elsewhere.endpoint}/sign-in` };
  const through = await runThrough(run, account, (index) =>
    index === redirected ? { status: 302, headers } : undefined,
  );
  await elsewhere.stop();
  return { ...through, requestsElsewhere: elsewhere.calls.length };
};

const runWithForeignReplies = async (run: Run, account: Account) => {
  const outcomes = new Map<string, Awaited<ReturnType<typeof runThrough>>>();
  for (const [name, [reply]] of foreignReplies)
    outcomes.set(name, await runThrough(run, account, () => reply));
  return outcomes;
};

/** Runs a program against a healthy service, with its own mistakes, and with many faults between the two. */
export const outcomesOf = async (language: string, account: Account) => {
  const [run, runWithoutUnit, runHurried, runWithShortPause] = await Promise.all([
    prepare(language),
    prepare(language, withoutUnit),
    prepare(language, timeOutAfter(SHORT_TIME_OUT)),
    prepare(language, timeOutAfter(SHORT_PAUSE)),
  ]);
  const healthy = await run(account);
  const wrongPassword = await run({ ...account, password: 'wrong' });
  const wrongBatch = await runWithoutUnit(account);
  const [mixed, silent, endless, strangePause, unavailable, brokenList, redirected, foreign] =
    await Promise.all([
      runThrough(run, account, (index) => mixedFaults.get(index)),
      runThrough(runHurried, account, (index) => (index === 0 ? 'silent' : undefined)),
      runThrough(runHurried, account, (index) => endlessReplies[index]),
      runThrough(runWithShortPause, account, strangeRefusals),
      runThrough(run, account, () => refusal(503, 1)),
      runThrough(run, account, listFaults),
      Promise.all([runRedirected(run, account, 0), runRedirected(run, account, 1)]),
      runWithForeignReplies(run, account),
    ]);
  const through = [
    mixed,
    silent,
    endless,
    strangePause,
    unavailable,
    brokenList,
    ...redirected,
    ...foreign.values(),
  ];
  return {
    healthy,
    wrongPassword,
    wrongBatch,
    mixed,
    silent,
    endless,
    strangePause,
    unavailable,
    brokenList,
    redirected,
    foreign,
    all: [healthy, wrongPassword, wrongBatch, ...through.map(({ outcome }) => outcome)],
  };
};

export type Outcomes = Awaited<ReturnType<typeof outcomesOf>>;
