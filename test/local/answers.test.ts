import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../support/problem.ts';
import { type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/*
 * Developer guide: "Output format of a Lambda function for proxy integration", "Payload compression for REST APIs";
 * otherwise, LocalStack's recording test_aws_proxy_response_payload_format_validation.
 */

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  gateway.request('changes', { method: 'POST', headers, body });

const answering = (raw: unknown) => post(JSON.stringify({ raw }));

describe('an answer of a function', () => {
  test.each([
    ['a string', 'just a string'],
    ['a number', 200],
    ['a list', []],
    ['nothing', null],
    ['a key that is not known', { statusCode: 200, wrongValue: 'value' }],
    ['a status that is no number', { statusCode: 'test' }],
    ['a status that is none', { statusCode: 999 }],
    ['a body that is an object', { statusCode: 200, body: { a: 1 } }],
    ['a header that is an object', { statusCode: 200, headers: { a: {} } }],
    ['a header whose value breaks the line', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
    ['a header whose name has a space', { statusCode: 200, headers: { 'a b': 'c' } }],
    ['a multi-value header that is no list', { statusCode: 200, multiValueHeaders: { a: 'b' } }],
  ])('is a 502 if it is %s', async (_, raw) => {
    const answer = await answering(raw);
    expectProblem(answer, 502);
    expect(answer.headers['x-amzn-errortype']).toBe('InternalServerErrorException');
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
    const answer = await answering(raw);
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(answer.headers['content-type']).toBe('application/json');
  });

  test('has the headers of both lists, first those with several values, and booleans as text', async () => {
    const answer = await answering({
      statusCode: 200,
      multiValueHeaders: { 'X-Multi': ['one', 'two'], 'Set-Cookie': ['a=1', 'b=2'] },
      headers: { 'x-multi': 'three', 'X-True': true, 'Content-Type': 'text/plain' },
    });
    expect(answer.headers).toMatchObject({
      'x-multi': 'one, two, three',
      'set-cookie': ['a=1', 'b=2'],
      'x-true': 'true',
      'content-type': 'text/plain',
    });
    expect(answer.rawHeaders).not.toContain('x-multi');
  });
});

const SCRIPT = JSON.stringify({ raw: { statusCode: 200, body: 'arrived' } });
const TOO_LARGE = Buffer.alloc(10 * 1024 * 1024 + 1);

test.each([
  ['gzip', 'gzip', gzipSync(SCRIPT), 200],
  ['deflate', 'deflate', deflateSync(SCRIPT), 200],
  ['a gzip body beyond the limit of the gateway', 'gzip', gzipSync(TOO_LARGE), 413],
  ['a deflate body beyond the limit of the gateway', 'deflate', deflateSync(TOO_LARGE), 413],
  ['several codings', 'gzip, gzip', gzipSync(SCRIPT), 415],
  ['a coding that the platform does not know', 'br', gzipSync(SCRIPT), 415],
  ['a body that is not what its coding says', 'gzip', deflateSync(SCRIPT), 415],
  ['deflate without the zlib format of RFC 9110', 'deflate', deflateRawSync(SCRIPT), 415],
])('a compressed request with %s', async (_, coding, body, status) => {
  const answer = await post(body, { 'Content-Encoding': coding });
  if (status === 200) expect(answer.text).toBe('arrived');
  else expectProblem(answer, status);
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
])('an answer for Accept-Encoding: %s has the coding %s', async (accept, coding) => {
  const answer = await post(JSON.stringify({ bytes: 3_000 }), { 'Accept-Encoding': accept });
  expect(answer.headers['content-encoding']).toBe(coding);
  expect(answer.text).toHaveLength(3_000);
  expect(answer.headers['content-length']).toBe(String(answer.bytes.byteLength));
});

test('an answer that a function has encoded itself is not compressed again', async () => {
  const raw = { headers: { 'content-encoding': 'br' }, body: 'x'.repeat(3_000) };
  const answer = await post(JSON.stringify({ raw }), { 'Accept-Encoding': 'gzip' });
  expect([answer.headers['content-encoding'], answer.bytes.byteLength]).toEqual(['br', 3_000]);
});
