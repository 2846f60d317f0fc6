import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import { requestOf } from '../support/http-client.ts';
import { expectProblem } from '../support/problem.ts';
import { asEscapes } from '../support/traces.ts';
import { isDeployment, OPERATIONS, useService } from './service.ts';

const service = useService();

/** A valid body for each operation. Requests for lists have no body. */
const bodyFor = (path: string) => {
  if (path === 'changes') return JSON.stringify({ Timestamp: newTimestamp() });
  return path === 'material-stock-balance' ? JSON.stringify(batchOf(3)) : undefined;
};

type Headers = Record<string, string | string[]>;
const request = (method: string, path: string, headers: Headers, slash = '') => {
  const body = bodyFor(path);
  const { pathname } = new URL(service().baseUrl);
  return service().send(path, {
    method,
    headers,
    path: `${pathname}${slash}/rest/warehouse-control/${path}`,
    ...(body === undefined ? {} : { body }),
  });
};

/** `deflate` is the zlib format. */
const codings = Object.entries({ gzip: gzipSync, deflate: deflateSync });

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe.each(OPERATIONS)('%s %s', (method, path) => {
  test.each<[string, Headers, coding?: string | undefined, slash?: string]>([
    ['authorization', { 'content-type': 'application/json' }],
    ['AUTHORIZATION', { 'CONTENT-TYPE': 'application/json', 'Accept-Encoding': '' }],
    ['Authorization', { 'Content-Type': 'application/json; charset=utf-8', 'Accept-Encoding': 'identity' }],
    [
      'Authorization',
      { 'Content-Type': 'Application/JSON ; Charset="utf-8"', 'Accept-Encoding': 'gzip' },
      'gzip',
    ],
    ['Authorization', { 'Content-Type': 'application/vnd.warehouse+json' }],
    ['Authorization', { ...JSON_TYPE, Accept: '*/*', 'Accept-Encoding': 'deflate' }, 'deflate'],
    // As from a base URL that ends in a slash.
    ['Authorization', JSON_TYPE, undefined, '/'],
  ])(
    'responds to the headers %s and %j with 200 and a JSON object in the coding %s, however small',
    async (authorization, headers, coding, slash) => {
      // A second spelling of a header replaces the first.
      const all = { [authorization]: service().authorization, ...headers };
      const response = await request(method, path, all, slash);
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
      expect(response.headers['content-encoding']).toBe(coding);
      expect(response.text).toMatch(/^\{.*\}$/s);
    },
  );

  test('accepts the same Authorization header twice', async () => {
    const headers = { ...JSON_TYPE, Authorization: [service().authorization, service().authorization] };
    expect((await request(method, path, headers)).status).toBe(200);
  });
});

describe.each([
  ['material-codes', 'MaterialCodes', 'MaterialCode', ['A-1', 'A-2']],
  ['purchase-orders', 'PurchaseOrders', 'PurchaseOrder', ['OT0000001', 'OT0000002']],
] as const)('GET %s', (path, table, key, names) => {
  test.each<[string, Headers]>([
    ['without a content type', {}],
    ['with another content type', { 'Content-Type': 'text/xml' }],
    ['with Content-Length: 0', { 'Content-Length': '0', ...JSON_TYPE }],
  ])('responds with 200 %s', async (_, headers) => {
    expect((await service().send(path, { headers })).status).toBe(200);
  });

  test('ignores a query string', async () => {
    if (!isDeployment) for (const name of names) await service().tables.put(table, { [key]: name });
    const [plain, withQuery] = [await service().get(path), await service().get(`${path}?limit=1&page=2`)];
    expect([withQuery.status, withQuery.text]).toEqual([200, plain.text]);
  });
});

describe.each(codings)('the coding %s', (coding, pack) => {
  const headers = { 'Content-Encoding': coding };

  test('returns a large response complete', async () => {
    const faulty = { MaterialCodes: Array.from({ length: 120 }, () => ({})) };
    const response = await service().post('material-stock-balance', faulty, { 'Accept-Encoding': coding });
    expect([response.headers['content-encoding'], response.json().errorCount]).toEqual([coding, 480]);
  });

  test('refuses a compressed batch of 10 bytes like a plain one', async () => {
    const response = await service().post('material-stock-balance', pack('{"Code":1}'), headers);
    const plain = await service().post('material-stock-balance', '{"Code":1}');
    expect([response.status, response.json().errors]).toEqual([400, plain.json().errors]);
  });

  test('stores a compressed batch of 5 MB like a plain one', async () => {
    const batch = batchOf(300);
    const body = pack(JSON.stringify(batch).padEnd(5_000_000));
    const response = await service().post('material-stock-balance', body, headers);
    await service().expectBatch(response, storedBatch(batch));
  });
});

test('responds to Expect: 100-continue with 100 Continue, and then with the real response', async () => {
  const { url, authorization } = service();
  const body = JSON.stringify(batchOf(200));
  const length = { 'Content-Length': Buffer.byteLength(body) };
  const headers = { Authorization: authorization, ...JSON_TYPE, ...length, Expect: '100-continue' };
  const outgoing = requestOf(url('material-stock-balance'), { method: 'POST', headers });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.end(body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  response?.resume();
  expect(response?.statusCode).toBe(200);
});

const escaped = (text: string) => text.replace(/[^\p{ASCII}]/gu, asEscapes);

test.each<[string, (text: string) => string]>([
  ['raw UTF-8', (text) => text],
  ['\\u and \\/ escapes', (text) => escaped(text).replaceAll('/', '\\/')],
  ['spaces and line breaks', (text) => JSON.stringify(JSON.parse(text), null, 4).replaceAll('\n', '\r\n')],
  ['a byte-order mark before it', (text) => `\uFEFF${text}`],
])('stores the same batch if it is written with %s', async (_, written) => {
  const response = await service().post('material-stock-balance', written(JSON.stringify(batchOf(30))));
  await service().expectBatch(response, storedBatch(batchOf(30)));
});

describe.each(['changes', 'material-stock-balance'])('POST %s', (path) => {
  test.each([undefined, 'application/x-www-form-urlencoded', 'text/plain', 'application/jsonp', 'json'])(
    'refuses the content type %s with a 415 that names the right one',
    async (contentType) => {
      const response = await request('POST', path, contentType ? { 'Content-Type': contentType } : {});
      expectProblem(response, 415);
      expect(response.json().detail).toContain('Content-Type: application/json');
    },
  );
});
