import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createHandler } from '../../functions/post-change.ts';
import { changeStore } from '../../shared/storage/change-store.ts';
import { call, collectLog, post } from '../support/handlers.ts';
import { createTable, rowsOf, testClient } from '../support/tables.ts';

const client = testClient();
const log = collectLog();
const Timestamp = '2026-11-21T06:48:04,123Z';
let table: string;
let now: Date;
let handler: ReturnType<typeof createHandler>;

beforeEach(async () => {
  table = await createTable('ChangeTimestamps', client);
  now = new Date('2026-11-21T07:00:00.000Z');
  handler = createHandler({ changes: changeStore(client, table), now: () => now });
});

const rows = () => rowsOf(table, client);

describe('a change', () => {
  it('is stored as sent, with its client, the time of receipt and the request id', async () => {
    const { status, json, requestId, headers } = await post(handler, { Timestamp });
    expect(status).toBe(200);
    expect(json).toEqual({ Timestamp });
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    expect(await rows()).toEqual([
      {
        Client: { S: 'wms' },
        Timestamp: { S: Timestamp },
        ReceivedAt: { S: '2026-11-21T07:00:00.000Z' },
        RequestId: { S: requestId },
      },
    ]);
  });

  it('has no effect when it is sent again, and gets the same answer', async () => {
    await post(handler, { Timestamp });
    const before = await rows();
    now = new Date('2026-11-22T07:00:00.000Z');
    const { status, json } = await post(handler, { Timestamp });
    expect(status).toBe(200);
    expect(json).toEqual({ Timestamp });
    expect(await rows()).toEqual(before);
  });

  it('is logged with its client, also when it is sent again', async () => {
    await post(handler, { Timestamp });
    await post(handler, { Timestamp });
    const line = { code: 'request-served', client: 'wms', operation: 'POST /rest/warehouse-control/tested' };
    expect(log.entries()).toMatchObject([line, line]);
  });

  it('is stored separately for each client', async () => {
    await post(handler, { Timestamp });
    await post(handler, { Timestamp }, { client: 'erp' });
    expect((await rows()).map(({ Client }) => Client?.S).toSorted()).toEqual(['erp', 'wms']);
  });
});

describe('a valid body', () => {
  it.each([
    ['application/json;charset=UTF-8'],
    ['application/json   ; charset="utf-8"'],
    ['Application/JSON'],
    [' application/json '],
  ])('is accepted with the content type "%s"', async (contentType) => {
    const { status } = await post(handler, { Timestamp }, { headers: { 'Content-Type': contentType } });
    expect(status).toBe(200);
  });

  it('is accepted with the header name cOnTeNt-TyPe', async () => {
    const headers = { 'cOnTeNt-TyPe': 'application/json' };
    expect((await post(handler, { Timestamp }, { headers })).status).toBe(200);
  });

  it.each([
    ['a byte-order mark', `\uFEFF{"Timestamp":"${Timestamp}"}`],
    ['escaped characters', `{"\\u0054imestamp":"2026-11-21T06\\u003a48:04,123Z"}`],
    ['spaces and line breaks around every token', ` \r\n\t{ "Timestamp" : "${Timestamp}" }\n`],
    ['a repeated key, of which the last value counts', `{"Timestamp":"no","Timestamp":"${Timestamp}"}`],
  ])('is accepted with %s', async (_, body) => {
    const { status, json } = await post(handler, body);
    expect(json).toEqual({ Timestamp });
    expect(status).toBe(200);
  });
});

describe('a body in base64', () => {
  const inBase64 = (text: string) => ({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });

  it.each([
    ['without', ''],
    ['with', '\uFEFF'],
  ])('is accepted %s a byte-order mark', async (_, before) => {
    const { status, json } = await call(handler, inBase64(`${before}{"Timestamp":"${Timestamp}"}`));
    expect([status, json]).toEqual([200, { Timestamp }]);
  });

  it('gets a 400 with the place of its JSON error', async () => {
    const { status, json } = await call(handler, inBase64('{"Timestamp":'));
    expect(status).toBe(400);
    expect(json.detail).toContain('it ends where a value is expected');
  });
});

describe('a refused body', () => {
  it.each([
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['application/jsonx', { 'Content-Type': 'application/jsonx' }],
    ['empty', { 'Content-Type': '' }],
    ['missing', {}],
  ])('gets a 415 if its content type is %s', async (_, headers) => {
    const { status, json } = await post(handler, { Timestamp }, { headers });
    expect(status).toBe(415);
    expect(json).toMatchObject({
      status: 415,
      title: 'Unsupported Media Type',
      detail: 'Send the body as JSON, with the header Content-Type: application/json.',
    });
  });

  it.each([
    ['absent', null],
    ['an empty string', ''],
    ['only whitespace', ' \n '],
    ['only a byte-order mark', '\uFEFF'],
  ])('is reported as empty if it is %s', async (_, body) => {
    const { status, json } = await call(handler, { body });
    expect(status).toBe(400);
    expect(json.detail).toBe('The body is empty. Send a JSON object.');
  });

  it.each([
    [`{"Timestamp":"${Timestamp}"`, 'ends where a comma or the closing bracket is expected'],
    [`{"Timestamp": ${Timestamp}}`, 'a comma or the closing bracket is expected at line 1, column 19'],
    [`{\n  'Timestamp': 1}`, 'a name in double quotes or } is expected at line 2, column 3'],
    ['Timestamp=1', 'a value is expected at line 1, column 1'],
    [`{"Timestamp":"a\tb"}`, 'line 1, column 16'],
  ])('gets the place of its JSON error: %s', async (body, words) => {
    const { status, json } = await post(handler, body);
    expect(status).toBe(400);
    expect(json.detail).toContain(words);
  });

  it.each([
    ['a field named __proto__', `{"Timestamp":"${Timestamp}","__proto__":{"a":1}}`],
    ['the same field with an escape', `{"Timestamp":"${Timestamp}","__pro\\u0074o__":1}`],
    ['a constructor with a prototype', `{"Timestamp":"${Timestamp}","constructor":{"prototype":1}}`],
    ['arrays within arrays, a million deep', '['.repeat(1_000_000)],
    [
      'arrays within arrays, half a million deep, with closing brackets',
      `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
    ],
    ['objects within objects, 200,000 deep', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`],
    ['an endless string', `"${'\\"'.repeat(1_000_000)}`],
  ])('gets a short 400 for %s', async (_, body) => {
    const { status, json, text } = await post(handler, body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ status: 400, title: 'Bad Request' });
    expect(text.length).toBeLessThan(2_000);
  });

  it.each(['__proto__', 'constructor'])('gets a pointer to the unknown field %s', async (name) => {
    const body = `{"Timestamp":"${Timestamp}","other":1,"${name}":{"prototype":1}}`;
    const { json } = await post(handler, body);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['#/other', `#/${name}`]);
  });

  it.each([
    [{}, 'The body has one error, so nothing was stored.'],
    [{ a: 1 }, 'The body has 2 errors, so nothing was stored.'],
  ])('gets the number of its errors: %j', async (body, detail) => {
    expect((await post(handler, body)).json.detail).toBe(detail);
  });

  it('gets the first 100 of 500,000 unknown fields and the count of all', async () => {
    const fields = Array.from({ length: 500_000 }, (_, index) => `"${index}":0`);
    const { json, text } = await post(handler, `{"Timestamp":"${Timestamp}",${fields.join()}}`);
    expect(json.errorCount).toBe(500_000);
    expect(json.errors).toHaveLength(100);
    expect(text.length).toBeLessThan(20_000);
  });

  it('is not repeated in the answer or in the log, and nothing is written', async () => {
    const secret = 'hunter2-correct-horse';
    const { text, requestId, json } = await post(handler, `{"Timestamp": "${secret}", ${secret}`);
    const second = await post(handler, { Timestamp: secret });
    expect(json.requestId).toBe(requestId);
    expect(text + second.text + log.text()).not.toContain(secret);
    expect(log.entries()).toMatchObject([
      { level: 'WARN', code: 'request-refused', requestId, client: 'wms', status: 400 },
      { code: 'request-refused', faultCount: 1 },
    ]);
    expect(await rows()).toEqual([]);
  });
});

describe('a failure of the service', () => {
  it('is a 500 without details, and the log line has the request id', async () => {
    const broken = createHandler({ changes: changeStore(client, 'no-such-table'), now: () => now });
    const { status, json, requestId } = await post(broken, { Timestamp });
    expect(status).toBe(500);
    expect(json).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail:
        'The service failed. Send the same request again: a retry is always safe. The operator can find this request by its id.',
      requestId,
    });
    expect(log.entries()).toMatchObject([
      { level: 'ERROR', code: 'request-failed', requestId, error: { name: 'ResourceNotFoundException' } },
    ]);
    expect(log.text()).not.toContain(Timestamp);
  });

  it.each([
    ['without a client', {}],
    ['with a client that is not a string', { client: 7 }],
    ['without any context', undefined],
  ])('is a 500 if the authorizer passes a request %s', async (_, authorizer) => {
    expect((await post(handler, { Timestamp }, { authorizer })).status).toBe(500);
    expect(log.text()).toContain('The authorizer named no client.');
    expect(await rows()).toEqual([]);
  });

  it('is logged with the duration of the request', async () => {
    const slowly = createHandler({ changes: { record: () => sleep(20) }, now: () => now });
    await post(slowly, { Timestamp });
    const [{ durationMs }] = log.entries();
    expect(durationMs).toBeGreaterThan(18);
    expect(durationMs).toBeLessThan(60_000);
  });
});
