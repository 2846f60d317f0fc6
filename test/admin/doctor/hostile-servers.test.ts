import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { LONGEST_RESPONSE_BYTES } from '../../../admin/doctor/probe/connection.ts';
import { retryDelayMs } from '../../../admin/doctor/probe/probe-client.ts';
import { PROBLEM_CONTENT_TYPE } from '../../../shared/schemas/problem.ts';
import { CHECK_NAMES, diagnose, diagnoseBlindServer, httpResponse, secretPiecesIn } from './doctor.ts';

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
const PROBLEM = { 'Content-Type': PROBLEM_CONTENT_TYPE };
const NO_STAGE = httpResponse(403, '{"message": "Forbidden"}');
const FIREWALL = httpResponse(403, '{"detail":"Turned away."}', PROBLEM);
const THROTTLED = httpResponse(429, '{"message":"Too many"}', { 'Retry-After': '0' });

describe('a server that is not the service', () => {
  test.each<[string, string | Buffer | undefined, RegExp]>([
    ['cuts every connection', undefined, /closed before the response .*; check http or https/],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', /does not speak the protocol of the base URL/],
    ['switches protocols', SWITCHED, /the connection ended without a response; .* check --base-url/],
    ['never ends', httpResponse(200, Buffer.alloc(LONGEST_RESPONSE_BYTES + 1, ' ')), /longer than 20 MB/],
    ['is API Gateway without a stage', NO_STAGE, /answered 403 "Forbidden"; check .* \/live/],
    [
      'is the firewall',
      FIREWALL,
      /403 "Turned away\."; the firewall counted too many requests: wait, or raise firewall\./,
    ],
    [
      'throttles for good',
      THROTTLED,
      /answered 429 "Too many"; other requests use up the rate limit: try later/,
    ],
  ])('that %s fails reach, and no other check is tried', async (_, bytes, seen) => {
    const { results, isWell } = await diagnoseBlindServer(bytes);
    const [[name, first] = [], ...others] = [...results];
    expect([isWell, name, first?.state]).toEqual([false, 'reach', 'WRONG']);
    expect(first?.seen).toMatch(seen);
    expect(first?.line.length).toBeLessThan(176);
    const skipped = { seen: 'not tried: the service is not reached (reach)' };
    expect(others).toEqual(CHECK_NAMES.slice(1).map((check) => [check, expect.objectContaining(skipped)]));
  });

  test('with a 403 of its own is reached, and fails other checks', async () => {
    const bytes = httpResponse(403, '{"message":"Forbidden","by":"a proxy"}');
    const { results } = await diagnoseBlindServer(bytes, { only: ['reach', 'challenge'] });
    expect([...results.values()].map(({ state }) => state)).toEqual(['ok', 'WRONG']);
  });

  test('that sends nothing holds a check no longer than its time limit', async () => {
    const { results } = await diagnoseBlindServer(undefined, { only: ['reach'] }, { timeLimitMs: 50 });
    expect(results.get('reach')?.seen).toMatch(/^not finished within 0\.05 s; try again/);
  });

  test('that sends one page for everything fails each check in words', async () => {
    const page = httpResponse(200, '<title>Welcome</title>');
    const only = CHECK_NAMES.filter((name) => name !== 'sign-in');
    const { results } = await diagnoseBlindServer(page, { only });
    const fine = [...results].filter(([, { state }]) => state !== 'WRONG').map(([name]) => name);
    expect(fine).toEqual(['reach', 'tls', 'clock', 'http-1.0']);
    expect([...results.values()].filter(({ seen }) => seen.includes('the check itself failed'))).toEqual([]);
  });

  test.each([
    [
      'is not there',
      'http://127.0.0.1:9',
      /nothing answers at that address \(ECONNREFUSED\); check the host/,
    ],
    ['has an unknown name', 'http://nowhere.invalid', /^DNS has no record .*; check --base-url/],
  ])('that %s fails reach', async (_, baseUrl, seen) => {
    const { results } = await diagnose({ baseUrl, only: ['reach'] });
    expect(results.get('reach')?.seen).toMatch(seen);
  });
});

test.each([
  ['3', 3_000],
  ['0', 0],
  ['3600', 5_000],
  ['-1', 1_000],
  [undefined, 1_000],
  ['Sat, 21 Nov 2026 12:00:00 GMT', 1_000],
])('Retry-After: %s is a delay of %i ms', (value, delayMs) => {
  expect(retryDelayMs(value === undefined ? {} : { 'retry-after': value })).toBe(delayMs);
});

describe('a POST counts as', () => {
  const NAMED = JSON.stringify({ Timestamp: 'now' });
  const NOTHING = 'Written under the client warehouse: 0 changes and 0 snapshots.';
  const ONE = 'Written under the client warehouse: 1 change and 0 snapshots.';
  const PACKED = httpResponse(200, gzipSync(NAMED), { 'Content-Encoding': 'gzip' });
  const WRONG_TYPES = httpResponse(200, '{"Timestamp":1,"SnapshotId":null}');
  const UNCERTAIN = `${NOTHING} Up to 1 more may have been written, because their responses did not arrive.`;

  test.each<[string, string, string, string | Buffer | undefined]>([
    ['written', '200 with its name', ONE, httpResponse(200, NAMED)],
    ['not written', '400', NOTHING, httpResponse(400, NAMED)],
    ['not written', '429', NOTHING, httpResponse(429, NAMED, { 'Retry-After': '0' })],
    ['uncertain', '500', UNCERTAIN, httpResponse(500, NAMED)],
    ['uncertain', 'a page', UNCERTAIN, httpResponse(200, '<title>Welcome</title>')],
    ['uncertain', 'an empty response', UNCERTAIN, httpResponse(200, '')],
    ['uncertain', 'unasked gzip', UNCERTAIN, PACKED],
    ['uncertain', 'JSON that is no object', UNCERTAIN, httpResponse(200, '[]')],
    ['uncertain', 'JSON without a name', UNCERTAIN, httpResponse(200, '{"Kept":true}')],
    ['uncertain', 'a name that is no text', UNCERTAIN, WRONG_TYPES],
    ['uncertain', 'no response', UNCERTAIN, undefined],
    ['uncertain', 'half a response', UNCERTAIN, httpResponse(200, NAMED).subarray(0, -4)],
    ['uncertain', 'another protocol', UNCERTAIN, SWITCHED],
  ])('%s after %s', async (_, __, report, bytes) => {
    const { results, written } = await diagnoseBlindServer(bytes, { only: ['change'] });
    expect(results.get('change')?.state).toBe('WRONG');
    expect(written).toEqual([report]);
  });
});

const CREDENTIALS = { username: 'warehouse', password: 'sesame"open\\wide&Tür-7' };

/** So different that what hides one does not hide another. */
const SECRETS: [string, string][] = [
  ['user name and password in base64', Buffer.from(Object.values(CREDENTIALS).join(':')).toString('base64')],
  ['the password', CREDENTIALS.password],
  ['the password in JSON', JSON.stringify(CREDENTIALS.password).slice(1, -1)],
  ['the password in a URL', encodeURIComponent(CREDENTIALS.password)],
  ['the password in base64', Buffer.from(CREDENTIALS.password).toString('base64').replace(/=+$/, '')],
];

test.each(SECRETS)('a response is reported without %s', async (_, secret) => {
  const problem = httpResponse(403, JSON.stringify({ detail: `${secret} is wrong` }), PROBLEM);
  for (const json of [false, true]) {
    const { text } = await diagnoseBlindServer(problem, { ...CREDENTIALS, only: ['reach'], json });
    expect(text).toContain('[hidden] is wrong');
    expect(secretPiecesIn(text, secret)).toEqual([]);
  }
  const snapshot = httpResponse(200, JSON.stringify({ SnapshotId: secret }));
  const only = ['change', 'batch-21kb'];
  const { text, written } = await diagnoseBlindServer(snapshot, { ...CREDENTIALS, only });
  expect(written.at(-1)).toBe('  "[hidden]"');
  expect(secretPiecesIn(text, secret)).toEqual([]);
});
