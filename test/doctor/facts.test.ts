import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quickFacts } from '../../doctor/facts/quick-facts.ts';
import type { Service } from '../../doctor/http/client.ts';
import { gatewayFacts } from '../../doctor/stage/gateway-facts.ts';
import { writeFacts } from '../../doctor/stage/write-facts.ts';
import { openFaultProxy, type Reply } from '../../local/services/fault-proxy.ts';
import { type LocalRun, rowsOf, startLocal } from '../support/local-run.ts';
import { examine } from './examine.ts';

type Call = { path: string; headers: Record<string, unknown>; httpVersion: string; body: Buffer };
type Fault = (call: Call, pass: () => Promise<Required<Reply>>) => Promise<Reply | undefined> | Reply;

let run: LocalRun;
let direct: Pick<Service, 'baseUrl' | 'username' | 'password'>;
let faulty: typeof direct;
let fault: Fault;
let proxy: Awaited<ReturnType<typeof openFaultProxy>>;

beforeAll(async () => {
  run = await startLocal();
  const { BaseUrl: baseUrl, Clients } = run.outputs();
  const [[username, password] = ['', '']] = Object.entries(Clients);
  direct = { baseUrl, username, password };
  const { origin, pathname } = new URL(baseUrl);
  proxy = await openFaultProxy(origin, async ({ path, body, pass }, { req }) =>
    fault({ path, body, headers: req.headers, httpVersion: req.httpVersion }, pass),
  );
  faulty = { ...direct, baseUrl: `${proxy.endpoint}${pathname}` };
});

afterAll(async () => {
  proxy?.close();
  await run?.stop();
});

describe('a service without faults', () => {
  test('has every quick fact, and stores nothing', async () => {
    const results = await examine(direct);
    const others = results.filter(({ state }) => state !== 'ok').map(({ name, seen }) => [name, seen]);
    expect(others).toEqual([
      ['tls', 'the base URL is http'],
      ['certificate', 'the base URL is http'],
    ]);
    for (const { text, seen, state } of results) if (state === 'ok') expect(seen).toBe(text);
    expect([await rowsOf(run, 'ChangeTimestamps'), await rowsOf(run, 'BalanceSnapshots')]).toEqual([[], []]);
  });

  test('gets no refused batch under the client of a warehouse, which would raise its alarm', async () => {
    const [result] = await examine({ ...direct, client: 'wms' }, { only: ['batch-21kb'] });
    expect(result).toMatchObject({
      state: 'not asked',
      seen: expect.stringContaining('refused batch of wms'),
    });
  });

  test('agrees with what is expected of the gateway and of changes on AWS', async () => {
    const repeated = writeFacts.filter(({ name }) => name === 'a change that is sent twice');
    const results = await examine(direct, { facts: [...gatewayFacts, ...repeated] });
    expect(results.filter(({ state }) => state !== 'ok')).toEqual([]);
  });
});

const json = (status: number, body: object, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify(body),
});
const FORBIDDEN = json(403, { message: 'Forbidden' });
const PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>\u001b[31mhello</html>' };

const replace =
  (when: (call: Call) => boolean, reply: Reply): Fault =>
  (call, pass) =>
    when(call) ? reply : pass();

const change =
  (when: (call: Call) => boolean, edit: (reply: Required<Reply>) => Reply): Fault =>
  async (call, pass) => {
    const reply = await pass();
    return when(call) ? edit(reply) : reply;
  };

const withHeader =
  (name: string, value: string) =>
  ({ headers, ...reply }: Required<Reply>): Reply => ({ ...reply, headers: { ...headers, [name]: value } });

const withBody =
  (body: string) =>
  ({ headers: { 'content-length': _, ...headers }, status }: Required<Reply>): Reply => ({
    status,
    headers,
    body,
  });

const is = (name: string) => (call: Call) => call.path.endsWith(`/${name}`);
const hasHeader = (name: string, value?: string) => (call: Call) =>
  value ? call.headers[name] === value : name in call.headers;
const asksForGzip = hasHeader('accept-encoding', 'gzip');
const isUnsigned = (call: Call) => !('authorization' in call.headers);
/** The doctor's wrong passwords are shorter than the right one. */
const hasWrongPassword = ({ headers }: Call) =>
  !/^Basic .{54}/.test(String(headers['authorization'] ?? 'Basic '.padEnd(99)));
const isSigned = (call: Call) => !isUnsigned(call) && !hasWrongPassword(call);
const isHttp10 = ({ httpVersion }: Call) => httpVersion === '1.0';
const isLarge = ({ body }: Call) => body.byteLength > 16_000;

describe('an injected fault', () => {
  test.each<[fact: string, title: string, fault: Fault, seen: RegExp]>([
    ['reach', 'no stage', replace(() => true, FORBIDDEN), /403 .+"Forbidden"; check that --base-url ends in/],
    [
      'reach',
      'throttled',
      replace(() => true, json(429, {})),
      /429 .+; other requests use up the rate limit/,
    ],
    ['reach', 'cut', () => undefined as never, /closed before the response .+; check http or https/],
    [
      'reach',
      'the firewall',
      replace(
        () => true,
        json(403, { detail: 'Turned away.' }, { 'content-type': 'application/problem+json' }),
      ),
      /403 .+"Turned away\."; the firewall counted too many requests/,
    ],
    [
      'challenge',
      'another scheme',
      change(isUnsigned, withHeader('www-authenticate', 'Digest')),
      /^401 with another challenge .+; deploy again/,
    ],
    [
      'challenge',
      'on one operation',
      replace((call) => isUnsigned(call) && is('changes')(call), PAGE),
      /^200 without WWW-Authenticate, 401 with the challenge /,
    ],
    [
      'wrong-password',
      'accepted',
      replace(hasWrongPassword, json(200, {})),
      /^200 .+; look into the authorizer/,
    ],
    ['sign-in', 'refused', replace(isSigned, json(401, {})), /^401 .+; compare with .+ clients show NAME/],
    ['sign-in', 'failing authorizer', replace(isSigned, json(503, {})), /^503 .+; .+ the authorizer's log/],
    [
      'sign-in',
      'repeated credentials',
      ({ headers }) => json(403, { message: `${headers['authorization']} is no signature` }),
      /^403 .+"Basic \[hidden\] is no signature"/,
    ],
    [
      'change',
      'accepted',
      replace(is('changes'), json(200, {})),
      /^200 "\{\}"; look into the log of the function/,
    ],
    [
      'change',
      'failing function',
      replace(is('changes'), json(500, { detail: 'Failed.', requestId: 'abc-1' })),
      /^500 "Failed\."; search the function's log for requestId abc-1$/,
    ],
    [
      'change',
      'redirected',
      replace(is('changes'), json(301, {})),
      /^301 .+; use the address that it redirects/,
    ],
    [
      'material-codes',
      'page',
      replace(is('material-codes'), PAGE),
      /^200 text\/html without a list "<html>\\u001b/,
    ],
    [
      'material-codes',
      'no list',
      replace(is('material-codes'), json(200, { MaterialCodes: {} })),
      / without a list/,
    ],
    ['purchase-orders', 'no object', replace(is('purchase-orders'), json(200, [])), / without a list "\[\]"/],
    ['gzip-response', 'never', replace(() => true, json(400, {})), /^not compressed; deploy again/],
    [
      'gzip-response',
      'damaged',
      change(asksForGzip, withBody('plain')),
      /^a compressed .+ does not decompress/,
    ],
    [
      'gzip-response',
      'for everybody',
      change(() => true, withHeader('content-encoding', 'gzip')),
      /^compressed without a request for it; deploy again .+ proxy or CDN/,
    ],
    [
      'gzip-request',
      'not unpacked',
      replace(hasHeader('content-encoding', 'gzip'), json(400, { detail: 'no JSON' })),
      /^gzip 400, deflate 400 #\/Timestamp .+; .+ the proxy that decompresses/,
    ],
    [
      'http-1.0',
      'not supported',
      replace(isHttp10, json(505, {})),
      /^505, not chunked; let such clients use 1\.1/,
    ],
    [
      'expect-continue',
      '417',
      replace(hasHeader('expect'), json(417, {})),
      /, then 417 .+; .+ switch it off/,
    ],
    [
      'batch-21kb',
      'firewall',
      replace(isLarge, json(413, {})),
      /^413 .+; allow bodies with 200 entries in the firewall/,
    ],
    ['batch-3mb', 'firewall', replace(isLarge, json(413, {})), /^413 .+; allow bodies with 40,000 entries/],
  ])('%s: %s', async (fact, _, injected, seen) => {
    fault = injected;
    const [result] = await examine(faulty, { only: [fact] });
    expect(result).toMatchObject({ name: fact, state: 'WRONG' });
    expect(`${result?.seen}; ${result?.todo}`).toMatch(seen);
  });

  test('of the credentials leaves out what could only repeat it', async () => {
    fault = replace(isSigned, json(401, {}));
    const results = await examine(faulty, { only: ['challenge', 'sign-in', 'change', 'batch-21kb'] });
    expect(results.map(({ state, seen }) => [state, seen.slice(0, 35)])).toEqual([
      ['ok', '401 with the challenge'],
      ['WRONG', expect.stringMatching(/^401/)],
      ['not asked', 'the credentials do not work (sign-in'.slice(0, 35)],
      ['not asked', 'the credentials do not work (sign-in'.slice(0, 35)],
    ]);
  });
});

test('an interruption ends the examination at once', async () => {
  const controller = new AbortController();
  fault = (_, pass) => {
    controller.abort();
    return pass();
  };
  expect(await examine(faulty, { interrupted: controller.signal })).toEqual([]);
  expect(quickFacts.length).toBeGreaterThan(0);
});
