import { type Fault, type ForcedResponse, startFaultProxy } from '../support/fault-proxy.ts';
import { foreignResponses } from './foreign-responses.ts';
import { prepare, type Run } from './snippets.ts';

type Login = Parameters<Run>[0];
type Edit = (code: string) => string;

const withoutUnit: Edit = (code) => code.replaceAll(/(['"])kg\1/g, '$1$1');

/** A program's limit of an attempt and of a pause, in seconds or milliseconds. */
export const LIMIT = /\b60(000)?\b/g;
/**
 * In seconds, to keep the tests fast. A busy machine can exceed it, so no test with it needs a timely response. No less than
 * the own pauses of a program in these tests.
 */
export const SHORT_LIMIT = 4;
const withShortLimit: Edit = (code) => code.replace(LIMIT, `${SHORT_LIMIT}$1`);

export const UNAVAILABLE = 'The database is not available now.';

const json = { 'Content-Type': 'application/json' };

const refusal = (status: number, retryAfter?: number | string): ForcedResponse => ({
  status,
  headers: {
    'Content-Type': 'application/problem+json',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  },
  body: JSON.stringify({ detail: UNAVAILABLE, requestId: 'proxy-id' }),
});

/** Cuts the connection in the middle of the body. */
const halve = ({ status, headers, body = '' }: ForcedResponse): ForcedResponse => ({
  status,
  headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  body: body.slice(0, body.length / 2),
  ending: 'cut',
});

type FaultAt = (index: number, path: string) => Fault | 'halved' | undefined;

/** The first two attempts of each operation fail. The service keeps the second batch, but its response is lost. */
const mixedFaults = new Map<number, ReturnType<FaultAt>>([
  [0, refusal(503, 2)],
  [1, 'disconnect'],
  [3, refusal(429, 1)],
  [4, 'halved'],
  [6, halve(refusal(503, 1))],
  [7, 'loseResponse'],
]);

/** Each operation meets a 5xx without Retry-After. Only a proxy sends a 520. */
const serverFaults = new Map([
  [0, refusal(500)],
  [1, refusal(502)],
  [3, refusal(504)],
  [5, refusal(520)],
]);

/** The client is above its limits three times. */
const limited = [refusal(429, 1), refusal(429, 1), refusal(503, 1), refusal(429, 1)];

/** All attempts to read the list fail. The last response is a success that ends in the middle. */
const listFaults: FaultAt = (index) => {
  if (index === 0) return undefined;
  return index < 5 ? refusal(503, 1) : 'halved';
};

/** Ends a program at its next attempt. */
const forbidden = refusal(403);

/** The limit, a superscript digit, a number too large for any integer type, and more than the limit. */
const strangePauses = [SHORT_LIMIT, '\u00b2', '99999999999999999999', SHORT_LIMIT + 1];

const endlessResponses: Fault[] = [
  'hang',
  { status: 200, headers: { ...json, 'Content-Length': '100000' }, ending: 'endless' },
  { status: 200, headers: json, ending: 'endless' },
];

/** Redirects one request to a page where every request seems to succeed. */
const redirect =
  (redirected: number): FaultAt =>
  (index, path) => {
    const body = '{"Timestamp": "", "MaterialCodes": [], "SnapshotId": ""}';
    if (path === '/sign-in') return { status: 200, headers: json, body };
    return index === redirected ? { status: 302, headers: { Location: '/sign-in' } } : undefined;
  };

type Scenario = { edit?: Edit; password?: string; faultAt?: FaultAt };

type Scenarios = Record<string, Scenario>;

const withoutFaults: Scenarios = {
  healthy: {},
  'wrong password': { password: 'wrong' },
  'wrong batch': { edit: withoutUnit },
};

const quick: Scenarios = {
  'used-up quota': { faultAt: () => refusal(429, 3_600) },
  'redirected 0': { faultAt: redirect(0) },
  'redirected 1': { faultAt: redirect(1) },
  ...Object.fromEntries(
    [...foreignResponses].map(([name, [response]]) => [name, { faultAt: () => response }]),
  ),
};

/** Mostly waiting, so these scenarios run in parallel. */
const slow: Scenarios = {
  mixed: { faultAt: (index) => mixedFaults.get(index) },
  endless: { edit: withShortLimit, faultAt: (index) => endlessResponses[index] ?? forbidden },
  'server errors': { faultAt: (index) => serverFaults.get(index) },
  'strange pauses': { edit: withShortLimit, faultAt: (index) => refusal(503, strangePauses[index]) },
  unavailable: { faultAt: () => refusal(503, 1) },
  limited: { faultAt: (index) => limited[index] },
  'limited for long': {
    edit: withShortLimit,
    faultAt: (index) => (index < 4 ? refusal(429, SHORT_LIMIT) : forbidden),
  },
  'broken list': { faultAt: listFaults },
};

/** Runs a program with a fault proxy between it and the service. */
export const runThroughProxy = async (run: Run, account: Login, faultAt: FaultAt = () => undefined) => {
  const service = new URL(account.baseUrl);
  const proxy = await startFaultProxy(service.origin);
  const started = Date.now();
  const requests: { path: string; body: string; at: number }[] = [];
  proxy.decide(async (_action, _number, { incoming, body, forward: pass }) => {
    const { url: path = '/' } = incoming;
    const index = requests.push({ path, body: body.toString(), at: Date.now() - started }) - 1;
    const fault = faultAt(index, path) ?? 'through';
    return fault === 'halved' ? halve(await pass()) : fault;
  });
  const ended = await run({ ...account, baseUrl: proxy.endpoint + service.pathname });
  await proxy.stop();
  return {
    ...ended,
    printed: ended.stdout + ended.stderr,
    operations: requests.map(({ path }) => path.split('/').at(-1)),
    bodies: requests.map(({ body }) => body),
    /** When the program started and ended. */
    started,
    ended: Date.now(),
    /** The milliseconds from the start of the program to the arrival of a request. */
    arrival: (index: number) => Number(requests[index]?.at),
    /** The milliseconds between a request and the previous request. */
    pauseBefore: (index: number) => Number(requests[index]?.at) - Number(requests[index - 1]?.at),
  };
};

export type Outcome = Awaited<ReturnType<typeof runThroughProxy>>;

/** Runs a program in all scenarios. */
export const outcomesOf = async (language: string, account: Login) => {
  const outcomes = new Map<string, Outcome>();
  const editions = new Map<Edit | undefined, Promise<Run>>();
  const runScenario = async (name: string, { edit, password, faultAt }: Scenario) => {
    const edition = editions.get(edit) ?? prepare(language, edit);
    editions.set(edit, edition);
    const credentials = { ...account, password: password ?? account.password };
    outcomes.set(name, await runThroughProxy(await edition, credentials, faultAt));
  };
  const runInTurn = async (scenarios: Scenarios) => {
    for (const [name, scenario] of Object.entries(scenarios)) await runScenario(name, scenario);
  };
  await runInTurn(withoutFaults);
  const runs = Object.entries(slow).map(([name, scenario]) => runScenario(name, scenario));
  await Promise.all([...runs, runInTurn(quick)]);
  return outcomes;
};
