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

describe('Expect: 100-continue', () => {
  test('is answered before the body is sent', async () => {
    const socket = await open();
    socket.write(post('changes', LENGTH, 'Expect: 100-continue'));
    await socket.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    socket.write(BODY);
    await socket.until(KEPT);
    expect(statusesIn(socket.received())).toEqual([100, 200]);
    socket.destroy();
  });

  test('comes before a large batch, which is then kept whole', async () => {
    const { MaterialCodes } = batchOf(9_000, '-of-a-client-that-waits');
    const body = JSON.stringify({ MaterialCodes }).padEnd(2_000_000);
    const socket = await open();
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    socket.write(post('material-stock-balance', length, 'Expect: 100-continue'));
    await socket.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    socket.write(body);
    await socket.until(/"EntryCount":9000}$/);
    expect(statusesIn(socket.received())).toEqual([100, 200]);
    socket.destroy();
  });

  test('with anything else is a 417, and the body is passed over', async () => {
    const socket = await open();
    socket.write(post('changes', LENGTH, 'Expect: a-miracle') + BODY);
    socket.write(get(`${PATH}/purchase-orders`));
    await socket.until(/"PurchaseOrders":\[\]}$/);
    expect(statusesIn(socket.received())).toEqual([417, 200]);
    socket.destroy();
  });

  test('does no harm where the client does not wait for it', async () => {
    const socket = await open();
    socket.write(post('changes', LENGTH, 'Expect: 100-continue') + BODY);
    await socket.until(KEPT);
    socket.destroy();
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
    const socket = await open();
    socket.write(get('/live/nowhere'));
    await socket.until(/requestId":"[^"]+"}$/);
    socket.write(get());
    await socket.until(/{"MaterialCodes":\[\]}$/);
    socket.write(head(`HEAD ${PATH}/material-codes HTTP/1.1`));
    await socket.until(/404 Not Found[\s\S]+\r\n\r\n$/);
    socket.write(post('changes', LENGTH) + BODY);
    await socket.until(KEPT);
    expect(statusesIn(socket.received())).toEqual([404, 200, 404, 200]);
    socket.destroy();
  });

  test('carries requests that are sent without waiting, and answers in their order', async () => {
    const socket = await open();
    socket.write(
      [post('changes', LENGTH) + BODY, get(), get('/live/nowhere'), get(`${PATH}/purchase-orders`)].join(''),
    );
    await socket.until(/"PurchaseOrders":\[\]}/);
    expect(statusesIn(socket.received())).toEqual([200, 200, 404, 200]);
    socket.destroy();
  });

  test('carries requests that are sent without waiting behind some that are refused', async () => {
    const socket = await open();
    const stranger = `GET ${PATH}/material-codes HTTP/1.1\r\nHost: warehouse.test\r\n\r\n`;
    socket.write(
      [
        `${post('changes', 'Content-Length: 2')}{}`,
        stranger,
        post('changes', LENGTH) + BODY,
        // A line too many, as old clients send it behind a body.
        '\r\n',
        get(`${PATH}/purchase-orders`),
      ].join(''),
    );
    await socket.until(/"PurchaseOrders":\[\]}$/);
    expect(statusesIn(socket.received())).toEqual([400, 401, 200, 200]);
    socket.destroy();
  });

  test('carries the next request after a body that is larger than the gateway takes', async () => {
    const socket = await open();
    const size = 10 * 1024 * 1024 + 1;
    socket.write(post('changes', `Content-Length: ${size}`) + ' '.repeat(size));
    socket.write(get(`${PATH}/purchase-orders`));
    await socket.until(/"PurchaseOrders":\[\]}$/);
    expect(statusesIn(socket.received())).toEqual([413, 200]);
    socket.destroy();
  });

  test('of an HTTP/1.0 client is closed after the answer, which has a length and no chunks', async () => {
    const socket = await open();
    socket.write(post('changes', LENGTH).replace('HTTP/1.1', 'HTTP/1.0') + BODY);
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

  test('may come in chunks of no stated length', async () => {
    const socket = await open();
    const chunks = [BODY.slice(0, 7), BODY.slice(7)].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    socket.write(`${post('changes', 'Transfer-Encoding: chunked')}${chunks.join('')}0\r\n\r\n`);
    await socket.until(KEPT);
    socket.destroy();
  });

  test('that is cut off is served by nothing and harms nothing', async () => {
    const socket = await open();
    const before = run.functionsLog();
    socket.write(post('changes', LENGTH) + BODY.slice(0, -1));
    socket.destroy();
    await socket.closed;
    expect((await run.get('material-codes')).status).toBe(200);
    await expect.poll(() => run.functionsLog().slice(before.length)).toContain('GET');
    expect(run.functionsLog().slice(before.length)).not.toContain('POST');
  });

  test('of a client that leaves before the answer is served all the same', async () => {
    const socket = await open();
    socket.write(post('changes', LENGTH) + BODY);
    socket.destroy();
    await socket.closed;
    expect((await run.get('material-codes')).status).toBe(200);
  });
});

describe('a header', () => {
  test.each(['', ' ', ' \t '])('whose value is "%s" is as good as none, whichever it is', async (value) => {
    const socket = await open();
    const headers = ['Accept-Encoding', 'Accept', 'User-Agent', 'Content-Encoding', 'X-Other'];
    socket.write(post('changes', LENGTH, ...headers.map((name) => `${name}: ${value}`)) + BODY);
    await socket.until(KEPT);
    expect(socket.received()).not.toMatch(/Content-Encoding/i);
    socket.destroy();
  });

  test('may be any of hundreds', async () => {
    const socket = await open();
    socket.write(post('changes', ...Array(500).fill('X-Other: 1'), LENGTH) + BODY);
    await socket.until(KEPT);
    socket.destroy();
  });
});

describe('a GET', () => {
  test('with a body is served, and the body is not taken for a request', async () => {
    const socket = await open();
    const next = get(`${PATH}/purchase-orders`);
    const body = get('/live/nowhere');
    socket.write(get(undefined, `Content-Length: ${body.length}`) + body + next);
    await socket.until(/"PurchaseOrders":\[\]}$/);
    expect(statusesIn(socket.received())).toEqual([200, 200]);
    socket.destroy();
  });

  test('of a whole URL, as for a proxy, is served', async () => {
    const socket = await open();
    socket.write(get(`http://warehouse.test${PATH}/material-codes`));
    socket.write(get(`${PATH}/purchase-orders`));
    await socket.until(/"PurchaseOrders":\[\]}$/);
    expect(statusesIn(socket.received())).toEqual([200, 200]);
    socket.destroy();
  });
});

describe('HEAD', () => {
  test('of a path that answers has a length and no body', async () => {
    const answer = await send(run.url('material-codes'), {
      method: 'HEAD',
      headers: { Authorization: run.authorization() },
    });
    expect(answer.status).toBe(404);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
    expect(answer.bytes.byteLength).toBe(0);
  });
});
