import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSocket, statusesIn } from '../support/http-client.ts';
import { type LocalRun, rowsOf, startLocal } from '../support/local-run.ts';
import { BODY, headsFor, LENGTH, PATH } from './raw-request.ts';

/** RFC 9112: a message without a clear end or a clear meaning is refused, before any of it is stored. */

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal({ args: ['--quiet', '--no-throttle', '--memory'] });
});

const CHUNKED = `29\r\n${BODY}\r\n0\r\n\r\n`;

const { get, post } = headsFor(() => run);
const postOf = (headers: string, body = BODY) => post('changes', headers) + body;

/** All bytes until the service closes the connection. A reset may lose the last ones. */
const untilClosed = async (text: string) => {
  const socket = await openSocket(run.outputs().BaseUrl);
  socket.write(text);
  await socket.closed.catch(() => {});
  return statusesIn(socket.received());
};

/** Sends all of it and then the end of the connection. */
const sendAndLeave = async (text: string) => {
  const { hostname, port } = new URL(run.outputs().BaseUrl);
  const socket = connect(Number(port), hostname).end(text);
  return statusesIn((await buffer(socket)).toString('latin1'));
};

const expectUnharmed = async () => {
  expect((await run.get('material-codes')).status).toBe(200);
  expect(await rowsOf(run, 'ChangeTimestamps')).toEqual([]);
};

describe('a request that is refused with a 400 and the end of its connection, and is kept nowhere,', () => {
  test.each([
    ['is longer than its Content-Length', `Content-Length: ${BODY.length - 1}`],
    ['has no length at all', 'X-Other: 1'],
    ['has a Content-Length of 0 and a body', 'Content-Length: 0'],
    ['has a word for its Content-Length', 'Content-Length: long'],
    ['has an empty Content-Length', 'Content-Length:'],
    ['has a negative Content-Length', 'Content-Length: -41'],
    ['has a signed Content-Length', 'Content-Length: +41'],
    ['has a hexadecimal Content-Length', 'Content-Length: 0x29'],
    ['has a fraction for its Content-Length', 'Content-Length: 41.0'],
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
    // One where the end of the request is in doubt; two where the request ends too soon, and so is no JSON.
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

describe('headers over the limits', () => {
  test.each([
    ['in the request line', () => get(`${PATH}/material-codes?${'x'.repeat(20_000)}`)],
    ['in one header', () => get(undefined, `X-Other: ${'x'.repeat(20_000)}`)],
    ['in many headers', () => get(undefined, ...Array(1_500).fill('X-Other: 1'))],
    ['by megabytes', () => get(undefined, `X-Other: ${'x'.repeat(2_000_000)}`)],
  ])('%s are a 431 and the end of the connection', async (_, text) => {
    expect(await untilClosed(text())).toEqual([431]);
    await expectUnharmed();
  });
});

describe('a client that ends its half of the connection with its request', () => {
  test('gets its answer', async () => {
    expect(await sendAndLeave(get())).toEqual([200]);
  });
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
    expect(await rowsOf(run, 'BalanceSnapshots')).toEqual([]);
  });
});

// At the end, because only these tests store something.
describe('malformed HTTP', () => {
  test('gets a 400 and the end of the connection', async () => {
    expect(await untilClosed('hello\r\n\r\n')).toEqual([400]);
    await expectUnharmed();
  });

  test('is refused after the answer to the request before it, which is kept', async () => {
    expect(await untilClosed(`${postOf(LENGTH)}garbage\r\n\r\n`)).toEqual([200, 400]);
    expect(await rowsOf(run, 'ChangeTimestamps')).toHaveLength(1);
  });

  test('is refused after the answers to all pipelined requests before it', async () => {
    const before = get() + get('/live/nowhere') + get(`${PATH}/purchase-orders`);
    expect(await untilClosed(`${before}garbage\r\n\r\n`)).toEqual([200, 404, 200, 400]);
  });
});
