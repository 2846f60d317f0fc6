import { createServer, type ServerOptions } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gatewayFacts } from '../../doctor/trial/request-facts.ts';
import { close, listen } from '../../local/http.ts';
import { inJson, tracesOf } from '../support/traces.ts';
import { selfSigned } from './certificate.ts';
import { examine, httpResponse, quickNames, startBlindServer } from './examine.ts';

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';

const examineBlind = async (bytes: string | undefined, options: Parameters<typeof examine>[1] = {}) => {
  const baseUrl = await startBlindServer(bytes, { staysOpen: options.timeLimitMs !== undefined });
  return examine({ baseUrl }, options);
};

describe('a server that is not the service', () => {
  test.each<[string, string | undefined, RegExp]>([
    ['cuts every connection', undefined, /closed before the response; check http or https/],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', /does not speak the protocol of the base URL/],
    ['switches protocols', SWITCHED, /the connection ended without a response; .* check --base-url/],
  ])('that %s fails reach, and no other fact is checked', async (_, bytes, seen) => {
    const [first, ...others] = await examineBlind(bytes);
    expect(first).toMatchObject({ name: 'reach', state: 'WRONG' });
    expect(first?.seen).toMatch(seen);
    const reason = { state: 'not checked', seen: 'the service is not reached (reach)' };
    expect(others).toEqual(quickNames.slice(1).map((name) => expect.objectContaining({ name, ...reason })));
  });

  test('that sends nothing holds a fact no longer than its time limit', async () => {
    const [result] = await examineBlind(undefined, { only: ['reach'], timeLimitMs: 50 });
    expect(result?.seen).toMatch(/^not finished within 0\.05 s; try again/);
  });

  test('that sends one page for everything fails each fact in words', async () => {
    const only = quickNames.filter((name) => name !== 'sign-in');
    const results = await examineBlind(httpResponse(200, '<title>Welcome</title>'), { only });
    const others = results.filter(({ state }) => state !== 'WRONG').map(({ name }) => name);
    expect(others).toEqual(['reach', 'tls', 'certificate', 'http-1.0']);
    expect(results.filter(({ seen }) => seen.includes('the check itself failed'))).toEqual([]);
  });

  test('that ignores Expect is waited for no longer than its response', async () => {
    const refusal = httpResponse(400, '{"errors":[{"pointer":"#/Timestamp"}]}');
    const [result] = await examineBlind(refusal, { only: ['expect-continue'] });
    const seen = expect.stringMatching(/^no 100 Continue, then 400 #\/Timestamp .+; programs wait 1 s/);
    expect(result).toMatchObject({ state: 'WRONG', seen });
  });

  test.each([
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', /^200 in chunks /],
    ['no status', 'Hello\r\n', /^no status not chunked/],
  ])('that sends %s to HTTP/1.0 has programs change to 1.1', async (_, bytes, words) => {
    const [result] = await examineBlind(bytes, { only: ['http-1.0'] });
    expect(result).toMatchObject({ state: 'WRONG', seen: expect.stringMatching(words) });
    expect(result?.seen).toMatch(/; let programs change from 1\.0 to 1\.1/);
  });

  test.each([
    [503, /^503 .+; too slow here: try again; if it stays slow, correct local\/gateway\/gateway\.ts$/],
    [504, /^504 .+; too slow here: try again; if it stays slow, correct local\/gateway\/gateway\.ts$/],
    [500, /^500 .+; correct local\/gateway\/gateway\.ts$/],
  ])('that responds with %i is blamed on a file as far as that says', async (status, seen) => {
    const facts = gatewayFacts;
    const [result] = await examineBlind(httpResponse(status, '{}'), { facts, only: ['an unknown path'] });
    expect(result).toMatchObject({ state: 'WRONG', seen: expect.stringMatching(seen) });
  });

  test('that has an unknown name fails reach', async () => {
    const [result] = await examine({ baseUrl: 'http://nowhere.invalid' }, { only: ['reach'] });
    expect(result?.seen).toMatch(/^DNS has no record/);
  });
});

const PASSWORD = 'sesame"open\\wide&Tür-7';
const inBase64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '');

/** So different that what hides one does not hide another. */
test.each([
  ['user name and password in base64', inBase64(`warehouse:${PASSWORD}`)],
  ['the password', PASSWORD],
  ['the password in JSON', inJson(PASSWORD)],
  ['the password in JSON in JSON', inJson(inJson(PASSWORD))],
  ['the password in a URL', encodeURIComponent(PASSWORD)],
  ['the password in base64', inBase64(PASSWORD)],
])('a response is reported without %s', async (_, secret) => {
  const baseUrl = await startBlindServer(httpResponse(403, JSON.stringify({ detail: `${secret} is wrong` })));
  const credentials = { userName: 'warehouse', password: PASSWORD };
  const results = await examine({ baseUrl, ...credentials }, { only: ['reach', 'change'] });
  expect(results[0]?.seen).toContain('[hidden] is wrong');
  expect(tracesOf(secret, JSON.stringify(results))).toEqual([]);
});

/** Returns the base URL of a server that responds with 401 to everything. */
const serveTls = async (options: ServerOptions) => {
  const server = createServer(options, (incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(401).end();
  });
  onTestFinished(() => close(server));
  const host = options.SNICallback ? '127.0.0.1' : 'localhost';
  return (await listen(server, 0)).replace('http://127.0.0.1', `https://${host}`);
};

const OLD: ServerOptions = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };
/** Refuses a handshake with a server name. */
const NAMELESS: ServerOptions = { SNICallback: (name, done) => done(new Error(name)) };

test.each<[fact: string, title: string, ServerOptions, days: number, seen: RegExp]>([
  ['tls', 'usual versions', {}, 300, /^accepts 1\.2, refuses 1\.0 and 1\.1$/],
  ['tls', 'old versions', OLD, 300, /accepts 1\.0 or 1\.1; .* proxy /],
  ['tls', 'an IP address', NAMELESS, 300, /^accepts 1\.2, refuses 1\.0 and 1\.1$/],
  ['tls', 'no 1.2', { minVersion: 'TLSv1.3' }, 300, /^refuses 1\.2, .*rest-api\.ts/],
  ['certificate', 'valid for long', {}, 300, /^expires in 299 days$/],
  ['certificate', 'valid for 14 days', {}, 14.5, /^expires in 14 days$/],
  ['certificate', 'valid for 13 days', {}, 13.5, /^expires in 13 days; renew it/],
  ['reach', 'an unknown root', {}, 300, /^this machine does not trust the certificate; .*NODE_EXTRA_CA/],
  ['reach', 'an expired certificate', {}, -0.5, /certificate/],
  ['http-1.0', 'an unknown root', {}, 300, /^this machine does not trust the certificate/],
])('%s: %s', async (fact, _, options, days, expected) => {
  const baseUrl = await serveTls({ ...selfSigned(days), ...options });
  const [result] = await examine({ baseUrl }, { only: [fact] });
  expect(result?.seen).toMatch(expected);
});
