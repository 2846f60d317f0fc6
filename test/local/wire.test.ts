import { Agent } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { batchOf } from '../support/batches.ts';
import { openSocket, send, statusesIn } from '../support/http-client.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { BODY, headsFor, LENGTH, PATH } from './raw-request.ts';

/** RFC 9110 and 9112, as the gateway's edge keeps them for old clients. */

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal({ args: ['--quiet', '--no-throttle', '--memory'] });
});

const open = () => openSocket(run.outputs().BaseUrl);
const { head, get, post } = headsFor(() => run);

const KEPT = /HTTP\/1\.1 200 OK\r\n[\s\S]+"Timestamp":"2026-03-01T08:15:30,123Z"/;
const NO_ORDERS = /"PurchaseOrders":\[\]}$/;
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

  test('is answered before the body is sent', async () => {
    const received = await exchange([post('changes', LENGTH, EXPECT), CONTINUE], [BODY, KEPT]);
    expect(statusesIn(received)).toEqual([100, 200]);
  });

  test('comes before a large batch, which is then kept whole', async () => {
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

  test('does no harm where the client does not wait for it', async () => {
    await exchange([change(EXPECT), KEPT]);
  });
});

describe('a connection', () => {
  test('is kept for further requests', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let connections = 0;
    agent.on('free', () => {
      connections = Object.values(agent.sockets).length + Object.values(agent.freeSockets).length;
    });
    const headers = { Authorization: run.authorization() };
    for (const _ of [1, 2, 3]) {
      expect((await send(run.url('material-codes'), { headers, agent })).status).toBe(200);
    }
    expect(connections).toBe(1);
    agent.destroy();
  });

  test('carries the next request after every kind of answer', async () => {
    const received = await exchange(
      [get('/live/nowhere'), /requestId":"[^"]+"}$/],
      [get(), /{"MaterialCodes":\[\]}$/],
      [head(`HEAD ${PATH}/material-codes HTTP/1.1`), /404 Not Found[\s\S]+\r\n\r\n$/],
      [change(), KEPT],
    );
    expect(statusesIn(received)).toEqual([404, 200, 404, 200]);
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
    ['of a client that leaves before the answer is served all the same', undefined],
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

test('HEAD of a path that answers has a length and no body', async () => {
  const headers = { Authorization: run.authorization() };
  const answer = await send(run.url('material-codes'), { method: 'HEAD', headers });
  expect(answer.status).toBe(404);
  expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
  expect(answer.bytes.byteLength).toBe(0);
});
