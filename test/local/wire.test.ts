import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { basic, openSocket, statusesIn } from '../support/http-client.ts';
import { type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/** RFC 9110 and 9112, which old clients rely on. */

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
const CHUNKED = `29\r\n${BODY}\r\n0\r\n\r\n`;

/** The head of a request with credentials, byte for byte. */
const head = (line: string, ...headers: string[]) =>
  [line, 'Host: warehouse.test', `Authorization: ${basic('allowed', 'any')}`, ...headers, '\r\n'].join(
    '\r\n',
  );
const get = (target = `${PATH}/material-codes`, ...headers: string[]) =>
  head(`GET ${target} HTTP/1.1`, ...headers);
const post = (headers: string, body = BODY) => head(`POST ${PATH}/changes HTTP/1.1`, headers) + body;

const open = () => openSocket(gateway.baseUrl);

/** The statuses of all answers until the gateway closes the connection. A reset may lose the last ones. */
const untilClosed = async (text: string) => {
  const socket = await open();
  socket.write(text);
  await socket.closed.catch(() => {});
  return statusesIn(socket.received());
};

/** Sends the text, and then closes its side of the connection. */
const sendAndLeave = async (text: string) => {
  const { hostname, port } = new URL(gateway.baseUrl);
  const socket = connect(Number(port), hostname).end(text);
  return statusesIn((await buffer(socket)).toString('latin1'));
};

/** The bodies that have reached a function. */
const bodies = () => gateway.events.map(({ body }) => body);

describe('a request is refused with a 400 and the end of its connection, and reaches no function whole, if it', () => {
  test.each([
    ['is longer than its Content-Length', `Content-Length: ${BODY.length - 1}`],
    ['has no length at all', 'X-Other: 1'],
    ['has a Content-Length of 0 and a body', 'Content-Length: 0'],
    ['has an empty Content-Length', 'Content-Length:'],
    ['has a Content-Length past all numbers', 'Content-Length: 99999999999999999999'],
    ['has two Content-Lengths', 'Content-Length: 41\r\nContent-Length: 40'],
    ['has a folded header', 'Content-Length: 41\r\nX-Other: 1\r\n 2'],
    ['has a line that ends in a bare LF', 'Content-Length: 41\nX-Other: 1'],
    ['has a NUL in a header', 'Content-Length: 41\r\nX-Other: 1\x002'],
    ['has a length and chunks', 'Content-Length: 41\r\nTransfer-Encoding: chunked', CHUNKED],
    ['has a coding after the chunks', 'Transfer-Encoding: chunked, gzip', CHUNKED],
    ['has another coding than chunks', 'Transfer-Encoding: gzip'],
    ['has a chunk size that is no number', 'Transfer-Encoding: chunked', `zz\r\n${BODY}\r\n0\r\n\r\n`],
    ['has a chunk longer than its size', 'Transfer-Encoding: chunked', `28\r\n${BODY}\r\n0\r\n\r\n`],
  ])('%s', async (_, headers, body = BODY) => {
    // One response if the end of the request is unclear. Two if the request ends too early, so its JSON is incomplete.
    expect(new Set(await untilClosed(post(headers, body)))).toEqual(new Set([400]));
    expect(bodies()).not.toContain(BODY);
  });

  test.each([
    ['is no HTTP', 'hello\r\n\r\n'],
    ['has no Host', `GET ${PATH}/material-codes HTTP/1.1\r\n\r\n`],
    ['has a blank in its target', get(`${PATH}/material codes`)],
    ['has bytes past ASCII in its target', get(`${PATH}/С`)],
    ['has a method in small letters', get().replace('GET', 'get')],
    ['has a method that nobody knows', get().replace('GET', 'BREW')],
  ])('%s', async (_, text) => {
    expect(await untilClosed(text)).toEqual([400]);
    expect(bodies()).toEqual([]);
  });
});

test.each([
  ['in the request line', get(`${PATH}/material-codes?${'x'.repeat(20_000)}`)],
  ['in one header', get(undefined, `X-Other: ${'x'.repeat(20_000)}`)],
])('headers over the limits %s are a 431 and the end of the connection', async (_, text) => {
  expect(await untilClosed(text)).toEqual([431]);
});

describe('on one connection', () => {
  const stranger = post(`${LENGTH}\r\nConnection: close`).replace(/Authorization: .*\r\n/, '');
  const tooLong = post('Content-Length: 2', '{}');

  test.each([
    [
      'the rest of a body that is longer than its Content-Length needs its own credentials',
      tooLong + stranger,
      [200, 401],
    ],
  ])('%s', async (_, text, statuses) => {
    expect(await untilClosed(text)).toEqual(statuses);
  });
});

test('a client that closes its half of the connection after its request gets the response', async () => {
  expect(await sendAndLeave(get())).toEqual([200]);
});

test.each([
  ['of its length', (half: string) => [`Content-Length: ${2 * half.length}`, half]],
  [
    'of a chunk',
    (half: string) => ['Transfer-Encoding: chunked', `${(2 * half.length).toString(16)}\r\n${half}`],
  ],
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

test.each([
  ['that is cut off reaches no function', -1, []],
  ['of a client that leaves before the answer is served anyway', undefined, [BODY]],
])('a body %s', async (_, end, served) => {
  const socket = await open();
  socket.write(post(LENGTH, BODY.slice(0, end)));
  socket.destroy();
  await socket.closed;
  expect((await gateway.request('material-codes')).status).toBe(200);
  await expect.poll(() => bodies().filter((body) => body !== null)).toEqual(served);
});

const OK = /HTTP\/1\.1 200 OK\r\n(.+\r\n)*\r\n\{"event":.*\}$/;
/** The last request of each connection. */
const LAST = get(`${PATH}/purchase-orders`);
const SERVED_LAST = /"resource":"\/rest\/warehouse-control\/purchase-orders".*\}$/;

/** Sends each text after the expected answer to the previous one. Returns all bytes that arrived. */
const exchange = async (...steps: [text: string, answer: RegExp][]) => {
  const socket = await open();
  for (const [text, answer] of steps) {
    socket.write(text);
    await socket.until(answer);
  }
  socket.destroy();
  return socket.received();
};

const EXPECT = `${LENGTH}\r\nExpect: 100-continue`;
const SIZE = 10 * 1024 * 1024 + 1;
const NAMES = ['Accept-Encoding', 'Accept', 'User-Agent', 'Content-Encoding', 'X-Other'];
const BLANKS = NAMES.flatMap((name) => [`${name}:`, `${name}: `, `${name}: \t `]);
const CHUNKS = `7\r\n${BODY.slice(0, 7)}\r\n22\r\n${BODY.slice(7)}\r\n0\r\n\r\n`;

test.each<[string, () => string, number[]]>([
  ['requests that are not awaited', () => post(LENGTH) + get() + get('/live/nowhere'), [200, 200, 404]],
  [
    'requests behind refused ones, and an extra line end after a body, as old clients send it',
    () => `${post('Content-Length: 1', '{')}${get().replace(/Authorization: .*\r\n/, '')}${post(LENGTH)}\r\n`,
    [400, 401, 200],
  ],
  ['HEAD, whose answer has no body', () => head(`HEAD ${PATH}/material-codes HTTP/1.1`), [404]],
  ['a body over the limit of the gateway', () => post(`Content-Length: ${SIZE}`, ' '.repeat(SIZE)), [413]],
  [
    'a GET with a body, which is not read as a request',
    () => get(undefined, `Content-Length: ${get('/live/nowhere').length}`) + get('/live/nowhere'),
    [200],
  ],
  ['a GET of a whole URL, as for a proxy', () => get(`http://warehouse.test${PATH}/material-codes`), [200]],
  ['hundreds of headers', () => post([LENGTH, ...Array(500).fill('X-Other: 1')].join('\r\n')), [200]],
  ['headers without values', () => post([LENGTH, ...BLANKS].join('\r\n')), [200]],
  ['chunks without a length', () => post('Transfer-Encoding: chunked', CHUNKS), [200]],
  ['a body before the 100 Continue that it asks for', () => post(EXPECT), [100, 200]],
  ['another expectation, and skips its body', () => post(`${LENGTH}\r\nExpect: a-miracle`), [417]],
])('a connection carries %s, and then the next request', async (_, requests, statuses) => {
  const received = await exchange([requests() + LAST, SERVED_LAST]);
  expect(statusesIn(received)).toEqual([...statuses, 200]);
  expect(received).not.toMatch(/^Connection: close/im);
});

test('Expect: 100-continue is answered before the body, which then arrives', async () => {
  await exchange([post(EXPECT, ''), /^HTTP\/1\.1 100 Continue\r\n\r\n$/], [BODY, OK]);
  expect(bodies()).toEqual([BODY]);
});
