import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../../support/problem.ts';
import { type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/*
 * Developer guide: "Output format of a Lambda function for proxy integration", "Payload compression for REST APIs";
 * otherwise, TemplateStack's recording test_aws_proxy_response_payload_format_validation.
 */

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  gateway.request('changes', { method: 'POST', headers, body });

const responding = (raw: unknown) => post(JSON.stringify({ raw }));

describe('a response of a function', () => {
  test.each([
    ['a string', 'just a string'],
    ['a number', 200],
    ['a list', []],
    ['nothing', null],
    ['a key that is not known', { statusCode: 200, wrongValue: 'value' }],
    ['a status that is no number', { statusCode: 'test' }],
    ['a status below all others', { statusCode: 199 }],
    ['a status above all others', { statusCode: 600 }],
    ['a body that is an object', { statusCode: 200, body: { a: 1 } }],
    ['a header that is an object', { statusCode: 200, headers: { a: {} } }],
    ['a header whose value breaks the line', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
    ['a header whose name has a space', { statusCode: 200, headers: { 'a b': 'c' } }],
    ['a multi-value header that is no list', { statusCode: 200, multiValueHeaders: { a: 'b' } }],
  ])('is a 502 if it is %s', async (_, raw) => {
    const response = await responding(raw);
    expectProblem(response, 502);
    expect(response.headers['x-amzn-errortype']).toBe('InternalServerErrorException');
  });

  test.each([
    ['an empty object', {}, 200, ''],
    ['headers alone', { headers: { 'test-header': 'value' } }, 200, ''],
    ['null for headers and body', { statusCode: 200, headers: null, body: null }, 200, ''],
    ['a status in a string', { statusCode: '201', body: 'made' }, 201, 'made'],
    [
      'base64, which is not decoded without binary media types',
      { statusCode: 200, body: 'dGVzdA==', isBase64Encoded: true },
      200,
      'dGVzdA==',
    ],
  ])('is accepted if it is %s', async (_, raw, status, text) => {
    const response = await responding(raw);
    expect([response.status, response.text]).toEqual([status, text]);
    expect(response.headers['content-type']).toBe('application/json');
  });

  test('has the headers of both lists, first those with several values, and booleans as text', async () => {
    const response = await responding({
      statusCode: 200,
      multiValueHeaders: { 'X-Multi': ['one', 'two'], 'Set-Cookie': ['a=1', 'b=2'] },
      headers: { 'x-multi': 'three', 'X-True': true, 'Content-Type': 'text/plain' },
    });
    expect(response.headers).toMatchObject({
      'x-multi': 'one, two, three',
      'set-cookie': ['a=1', 'b=2'],
      'x-true': 'true',
      'content-type': 'text/plain',
    });
    expect(response.rawHeaders).not.toContain('x-multi');
  });
});

const SCRIPT = JSON.stringify({ raw: { statusCode: 200, body: 'arrived' } });
const MAX_EVENT_BYTES = 6_291_456;
const TOO_LARGE = Buffer.alloc(MAX_EVENT_BYTES + 1);

test.each([
  ['gzip', 'gzip', gzipSync(SCRIPT), 200],
  ['deflate', 'deflate', deflateSync(SCRIPT), 200],
  ['a gzip body beyond the limit of an event', 'gzip', gzipSync(TOO_LARGE), 413],
  ['a deflate body beyond the limit of an event', 'deflate', deflateSync(TOO_LARGE), 413],
  ['several codings', 'gzip, gzip', gzipSync(SCRIPT), 415],
  ['a coding that the platform does not know', 'br', gzipSync(SCRIPT), 415],
  ['a body that is not what its coding says', 'gzip', deflateSync(SCRIPT), 415],
  ['deflate without the zlib format of RFC 9110', 'deflate', deflateRawSync(SCRIPT), 415],
])('a compressed request with %s', async (_, coding, body, status) => {
  const response = await post(body, { 'Content-Encoding': coding });
  if (status === 200) expect(response.text).toBe('arrived');
  else expectProblem(response, status);
});

test('a request that unpacks to more than an event may have is a 413, and is unpacked no further', async () => {
  const whole = gzipSync(Buffer.alloc(MAX_EVENT_BYTES + 100_000));
  // At its end, the checksum is wrong, which would be a 415.
  const damaged = Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]);
  expectProblem(await post(damaged, { 'Content-Encoding': 'gzip' }), 413);
});

test('a request of fewer characters than an event may have bytes, but of more bytes, is a 413', async () => {
  expectProblem(await post(JSON.stringify({ pad: 'Ж'.repeat(MAX_EVENT_BYTES / 2) })), 413);
});

test('a coding of a request without a body is ignored', async () => {
  expect((await post('', { 'Content-Encoding': 'gzip' })).status).toBe(200);
});

// Nothing is compressed if the platform does not support the coding with the highest weight.
test.each<[accept: string, coding: string | undefined]>([
  ['gzip, deflate, br', 'gzip'],
  ['deflate, gzip', 'deflate'],
  ['deflate;q=0.5, gzip;q=1.0', 'gzip'],
  ['GZIP;q=0.5, br;q=0.4', 'gzip'],
  ['gzip;q=1.0, identity;q=0.5, *;q=0', 'gzip'],
  ...['*', 'gzip;q=0', 'gzip; q=0.000', 'xgzip', 'br, gzip;q=0.9', 'identity, gzip', 'gzip;q=0.5, zstd'].map(
    (accept): [string, undefined] => [accept, undefined],
  ),
])('a response for Accept-Encoding: %s has the coding %s', async (accept, coding) => {
  const response = await post(JSON.stringify({ bytes: 3_000 }), { 'Accept-Encoding': accept });
  expect(response.headers['content-encoding']).toBe(coding);
  expect(response.text).toHaveLength(3_000);
  expect(response.headers['content-length']).toBe(String(response.bytes.byteLength));
});

test.each([
  [['identity', 'gzip'], 'gzip'],
  [['gzip', 'identity'], undefined],
])('of the headers Accept-Encoding: %s, the last one counts', async (accept, coding) => {
  const headers = { 'Accept-Encoding': accept };
  const response = await gateway.request('changes', { method: 'POST', headers, body: '{"bytes":9}' });
  expect(response.headers['content-encoding']).toBe(coding);
});

test('a response that a function has encoded itself is not compressed again', async () => {
  const raw = { headers: { 'content-encoding': 'br' }, body: 'x'.repeat(3_000) };
  const response = await post(JSON.stringify({ raw }), { 'Accept-Encoding': 'gzip' });
  expect([response.headers['content-encoding'], response.bytes.byteLength]).toEqual(['br', 3_000]);
});
