import { test } from 'vitest';
import { type HttpResponse, type SentRequest, send } from '../support/http-client.ts';
import { startLocal } from '../support/local-run.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';

/** The headers that a program reads. */
const HEADERS = ['content-type', 'www-authenticate', 'retry-after', 'allow', 'cache-control'];

const showResponse = ({ status, headers, text }: HttpResponse) => {
  const lines = HEADERS.flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : []));
  const isJson = headers['content-type']?.includes('json');
  const body = isJson ? JSON.stringify(JSON.parse(text), null, 1) : text;
  return [status, ...lines, body.replaceAll(/(?<="requestId": ")[^"]+/g, 'ID')].join('\n');
};

test('what a program gets for a wrong request', async () => {
  const run = await startLocal();
  const authorized = { Authorization: run.authorization() };
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = JSON_TYPE): SentRequest => {
    return { method: 'POST', headers: { ...authorized, ...headers }, body };
  };
  const batch = {
    MaterialCodes: [
      { MaterialCode: 'A B', StockBalance: '7', StockBalanceUnit: 'kg', PurchaseOrders: [] },
      { MaterialCode: 'ABC-1', StockBalance: 1, PurchaseOrders: ['OT1'], Extra: 1 },
      { MaterialCode: 'ABC-2', StockBalance: 1e16, StockBalanceUnit: '', PurchaseOrders: {} },
      7,
    ],
  };
  const requests: [title: string, path: string, SentRequest][] = [
    ['no credentials', 'material-codes', {}],
    ['wrong credentials', 'material-codes', { headers: { Authorization: 'Basic d3Jvbmc6d3Jvbmc=' } }],
    ['an unknown path', 'nothing', { headers: authorized }],
    ['another method', 'changes', { method: 'DELETE', headers: authorized }],
    ['no content type', 'changes', post('{}', { 'Content-Type': 'text/plain' })],
    ['an empty body', 'changes', post('')],
    ['no JSON', 'changes', post('{"Timestamp": "2026')],
    ['JSON with a comma too much', 'material-stock-balance', post('{"MaterialCodes": [],\n}')],
    ['no field', 'changes', post('[]')],
    ['a wrong time', 'changes', post('{"Timestamp":"2026-02-30T08:15:30,123Z"}')],
    ['a repeated name', 'changes', post('{"Timestamp":1,"Timestamp":2,"Extra":3}')],
    ['a wrong batch', 'material-stock-balance', post(JSON.stringify(batch))],
    ['a body not compressed as it says', 'changes', post('{}', { ...JSON_TYPE, 'Content-Encoding': 'gzip' })],
    ['another encoding', 'changes', post('{}', { ...JSON_TYPE, 'Content-Encoding': 'br' })],
    ['too large a body', 'changes', post('x'.repeat(10 * 2 ** 20 + 1))],
  ];
  const shown: string[] = [];
  for (const [title, path, request] of requests)
    shown.push(`# ${title}\n${showResponse(await send(run.url(path), request))}\n`);
  await expectGolden(shown.join('\n'), 'errors/errors.txt');
});

testEachIsCompared('errors');
