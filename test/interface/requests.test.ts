import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import { requestOf } from '../support/http-client.ts';
import { expectFault, expectProblem } from '../support/problem.ts';
import { asEscapes } from '../support/traces.ts';
import { isDeployment, OPERATIONS, sendUntilAdmitted, useService } from './service.ts';

const service = useService();

/** A body that each operation takes, and none for the lists. */
const bodyFor = (path: string) => {
  if (path === 'changes') return JSON.stringify({ Timestamp: newTimestamp() });
  return path === 'material-stock-balance' ? JSON.stringify(batchOf(3)) : undefined;
};

const request = (method: string, path: string, headers: Record<string, string>) => {
  const body = bodyFor(path);
  return service().send(path, { method, headers, ...(body === undefined ? {} : { body }) });
};

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe.each(OPERATIONS)('%s %s', (method, path) => {
  test('answers 200 with a JSON object', async () => {
    const answer = await request(method, path, JSON_TYPE);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.text).toMatch(/^\{.*\}$/s);
    expect(answer.json()).toBeTypeOf('object');
  });

  test.each([
    ['lower case', 'authorization', 'content-type'],
    ['upper case', 'AUTHORIZATION', 'CONTENT-TYPE'],
    ['mixed case', 'aUTHORIZATION', 'cONTENT-tYPE'],
  ])('takes the names of headers in %s', async (_, authorization, contentType) => {
    const { url, authorization: value } = service();
    const body = bodyFor(path);
    const headers = { [authorization]: value, [contentType]: 'application/json' };
    const answer = await sendUntilAdmitted(url(path), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(200);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; Charset="utf-8"',
    'application/json ; charset=utf-8',
    'application/vnd.warehouse+json',
  ])('takes the content type %s', async (contentType) => {
    expect((await request(method, path, { 'Content-Type': contentType })).status).toBe(200);
  });

  test.each([[undefined], [''], ['gzip'], ['identity']])('serves Accept-Encoding: %s', async (accept) => {
    const headers = accept === undefined ? JSON_TYPE : { ...JSON_TYPE, 'Accept-Encoding': accept };
    const answer = await request(method, path, headers);
    expect(answer.status).toBe(200);
    // A deployment's list may be a large one.
    if (method === 'POST') expect(answer.headers['content-encoding']).toBeUndefined();
  });

  test('takes Accept: */*', async () => {
    expect((await request(method, path, { ...JSON_TYPE, Accept: '*/*' })).status).toBe(200);
  });
});

const putTwoRows = async (path: string) => {
  for (const end of [1, 2]) {
    if (path === 'material-codes') await service().tables.put('MaterialCodes', { MaterialCode: `A-${end}` });
    else await service().tables.put('PurchaseOrders', { PurchaseOrder: `OT000000${end}` });
  }
};

describe.each(['material-codes', 'purchase-orders'])('GET %s', (path) => {
  test.each([
    ['without a content type', {}],
    ['with another content type', { 'Content-Type': 'text/xml' }],
    ['with Content-Length: 0', { 'Content-Length': '0', 'Content-Type': 'application/json' }],
  ])('is served %s', async (_, headers: Record<string, string>) => {
    expect((await service().send(path, { headers })).status).toBe(200);
  });

  test('takes no notice of a query', async () => {
    if (!isDeployment) await putTwoRows(path);
    const [plain, asked] = [await service().get(path), await service().get(`${path}?limit=1&page=2`)];
    expect([asked.status, asked.text]).toEqual([200, plain.text]);
  });
});

describe('a large answer', () => {
  const large = (accept?: string) =>
    service().post(
      'material-stock-balance',
      { MaterialCodes: Array.from({ length: 120 }, () => ({})) },
      accept === undefined ? {} : { 'Accept-Encoding': accept },
    );

  test('is packed for who asks for gzip', async () => {
    const answer = await large('gzip');
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(answer.bytes).toString()).errorCount).toBe(480);
  });

  test.each([[undefined], [''], ['identity']])('is plain for Accept-Encoding: %s', async (accept) => {
    const answer = await large(accept);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.json().errorCount).toBe(480);
  });
});

describe('a packed body', () => {
  test('of a change is kept as if it had come plain', async () => {
    const Timestamp = newTimestamp();
    const packed = gzipSync(JSON.stringify({ Timestamp }));
    const answer = await service().post('changes', packed, { 'Content-Encoding': 'gzip' });
    await service().expectChange(answer, { Client: service().username, Timestamp });
  });

  test('of a batch is kept as if it had come plain', async () => {
    const packed = gzipSync(JSON.stringify(batchOf(200)));
    const answer = await service().post('material-stock-balance', packed, { 'Content-Encoding': 'gzip' });
    await service().expectBatch(answer, storedBatch(batchOf(200)));
  });
});

test.each(['changes', 'material-stock-balance'])('broken gzip on POST %s is a 415', async (path) => {
  expectProblem(await service().post(path, 'no gzip', { 'Content-Encoding': 'gzip' }), 415);
});

test('Expect: 100-continue is answered with 100 Continue, then with the real answer', async () => {
  const { url, authorization } = service();
  const body = JSON.stringify(batchOf(200));
  const outgoing = requestOf(url('material-stock-balance'), {
    method: 'POST',
    headers: {
      Authorization: authorization,
      ...JSON_TYPE,
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    },
  });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.end(body);
  const [answer]: IncomingMessage[] = await once(outgoing, 'response');
  answer?.resume();
  expect(answer?.statusCode).toBe(200);
});

describe('the same batch', () => {
  const escaped = (text: string) => text.replace(/[^\p{ASCII}]/gu, asEscapes);

  test.each<[string, (text: string) => string]>([
    ['raw UTF-8', (text) => text],
    ['\\u escapes', escaped],
    ['\\/ escapes', (text) => text.replaceAll('/', '\\/')],
    ['both', (text) => escaped(text).replaceAll('/', '\\/')],
    ['blanks and line ends', (text) => JSON.stringify(JSON.parse(text), null, 4).replaceAll('\n', '\r\n')],
    ['a byte-order mark before it', (text) => `\uFEFF${text}`],
  ])('is kept the same in %s', async (_, written) => {
    const answer = await service().post('material-stock-balance', written(JSON.stringify(batchOf(30))));
    await service().expectBatch(answer, storedBatch(batchOf(30)));
  });
});

test('a code raw and the same code in \\u escapes are duplicates', async () => {
  const entry = JSON.stringify({
    MaterialCode: 'Сталь-10/А',
    StockBalance: 1,
    StockBalanceUnit: 'kg',
    PurchaseOrders: {},
  });
  const escaped = entry.replace(/[^\p{ASCII}]/gu, asEscapes);
  const answer = await service().post('material-stock-balance', `{"MaterialCodes":[${entry},${escaped}]}`);
  expectFault(answer, '#/MaterialCodes/1/MaterialCode', /./);
});

test('a byte-order mark before a change is stripped', async () => {
  const Timestamp = newTimestamp();
  const answer = await service().post('changes', `\uFEFF${JSON.stringify({ Timestamp })}`);
  await service().expectChange(answer, { Client: service().username, Timestamp });
});

describe.each(['changes', 'material-stock-balance'])('POST %s', (path) => {
  test.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/xml',
    'application/jsonp',
    'json',
  ])('with the content type %s is a 415 that says what to send', async (contentType) => {
    const answer = await service().post(path, bodyFor(path) ?? '', { 'Content-Type': contentType });
    expect(answer.status).toBe(415);
    expect(answer.json().detail).toContain('Content-Type: application/json');
  });

  test('without a content type is a 415 that says what to send', async () => {
    const answer = await service().send(path, { method: 'POST', body: bodyFor(path) ?? '' });
    expect(answer.status).toBe(415);
    expect(answer.json().detail).toContain('Content-Type: application/json');
  });
});
