import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Login } from '../../doctor/http/caller.ts';
import { gatewayFacts, methodFacts, writeFacts } from '../../doctor/trial/request-facts.ts';
import type { HttpResponse } from '../../local/http.ts';
import { type AwsCall, openProxy } from '../../local/services/proxy.ts';
import { type LocalRun, rowsOf, startLocal } from '../support/local-run.ts';
import { examine } from './examine.ts';

type Fault = (call: AwsCall) => Promise<HttpResponse | undefined> | HttpResponse;

let run: LocalRun;
let direct: Pick<Login, 'baseUrl' | 'userName' | 'password'>;
let faulty: typeof direct;
let fault: Fault;
let proxy: Awaited<ReturnType<typeof openProxy>>;

beforeAll(async () => {
  run = await startLocal();
  const { BaseUrl: baseUrl, Clients } = run.outputs();
  const [[userName, password] = ['', '']] = Object.entries(Clients);
  direct = { baseUrl, userName, password };
  const { origin, pathname } = new URL(baseUrl);
  proxy = await openProxy(origin, async (call) => fault(call));
  faulty = { ...direct, baseUrl: `${proxy.endpoint}${pathname}` };
});

afterAll(async () => {
  proxy?.close();
  await run?.stop();
});

describe('a sound service', () => {
  test('has every quick fact, and stores nothing', async () => {
    const results = await examine(direct);
    const others = results.filter(({ state }) => state !== 'ok').map(({ name, seen }) => [name, seen]);
    expect(others).toEqual([
      ['tls', 'the base URL is http'],
      ['certificate', 'the base URL is http'],
    ]);
    expect([await rowsOf(run, 'ChangeTimestamps'), await rowsOf(run, 'BalanceSnapshots')]).toEqual([[], []]);
  });

  test('gets no refused batch under the client of a warehouse, which would raise its alarm', async () => {
    const [result] = await examine({ ...direct, client: 'wms' }, { only: ['batch-21kb'] });
    expect(result).toMatchObject({
      state: 'not checked',
      seen: expect.stringContaining('refused batch of wms'),
    });
  });

  test('agrees with what is expected of the gateway and of changes on AWS', async () => {
    const ofGateway = { ...gatewayFacts, ...methodFacts };
    const only = [...Object.keys(ofGateway), 'a change that is sent twice'];
    const results = await examine(direct, { facts: { ...ofGateway, ...writeFacts }, only });
    expect(results.filter(({ state }) => state !== 'ok')).toEqual([]);
  });
});

const json = (status: number, body: object = {}, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: JSON.stringify(body),
});
const PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>\u001b[31mhello</html>' };
const saysDenied = json(200, { status: 401 }, { 'content-type': 'application/json' });
const FORBIDDEN = json(403, { message: 'Forbidden' });
const BLOCKED = json(403, { detail: 'Turned away.' }, { 'content-type': 'application/problem+json' });

type When = (call: AwsCall) => boolean;
const inject =
  (when: When, change: HttpResponse | Fault): Fault =>
  (call) => {
    if (!when(call)) return call.forward();
    return typeof change === 'function' ? change(call) : change;
  };
const setHeader =
  (header: Record<string, string>): Fault =>
  async ({ forward: pass }) => {
    const { headers, ...response } = await pass();
    return { ...response, headers: { ...headers, ...header } };
  };
const cut: Fault = async () => undefined;

const always = () => true;
const is =
  (name: string) =>
  ({ incoming }: AwsCall) =>
    incoming.url?.endsWith(`/${name}`) === true;
const hasHeader =
  (name: string, value?: string) =>
  ({ incoming: { headers } }: AwsCall) =>
    value ? headers[name] === value : name in headers;
const isUnsigned = ({ incoming }: AwsCall) => !('authorization' in incoming.headers);
/** The doctor's wrong passwords are shorter than the right one. */
const hasWrongPassword = ({ incoming }: AwsCall) =>
  !/^Basic .{54}/.test(incoming.headers.authorization ?? 'Basic '.padEnd(99));
const isSigned = (call: AwsCall) => !isUnsigned(call) && !hasWrongPassword(call);
const asksForOrders = (call: AwsCall) => isSigned(call) && is('purchase-orders')(call);
const isUnsignedChange = (call: AwsCall) => isUnsigned(call) && is('changes')(call);
const isHttp10 = ({ incoming }: AwsCall) => incoming.httpVersion === '1.0';
const isLarge = ({ body }: AwsCall) => body.byteLength > 16_000;
const asksForGzip = hasHeader('accept-encoding', 'gzip');
const asksForPlain = (call: AwsCall) => !asksForGzip(call);
const isNobody = ({ incoming }: AwsCall) =>
  `${incoming.headers.authorization}`.startsWith(`Basic ${btoa('nobody')}`);
const sendsGzip = hasHeader('content-encoding', 'gzip');
const sendsDeflate = hasHeader('content-encoding', 'deflate');
const GZIP = { 'content-encoding': 'gzip' };
const PLAIN = { 'content-encoding': 'plain' };
const otherChallenge = setHeader({ 'www-authenticate': 'Digest' });
const repeatHeader: Fault = ({ incoming }) =>
  json(403, { message: `${incoming.headers.authorization} is no signature` });
const chosenId = json(400, { requestId: 'chosen-by-the-doctor' });
const killed = json(502, { detail: 'Killed.', requestId: 'abc-2' });
const failed = json(500, { detail: 'Failed.\n  Twice.', requestId: 'abc-1' });

describe('an injected fault', () => {
  test.each<[fact: string, seen: RegExp, when: When, change: HttpResponse | Fault]>([
    ['reach', /403 .+"Forbidden"; check that --base-url ends in/, always, FORBIDDEN],
    ['reach', /429 .+; other requests use up the limits of the client's slot/, always, json(429)],
    ['reach', /403 .+"Turned away\."; the firewall counted too many requests/, always, BLOCKED],
    ['challenge', /^401 with another challenge .+; deploy again/, isUnsigned, otherChallenge],
    ['challenge', /^200 without WWW-Authenticate, 401 with the challenge /, isUnsignedChange, PAGE],
    ['wrong-password', /^200 .+; look into the authorizer/, hasWrongPassword, json(200)],
    ['wrong-password', /^401 with the challenge, 200 /, isNobody, json(200)],
    ['sign-in', /^401 .+; see whether `.+ clients show NAME`/, isSigned, json(401)],
    ['sign-in', /^200 \(but 401 in the body\) .+; see whether/, isSigned, saysDenied],
    ['sign-in', /^200 text\/html "<html>.+; see whether/, isSigned, PAGE],
    ['sign-in', /^503 .+; if there is no client yet, add one: .+ the authorizer's log/, isSigned, json(503)],
    ['sign-in', /^403 .+"Basic \[hidden\] is no signature"/, always, repeatHeader],
    ['request-id', /^the gateway's, another or none; search the logs by /, is('changes'), chosenId],
    ['change', /^200 "\{\}"; look into the log of the function/, is('changes'), json(200)],
    ['change', /^500 "Failed\. Twice\."; .+ function's log for requestId abc-1$/, is('changes'), failed],
    ['change', /^301 .+; use the URL that it redirects/, is('changes'), json(301)],
    ['change', /^504 .+; search the function's log$/, is('changes'), json(504)],
    ['not-utf-8', /^400 for another reason .+; see what/, is('changes'), json(400, { detail: 'UTF-8' })],
    ['not-utf-8', /^200 for another reason /, is('changes'), json(200)],
    ['material-codes', /^200 text\/html without a list "<html>\\u001b/, is('material-codes'), PAGE],
    ['material-codes', / without a list/, is('material-codes'), json(200, { MaterialCodes: {} })],
    ['purchase-orders', / without a list "\[\]"/, is('purchase-orders'), json(200, [])],
    ['gzip-response', /^plain 400 .+ request plain 400 .+; deploy again/, always, json(400)],
    ['gzip-response', /^plain 502 .+ request gzip 400 .+; search the function's log/, asksForPlain, killed],
    // Reads like the absence of the header.
    ['gzip-response', /^plain 400 .+ request gzip 400 .+; deploy again/, asksForPlain, setHeader(PLAIN)],
    ['gzip-response', /^a compressed .+ does not decompress/, asksForGzip, json(400, {}, GZIP)],
    ['gzip-response', /^gzip 400 .+ request gzip 400 .+ proxy or CDN/, always, setHeader(GZIP)],
    ['gzip-request', /^gzip 400, deflate 400 #\/Timestamp .+; .+ find the proxy /, sendsGzip, json(400)],
    ['gzip-request', /^gzip 502, deflate 400 .+ "Killed\."; .+ requestId abc-2$/, sendsGzip, killed],
    ['gzip-request', /^gzip 400 #\/Timestamp, deflate 415 .+; deploy/, sendsDeflate, json(415)],
    ['http-1.0', /^502 not chunked .+; search the function's log for requestId abc-2$/, isHttp10, killed],
    ['http-1.0', /^505 not chunked .+; let programs change from 1\.0 to 1\.1/, isHttp10, json(505)],
    ['expect-continue', /, then 417 .+; .+ switch Expect off/, hasHeader('expect'), json(417)],
    ['batch-21kb', /^413 .+; allow bodies with 200 entries in the firewall/, isLarge, json(413)],
    ['batch-3mb', /^413 .+; allow bodies with 40\u202f000 entries/, isLarge, json(413)],
  ])('of %s is seen as %s', async (fact, seen, when, change) => {
    fault = inject(when, change);
    const [result] = await examine(faulty, { only: [fact] });
    expect(result).toMatchObject({ name: fact, state: 'WRONG', seen: expect.stringMatching(seen) });
  });

  test.each<[string, HttpResponse | Fault, RegExp]>([
    ['refuses', json(503), /^503 .+; if there is no client yet, .+ throttles/],
    ['cuts', cut, /closed before the response; check http or https/],
  ])('of a table that %s is not taken for one of the credentials', async (_, change, seen) => {
    fault = inject(asksForOrders, change);
    const results = await examine(faulty, { only: ['sign-in', 'change', 'material-codes'] });
    expect(results.map(({ state }) => state)).toEqual(['WRONG', 'ok', 'ok']);
    expect(results[0]?.seen).toMatch(seen);
  });

  test('of the authorizer is seen by methods without a route, which have a wrong password', async () => {
    fault = inject(hasWrongPassword, json(401));
    const results = await examine(faulty, { facts: methodFacts });
    const seen = expect.stringMatching(/^401 .+; correct .+ SECURITY\.md$/);
    expect(results).toMatchObject(Array(3).fill({ state: 'WRONG', seen }));
  });

  test('of the credentials leaves out what could only repeat it', async () => {
    fault = inject(isSigned, json(401));
    const results = await examine(faulty, { only: ['challenge', 'sign-in', 'change', 'batch-21kb'] });
    const notAsked = { state: 'not checked', seen: 'the credentials do not work (sign-in)' };
    expect(results).toMatchObject([{ state: 'ok' }, { state: 'WRONG' }, notAsked, notAsked]);
  });
});
