import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { batchOf } from '../support/batches.ts';
import { openSocket, statusesIn } from '../support/http-client.ts';
import { type LocalRun, rowsOf, startLocal } from '../support/local-run.ts';

/** RFC 9110 and 9112, which old clients rely on. */

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal();
});

const PATH = '/live/rest/warehouse-control';
const BODY = '{"Timestamp": "2026-03-01T08:15:30,123Z"}';
const LENGTH = `Content-Length: ${BODY.length}`;

/** The head of a request with credentials, byte for byte. */
const head = (line: string, ...headers: string[]) =>
  [line, 'Host: warehouse.test', `Authorization: ${run.authorization()}`, ...headers, '\r\n'].join('\r\n');
const get = (target = `${PATH}/material-codes`, ...headers: string[]) =>
  head(`GET ${target} HTTP/1.1`, ...headers);
const post = (path: string, ...headers: string[]) =>
  head(`POST ${PATH}/${path} HTTP/1.1`, 'Content-Type: application/json', ...headers);

const open = () => openSocket(run.outputs().BaseUrl);

const CHUNKED = `29\r\n${BODY}\r\n0\r\n\r\n`;

const postOf = (headers: string, body = BODY) => post('changes', headers) + body;

/** All bytes until the service closes the connection. A reset may lose the last ones. */
const untilClosed = async (text: string) => {
  const socket = await open();
  socket.write(text);
  await socket.closed.catch(() => {});
  return statusesIn(socket.received());
};

/** Sends the text, and then closes its side of the connection. */
const sendAndLeave = async (text: string) => {
  const { hostname, port } = new URL(run.outputs().BaseUrl);
  const socket = connect(Number(port), hostname).end(text);
  return statusesIn((await buffer(socket)).toString('latin1'));
};

const expectUnharmed = async () => expect((await run.get('material-codes')).status).toBe(200);

describe('a request that is refused with a 400 and the end of its connection, and is kept nowhere,', () => {
  test.each([
    ['is longer than its Content-Length', `Content-Length: ${BODY.length - 1}`],
    ['has no length at all', 'X-Other: 1'],
    ['has a Content-Length of 0 and a body', 'Content-Length: 0'],
    ['has an empty Content-Length', 'Content-Length:'],
    ['has a signed Content-Length', 'Content-Length: +41'],
    ['has a hexadecimal Content-Length', 'Content-Length: 0x29'],
    ['has a Content-Length past all numbers', 'Content-Length: 99999999999999999999'],
    ['has a list for its Content-Length', 'Content-Length: 41, 41'],
    ['has two Content-Lengths', 'Content-Length: 41\r\nContent-Length: 40'],
    ['has the same Content-Length twice', 'Content-Length: 41\r\nContent-Length: 41'],
    ['has a blank before the colon', 'Content-Length : 41'],
    ['has a folded header', 'Content-Length: 41\r\nX-Other: 1\r\n 2'],
    ['has a line that ends in a bare LF', 'Content-Length: 41\nX-Other: 1'],
    ['has a bare CR in a header', 'Content-Length: 41\r\nX-Other: 1\r2'],
    ['has a NUL in a header', 'Content-Length: 41\r\nX-Other: 1\x002'],
    ["has a NUL in a header's name", 'Content-Length: 41\r\nX-\x00Other: 1'],
  ])('%s', async (_, headers) => {
    // One response if the end of the request is unclear. Two if the request ends too early, so its JSON is incomplete.
    expect(new Set(await untilClosed(postOf(headers)))).toEqual(new Set([400]));
    await expectUnharmed();
  });

  test.each([
    ['has a length and chunks', 'Content-Length: 41\r\nTransfer-Encoding: chunked', CHUNKED],
    ['has chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 41', CHUNKED],
    ['has a coding after the chunks', 'Transfer-Encoding: chunked, gzip', CHUNKED],
    ['has another coding than chunks', 'Transfer-Encoding: gzip', BODY],
    ['has an unknown coding', 'Transfer-Encoding: xchunked', CHUNKED],
    ['has a chunk size that is no number', 'Transfer-Encoding: chunked', `zz\r\n${BODY}\r\n0\r\n\r\n`],
    ['has a negative chunk size', 'Transfer-Encoding: chunked', `-29\r\n${BODY}\r\n0\r\n\r\n`],
    ['has a chunk size past all numbers', 'Transfer-Encoding: chunked', `${'f'.repeat(20)}\r\n${BODY}`],
    ['has a chunk longer than its size', 'Transfer-Encoding: chunked', `28\r\n${BODY}\r\n0\r\n\r\n`],
  ])('%s', async (_, headers, body) => {
    expect(await untilClosed(postOf(headers, body))).toEqual([400]);
    await expectUnharmed();
  });

  test.each([
    ['has no Host', () => `GET ${PATH}/material-codes HTTP/1.1\r\n\r\n`],
    ['has a blank in its target', () => get(`${PATH}/material codes`)],
    ['has bytes past ASCII in its target', () => get(`${PATH}/С`)],
    ['has a method in small letters', () => get().replace('GET', 'get')],
    ['has a method that nobody knows', () => get().replace('GET', 'BREW')],
  ])('%s', async (_, text) => {
    expect(await untilClosed(text())).toEqual([400]);
    await expectUnharmed();
  });
});

describe('the rest of a body that is longer than its Content-Length', () => {
  const tooLong = (rest: string) => postOf('Content-Length: 2', `{}${rest}`);

  test('is a separate request, which needs its own credentials', async () => {
    const smuggled = postOf(LENGTH).replace(/Authorization: .*\r\n/, '');
    expect(await untilClosed(tooLong(smuggled.replace('\r\n', '\r\nConnection: close\r\n')))).toEqual([
      400, 401,
    ]);
    await expectUnharmed();
  });

  test('is refused if it is not a request', async () => {
    expect(await untilClosed(tooLong(BODY))).toEqual([400, 400]);
    await expectUnharmed();
  });
});

test.each([
  ['in the request line', () => get(`${PATH}/material-codes?${'x'.repeat(20_000)}`)],
  ['in one header', () => get(undefined, `X-Other: ${'x'.repeat(20_000)}`)],
  ['in many headers', () => get(undefined, ...Array(1_500).fill('X-Other: 1'))],
  ['by megabytes', () => get(undefined, `X-Other: ${'x'.repeat(2_000_000)}`)],
])('headers over the limits %s are a 431 and the end of the connection', async (_, text) => {
  expect(await untilClosed(text())).toEqual([431]);
  await expectUnharmed();
});

test('a client that closes its half of the connection after its request gets the response', async () => {
  expect(await sendAndLeave(get())).toEqual([200]);
});

describe('a large batch that is cut off in the middle', () => {
  const CHUNKS = 'Transfer-Encoding: chunked';

  test.each([
    ['of its length', (half: string) => [`Content-Length: ${2 * half.length}`, half]],
    ['of a chunk', (half: string) => [CHUNKS, `${(2 * half.length).toString(16)}\r\n${half}`]],
    ['of its chunks', (half: string) => [CHUNKS, `${half.length.toString(16)}\r\n${half}\r\n`]],
  ])('%s is kept nowhere', async (_, framed) => {
    // The JSON is complete, so only the framing shows that a part is missing.
    const entry = '{"MaterialCode":"ABC-1","StockBalance":0,"StockBalanceUnit":"kg","PurchaseOrders":{}}';
    const half = `{"MaterialCodes":[${entry}]}${' '.repeat(1_000_000)}`;
    const before = run.functionsLog().length;
    const [framing = '', sent] = framed(half);
    expect(await sendAndLeave(post('material-stock-balance', framing) + sent)).toEqual([400]);
    await expectUnharmed();
    await expect.poll(() => run.functionsLog().slice(before)).toContain('GET');
    expect(run.functionsLog().slice(before)).not.toContain('POST');
  });
});

test('none of the requests above is stored', async () => {
  expect(await rowsOf(run, 'ChangeTimestamps')).toEqual([]);
  expect(await rowsOf(run, 'BalanceSnapshots')).toEqual([]);
});

describe('malformed HTTP', () => {
  test('gets a 400 and the end of the connection', async () => {
    expect(await untilClosed('hello\r\n\r\n')).toEqual([400]);
    await expectUnharmed();
  });

  test('is refused after the response to the previous request, which is stored', async () => {
    expect(await untilClosed(`${postOf(LENGTH)}garbage\r\n\r\n`)).toEqual([200, 400]);
    expect(await rowsOf(run, 'ChangeTimestamps')).toHaveLength(1);
  });

  test('is refused after the responses to all previous pipelined requests', async () => {
    const before = get() + get('/live/nowhere') + get(`${PATH}/purchase-orders`);
    expect(await untilClosed(`${before}garbage\r\n\r\n`)).toEqual([200, 404, 200, 400]);
  });
});

const KEPT = /HTTP\/1\.1 200 OK\r\n[\s\S]+"Timestamp":"2026-03-01T08:15:30,123Z"/;
const NO_ORDERS = /"PurchaseOrders":\[\]}$/;
/** Has the length of the body that a GET would get, but no body. */
const HEAD_ANSWER = /}HTTP\/1\.1 404 Not Found\r\n(.+\r\n)*Content-Length: [1-9]\d*\r\n(.+\r\n)*\r\n$/i;
const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n$/;
const getOrders = () => get(`${PATH}/purchase-orders`);
const change = (...headers: string[]) => post('changes', LENGTH, ...headers) + BODY;

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

describe('Expect: 100-continue', () => {
  const EXPECT = 'Expect: 100-continue';

  test('is answered before the body of a large batch, which is then stored completely', async () => {
    const body = JSON.stringify(batchOf(9_000, '-of-a-client-that-waits')).padEnd(2_000_000);
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const request = post('material-stock-balance', length, EXPECT);
    const received = await exchange([request, CONTINUE], [body, /"EntryCount":9000}$/]);
    expect(statusesIn(received)).toEqual([100, 200]);
  });

  test('with another value is a 417, and the body is skipped', async () => {
    const received = await exchange([change('Expect: a-miracle') + getOrders(), NO_ORDERS]);
    expect(statusesIn(received)).toEqual([417, 200]);
  });

  test('does no harm if the client does not wait for it', async () => {
    await exchange([change(EXPECT), KEPT]);
  });
});

describe('a connection', () => {
  test('accepts the next request after every kind of response', async () => {
    const received = await exchange(
      [get('/live/nowhere'), /requestId":"[^"]+"}$/],
      [get(), /{"MaterialCodes":\[\]}$/],
      [head(`HEAD ${PATH}/material-codes HTTP/1.1`), HEAD_ANSWER],
      [change(), KEPT],
    );
    expect(statusesIn(received)).toEqual([404, 200, 404, 200]);
    expect(received).not.toMatch(/^Connection: close/im);
  });

  const size = 10 * 1024 * 1024 + 1;
  test.each<[string, () => string[], number[]]>([
    [
      'requests that are sent without waiting, and answers in their order',
      () => [change(), get(), get('/live/nowhere')],
      [200, 200, 404],
    ],
    [
      'requests that are sent without waiting behind refused ones',
      () => [
        `${post('changes', 'Content-Length: 2')}{}`,
        `GET ${PATH}/material-codes HTTP/1.1\r\nHost: warehouse.test\r\n\r\n`,
        // Old clients send an extra line end after a body.
        `${change()}\r\n`,
      ],
      [400, 401, 200],
    ],
    [
      'the next request after a body that is too large for the gateway',
      () => [post('changes', `Content-Length: ${size}`) + ' '.repeat(size)],
      [413],
    ],
    [
      'a GET with a body, which is not read as a request',
      () => [get(undefined, `Content-Length: ${get('/live/nowhere').length}`) + get('/live/nowhere')],
      [200],
    ],
    [
      'a GET of a whole URL, as for a proxy',
      () => [get(`http://warehouse.test${PATH}/material-codes`)],
      [200],
    ],
  ])('carries %s', async (_, requests, statuses) => {
    const received = await exchange([requests().join('') + getOrders(), NO_ORDERS]);
    expect(statusesIn(received)).toEqual([...statuses, 200]);
  });

  test('of an HTTP/1.0 client is closed after the answer, which has a length and no chunks', async () => {
    const socket = await open();
    socket.write(change().replace('HTTP/1.1', 'HTTP/1.0'));
    await socket.closed;
    expect(socket.received()).toMatch(KEPT);
    expect(socket.received()).toMatch(/\r\nContent-Length: \d+\r\n/i);
    expect(socket.received()).not.toMatch(/Transfer-Encoding/i);
  });

  test('with Connection: close is closed after the answer', async () => {
    const socket = await open();
    socket.write(get(undefined, 'Connection: close'));
    await socket.closed;
    expect(socket.received()).toContain('{"MaterialCodes":[]}');
  });
});

describe('a body', () => {
  test('may come byte by byte', async () => {
    const socket = await open();
    socket.write(post('changes', LENGTH));
    for (const byte of BODY) {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    await socket.until(KEPT);
    socket.destroy();
  });

  test('may come in chunks without a length', async () => {
    const chunks = [BODY.slice(0, 7), BODY.slice(7)].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    const request = `${post('changes', 'Transfer-Encoding: chunked')}${chunks.join('')}0\r\n\r\n`;
    await exchange([request, KEPT]);
  });

  test.each([
    ['that is cut off reaches no function', -1],
    ['of a client that leaves before the answer is served anyway', undefined],
  ])('%s', async (_, end) => {
    const before = run.functionsLog().length;
    const socket = await open();
    socket.write(post('changes', LENGTH) + BODY.slice(0, end));
    socket.destroy();
    await socket.closed;
    expect((await run.get('material-codes')).status).toBe(200);
    const log = () => run.functionsLog().slice(before);
    await expect.poll(log).toContain('GET');
    if (end === undefined) await expect.poll(log).toContain('POST');
    else expect(log()).not.toContain('POST');
  });
});

describe('a header', () => {
  test.each(['', ' ', ' \t '])('with the value "%s" counts as missing', async (value) => {
    const names = ['Accept-Encoding', 'Accept', 'User-Agent', 'Content-Encoding', 'X-Other'];
    const received = await exchange([change(...names.map((name) => `${name}: ${value}`)), KEPT]);
    expect(received).not.toMatch(/Content-Encoding/i);
  });

  test('may be one of hundreds', async () => {
    await exchange([change(...Array(500).fill('X-Other: 1')), KEPT]);
  });
});
