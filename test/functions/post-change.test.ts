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

const JSON_BODY = `{"Timestamp":"${Timestamp}"}`;
const inBase64 = (text: string) => ({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });
const withType = (value: string, name = 'Content-Type') => ({ body: JSON_BODY, headers: { [name]: value } });

describe('a valid body', () => {
  it.each([
    ['a charset', withType('application/json;charset=UTF-8')],
    [
      'spaces around the content type and before its charset',
      withType(' application/json   ; charset="utf-8" '),
    ],
    ['a content type in other letter case', withType('Application/JSON')],
    ['the header name cOnTeNt-TyPe', withType('application/json', 'cOnTeNt-TyPe')],
    ['a byte-order mark', { body: `\uFEFF${JSON_BODY}` }],
    ['escaped characters', { body: `{"\\u0054imestamp":"2026-11-21T06\\u003a48:04,123Z"}` }],
    ['spaces and line breaks around every token', { body: ` \r\n\t{ "Timestamp" : "${Timestamp}" }\n` }],
    ['a repeated key, of which the last value counts', { body: `{"Timestamp":"no",${JSON_BODY.slice(1)}` }],
    ['base64', inBase64(JSON_BODY)],
    ['base64 of a byte-order mark', inBase64(`\uFEFF${JSON_BODY}`)],
  ])('is accepted with %s', async (_, sent) => {
    const { status, json } = await call(handler, sent);
    expect([status, json]).toEqual([200, { Timestamp }]);
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

  const EMPTY = 'The body is empty. Send a JSON object.';
  it.each([
    ['no body', { body: null }, EMPTY],
    ['an empty body', { body: '' }, EMPTY],
    ['only whitespace', { body: ' \n ' }, EMPTY],
    ['only a byte-order mark', { body: '\uFEFF' }, EMPTY],
    ['no end', { body: '{"Timestamp":' }, 'it ends where a value is expected'],
    ['no end, in base64', inBase64('{"Timestamp":'), 'it ends where a value is expected'],
    [
      'a time without quotes',
      { body: `{"Timestamp": ${Timestamp}}` },
      'bracket is expected at line 1, column 19',
    ],
    ['no JSON', { body: 'Timestamp=1' }, 'a value is expected at line 1, column 1'],
  ])('gets a 400 with the place of the error for %s', async (_, sent, words) => {
    const { status, json } = await call(handler, sent);
    expect(status).toBe(400);
    expect(json.detail).toContain(words);
  });

  it.each([
    ['a field __proto__ with an escape', `{"Timestamp":"${Timestamp}","__pro\\u0074o__":1}`],
    ['arrays within arrays', '['.repeat(200_000)],
    ['arrays within arrays, with closing brackets', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['objects within objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['an endless string', `"${'\\"'.repeat(200_000)}`],
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
    [1, 'The body has one error, so nothing was stored.'],
    [5_000, 'The body has 5000 errors, so nothing was stored.'],
  ])('of %i faults gets their number and the first 100', async (count, detail) => {
    const fields = Array.from({ length: count }, (_, index) => `"${index}":0`);
    const { json, text } = await post(handler, `{"Timestamp":"${Timestamp}",${fields.join()}}`);
    expect(json).toMatchObject({ detail, errorCount: count, errors: { length: Math.min(count, 100) } });
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
