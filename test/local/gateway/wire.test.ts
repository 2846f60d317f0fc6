import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { basic, openSocket, statusesIn } from '../../support/http-client.ts';
import { type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/* What Node's server does not decide alone. test/interface has what a client's library can send. */

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.events.length = 0;
});

const PATH = '/live/rest/warehouse-control';
const BODY = '{"Timestamp": "2026-03-01T08:15:30,123Z"}';
const LENGTH = `Content-Length: ${BODY.length}`;

/** The head of a request with credentials, byte for byte. */
const head = (line: string, ...headers: string[]) =>
  [line, 'Host: warehouse.test', `Authorization: ${basic('allowed', 'any')}`, ...headers, '\r\n'].join(
    '\r\n',
  );
const get = (target = `${PATH}/material-codes`, ...headers: string[]) =>
  head(`GET ${target} HTTP/1.1`, ...headers);
const post = (headers: string, body = BODY) => head(`POST ${PATH}/changes HTTP/1.1`, headers) + body;

const EXPECTING = post(`Expect: 100-continue\r\n${LENGTH}`);

const CONNECT = 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n';

/** Sends the text, and then closes its side of the connection. */
const sendAndLeave = async (text: string) => {
  const { hostname, port } = new URL(gateway.baseUrl);
  const socket = connect(Number(port), hostname).end(text);
  return statusesIn((await buffer(socket)).toString('latin1'));
};

/** The bodies that have reached a function. */
const bodies = () => gateway.events.flatMap(({ body }) => body ?? []);

test.each([
  ['two lengths', post('Content-Length: 41\r\nContent-Length: 40'), 400],
  ['the method of a program that takes the gateway for a proxy', CONNECT, 400],
  ['a length and chunks', post(`${LENGTH}\r\nTransfer-Encoding: chunked`, '0\r\n\r\n'), 400],
  ['a header that is too long', get(undefined, `X-Other: ${'x'.repeat(20_000)}`), 431],
])('a request with %s is refused, and reaches no function', async (_, text, status) => {
  expect(await sendAndLeave(text)).toEqual([status]);
  expect(bodies()).toEqual([]);
});

test('programs that take the gateway for a proxy and reset their connections do not end it', async () => {
  const { hostname, port } = new URL(gateway.baseUrl);
  for (let count = 0; count < 50; count += 1) {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(CONNECT, resolve));
    socket.resetAndDestroy();
  }
  expect(await sendAndLeave(get())).toEqual([200]);
});

test.each([
  ['a surplus byte behind its body', [post(`Content-Length: ${BODY.length - 1}`)], [400, 400]],
  ['a surplus byte that arrives later', [post(LENGTH), '}'], [200, 400]],
  ['garbage', [`${post(LENGTH)}garbage\r\n\r\n`], [200, 400]],
  ['a lot of garbage', [`${post(LENGTH)}${'garbage\r\n'.repeat(1_000_000)}`], [200, 400]],
  ['another request and garbage', [`${post(LENGTH)}${get()}garbage\r\n\r\n`], [200, 200, 400]],
  ['another with Expect and garbage', [`${post(LENGTH)}${EXPECTING}garbage\r\n\r\n`], [200, 100, 200, 400]],
  [
    'a header that is too long',
    [post(LENGTH) + get(undefined, `X-Other: ${'x'.repeat(20_000)}`)],
    [200, 431],
  ],
  ['another without the header Host', [post(LENGTH) + get().replace(/Host: .*\r\n/, '')], [200, 400]],
])('a request before %s gets its response, and the rest is refused in words', async (_, texts, statuses) => {
  const socket = await openSocket(gateway.baseUrl);
  for (const text of texts) {
    socket.write(text);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await socket.closed;
  expect(statusesIn(socket.received())).toEqual(statuses);
  expect(socket.received()).toMatch(/Connection: close\r\n/);
  const [, refusal = ''] = /^(?:.*\r\n\r\n)(\{.*\})$/s.exec(socket.received()) ?? [];
  expect(JSON.parse(refusal)).toEqual({
    type: 'about:blank',
    detail: expect.stringMatching(/^[A-Z].+\.$/),
    requestId: expect.stringMatching(/\w/),
  });
});

test('requests with Expect: 100-continue that are not awaited get whole responses in order', async () => {
  const socket = await openSocket(gateway.baseUrl);
  const slow = EXPECTING.replace(basic('allowed', 'any'), basic('slow', 'any'));
  socket.write(slow + EXPECTING + EXPECTING.slice(0, -BODY.length));
  await expect.poll(gateway.clock.waiting).toContain(8_000);
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  await socket.until(new RegExp(`^${CONTINUE}$`));
  gateway.clock.pass(8_000);
  const response = (user: string) =>
    String.raw`HTTP/1\.1 200 OK\r\n[^{]*\r\n\r\n\{"event":[^\r]*"principalId":"${user}"[^\r]*\}`;
  const two = `^${CONTINUE}${response('slow')}${CONTINUE}${response('allowed')}${CONTINUE}`;
  await socket.until(new RegExp(`${two}$`));
  socket.write(BODY);
  await socket.until(new RegExp(`${two}${response('allowed')}$`));
  socket.destroy();
});

test('a request of HTTP/1.0 needs no header Host', async () => {
  const old = get()
    .replace('HTTP/1.1', 'HTTP/1.0')
    .replace(/Host: .*\r\n/, '');
  expect(await sendAndLeave(old)).toEqual([200]);
});

test('a client that closes its half of the connection after its request gets the response', async () => {
  // The compression takes longer than the end of the connection.
  expect(await sendAndLeave(get(undefined, 'Accept-Encoding: gzip'))).toEqual([200]);
});

test.each([
  ['of its length', (half: string) => [`Content-Length: ${2 * half.length}`, half]],
  [
    'of its chunks',
    (half: string) => ['Transfer-Encoding: chunked', `${half.length.toString(16)}\r\n${half}\r\n`],
  ],
])('a large body that is cut off in the middle %s reaches no function', async (_, framed) => {
  // The JSON is complete, so only the framing shows that a part is missing.
  const [framing = '', sent] = framed(`{}${' '.repeat(1_000_000)}`);
  expect(await sendAndLeave(post(framing, sent))).toEqual([400]);
  expect(bodies()).toEqual([]);
});

test('a body of a client that leaves before the response is served anyway', async () => {
  const socket = await openSocket(gateway.baseUrl);
  socket.write(post(LENGTH));
  socket.destroy();
  await expect.poll(bodies).toEqual([BODY]);
});

/** The last request of each connection. */
const LAST = get(`${PATH}/purchase-orders`);
const SERVED_LAST = /"resource":"\/rest\/warehouse-control\/purchase-orders".*\}$/;
const SIZE = 10 * 1024 * 1024 + 1;

test.each<[string, () => string, number[]]>([
  ['requests that are not awaited', () => post(LENGTH) + get() + get('/live/nowhere'), [200, 200, 404]],
  [
    'the rest of a body that is longer than its length, which needs its own credentials',
    () => `${post('Content-Length: 1', '{')}${get().replace(/Authorization: .*\r\n/, '')}`,
    [400, 401],
  ],
  ['an Expect header without 100-continue', () => get('/live/nowhere', 'Expect:'), [404]],
  ['HEAD, whose response has no body', () => head(`HEAD ${PATH}/material-codes HTTP/1.1`), [404]],
  ['a body over the limit of the gateway', () => post(`Content-Length: ${SIZE}`, ' '.repeat(SIZE)), [413]],
  ['a GET of a whole URL, as for a proxy', () => get(`http://warehouse.test${PATH}/material-codes`), [200]],
])('a connection carries %s, and then the next request', async (_, requests, statuses) => {
  const socket = await openSocket(gateway.baseUrl);
  socket.write(requests() + LAST);
  await socket.until(SERVED_LAST);
  socket.destroy();
  expect(statusesIn(socket.received())).toEqual([...statuses, 200]);
});
