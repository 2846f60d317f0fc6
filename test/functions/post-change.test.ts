import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHandler } from '../../functions/post-change.ts';
import { changeWriter } from '../../shared/storage/change-writer.ts';
import { call, collectLog, post } from '../support/handlers.ts';
import { createTable, itemsOf, testClient } from '../support/tables.ts';

const client = testClient();
const log = collectLog();
const Timestamp = '2026-11-21T06:48:04,123Z';
let table: string;
let now: Date;
let handler: ReturnType<typeof createHandler>;

beforeEach(async () => {
  table = await createTable('ChangeTimestamps', client);
  now = new Date('2026-11-21T07:00:00.000Z');
  handler = createHandler({ changes: changeWriter(client, table), now: () => now });
});

const rows = () => itemsOf(table, client);

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

  it('has no effect when it is sent again, gets the same response, and is logged again', async () => {
    await post(handler, { Timestamp });
    const before = await rows();
    now = new Date('2026-11-22T07:00:00.000Z');
    const { status, json } = await post(handler, { Timestamp });
    expect([status, json]).toEqual([200, { Timestamp }]);
    expect(await rows()).toEqual(before);
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
  // test/interface/requests.ts has other spellings of the headers and of the JSON.
  it.each([
    ['spaces in its content type', withType(' application/json   ; charset="utf-8" ')],
    ['a content type in other letter case', withType('Application/JSON')],
    ['the header name cOnTeNt-TyPe', withType('application/json', 'cOnTeNt-TyPe')],
    ['a byte-order mark', { body: `\uFEFF${JSON_BODY}` }],
    ['a repeated key, of which the last value counts', { body: `{"Timestamp":1,${JSON_BODY.slice(1)}` }],
    ['base64 of a byte-order mark', inBase64(`\uFEFF${JSON_BODY}`)],
  ])('is accepted with %s', async (_, sent) => {
    const { status, json } = await call(handler, sent);
    expect([status, json]).toEqual([200, { Timestamp }]);
  });
});

describe('a refused body', () => {
  it.each([
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
    ['only a byte-order mark and whitespace', { body: '\uFEFF \n ' }, EMPTY],
    [
      'no end, in base64',
      inBase64('{"Timestamp":'),
      'The body cannot be read as JSON: it ends where a value is expected.',
    ],
  ])('gets a 400 for %s', async (_, sent, detail) => {
    const { status, json } = await call(handler, sent);
    expect([status, json.detail]).toEqual([400, detail]);
  });

  it.each([
    [1, 'The body has one error, so nothing was stored.'],
    [5_000, 'The body has 5000 errors, so nothing was stored.'],
  ])('of %i errors gets their number and the first 100', async (count, detail) => {
    const fields = Array.from({ length: count }, (_, index) => `"${index}":0`);
    const { json, text } = await post(handler, `{"Timestamp":"${Timestamp}",${fields.join()}}`);
    expect(json).toMatchObject({ detail, errorCount: count, errors: { length: Math.min(count, 100) } });
    expect(text.length).toBeLessThan(20_000);
    expect(log.entries()).toMatchObject([{ code: 'request-refused', status: 400, errorCount: count }]);
  });

  it('is not repeated in the response or in the log, and nothing is written', async () => {
    const secret = 'hunter2-correct-horse';
    const { text, requestId, json } = await post(handler, `{"Timestamp": "${secret}", ${secret}`);
    const second = await post(handler, { Timestamp: secret });
    expect(json.requestId).toBe(requestId);
    expect(text + second.text + log.text()).not.toContain(secret);
    expect(log.entries()).toMatchObject([
      { level: 'WARN', code: 'request-refused', requestId, client: 'wms', status: 400 },
      { code: 'request-refused', errorCount: 1 },
    ]);
    expect(await rows()).toEqual([]);
  });
});

describe('a failure of the service', () => {
  it('is a 500 without details, and the log line has the request id', async () => {
    const broken = createHandler({ changes: changeWriter(client, 'no-such-table'), now: () => now });
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
    ['with a client that is not a string', { client: 7 }],
    ['without any context', undefined],
  ])('is a 500 if the authorizer passes a request %s', async (_, authorizer) => {
    expect((await post(handler, { Timestamp }, { authorizer })).status).toBe(500);
    expect(log.text()).toContain('The authorizer named no client.');
    expect(await rows()).toEqual([]);
  });
});

describe('a request', () => {
  it('never has the id that a client chose, also if the gateway gives none', async () => {
    const { json } = await post(handler, {}, { requestId: null });
    expect([json.requestId, log.entries()[0].requestId]).toEqual(['-', '-']);
  });

  it.each<[string, string | null, string | undefined]>([
    ['is cut to 200 characters', 'x'.repeat(201), 'x'.repeat(200)],
    ['cannot end its line', 'a"\n{"level":"ERROR"}', 'a"\n{"level":"ERROR"}'],
    ['may be missing', null, undefined],
  ])('is logged with the user agent of the client, which %s', async (_, userAgent, logged) => {
    await post(handler, {}, { userAgent });
    expect(log.entries().map((line) => line.userAgent)).toEqual([logged]);
    expect(log.text()).toMatch(/^.+\n$/);
  });

  it('is logged with the duration of the request', async () => {
    vi.useFakeTimers({ toFake: ['hrtime'] });
    onTestFinished(() => void vi.useRealTimers());
    const keep = async () => void vi.advanceTimersByTime(20);
    await post(createHandler({ changes: { keep }, now: () => now }), { Timestamp });
    expect(log.entries()).toMatchObject([{ durationMs: 20 }]);
  });
});
