import { describe, expect, test } from 'vitest';
import { checks } from '../../../admin/doctor/checks/all.ts';
import { answerTo, LONGEST_ANSWER_BYTES, openRequest } from '../../../admin/doctor/exchange.ts';
import { waitOf } from '../../../admin/doctor/probe-client.ts';
import { PROBLEM_CONTENT_TYPE } from '../../../shared/schemas/problem.ts';
import { answerOf, consulted, startBlindServer, verdicts } from './consulted.ts';

const ALL = checks.map(({ name }) => name);

describe('what is not the service at all', () => {
  test.each([
    ['cuts every connection', undefined, /cut before an answer came/],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', /does not speak HTTP/],
    [
      'goes over to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      /answered 101: it goes over to another protocol/,
    ],
    [
      'never comes to an end',
      answerOf(200, Buffer.alloc(LONGEST_ANSWER_BYTES + 1, ' ')),
      /goes on past 20 MB/,
    ],
  ])('%s: that is said, and the others are not tried', async (_, bytes, words) => {
    const server = await startBlindServer(bytes);
    const visit = await consulted({ baseUrl: server.baseUrl });
    await server.stop();
    const [first, ...others] = [...verdicts(visit).values()];
    expect(first?.line).toMatch(/^WRONG +reach .*; .*check/);
    expect(first?.words).toMatch(words);
    expect(others).toHaveLength(ALL.length - 1);
    for (const { line } of others)
      expect(line).toMatch(/^- .* not tried: the service is not reached \(reach\)$/);
    expect(visit.isWell).toBe(false);
  });

  test.each([
    [
      'is the platform, where no stage is named',
      'application/json',
      '{"message": "Forbidden"}',
      /answered 403 "Forbidden"; the base URL lacks its end, such as \/live \(take the output BaseUrl\), or a firewall/,
    ],
    [
      'is the firewall of the deployment',
      PROBLEM_CONTENT_TYPE,
      JSON.stringify({ status: 403, detail: 'The request was turned away by the firewall.' }),
      /answered 403 "The request was turned away by the firewall\."; too much came: wait, or raise firewall\./,
    ],
  ])('%s: that is said, and the others are not tried', async (_, type, body, words) => {
    const server = await startBlindServer(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const visit = await consulted({ baseUrl: server.baseUrl });
    await server.stop();
    const [first, ...others] = [...verdicts(visit).values()];
    expect(first?.line).toMatch(/^WRONG +reach /);
    expect(first?.words).toMatch(words);
    expect(first?.line.length).toBeLessThan(176);
    expect(others).toHaveLength(ALL.length - 1);
    for (const { words } of others) expect(words).toBe('not tried: the service is not reached (reach)');
  });

  test('turns away in words of its own: it is reached, and the others tell', async () => {
    const body = '{"message":"Forbidden","by":"a proxy"}';
    const server = await startBlindServer(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const visit = await consulted({ baseUrl: server.baseUrl, only: ['reach', 'challenge'] });
    await server.stop();
    expect([...verdicts(visit).values()].map(({ state }) => state)).toEqual(['ok', 'WRONG']);
  });

  test('says nothing: a check does not wait longer than its time', async () => {
    const server = await startBlindServer(undefined, { stays: true });
    const visit = await consulted({ baseUrl: server.baseUrl, only: ['reach'] }, { timeLimitMs: 50 });
    await server.stop();
    expect(verdicts(visit).get('reach')?.words).toMatch(/^not over within 0\.05 s; try it again/);
  });

  test('asks to come again later than there is time: what it says is told, at once', async () => {
    const body = '{"message":"Too Many Requests"}';
    const server = await startBlindServer(answerOf(429, body, 'application/json', 'Retry-After: 60\r\n'));
    const started = performance.now();
    const visit = await consulted({ baseUrl: server.baseUrl, only: ['reach'] }, { timeLimitMs: 10_000 });
    await server.stop();
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(verdicts(visit).get('reach')?.words).toMatch(
      /answered 429 "Too Many Requests"; others use up the throttle: try later/,
    );
  });

  test.each([
    ['3', 3_000],
    ['0', 0],
    ['3600', 10_000],
    ['-1', 1_000],
    ['Sat, 21 Nov 2026 12:00:00 GMT', 1_000],
    [undefined, 1_000],
  ])('asks to come again after %s: the wait is bounded', (after, milliseconds) => {
    expect(waitOf(after === undefined ? {} : { 'retry-after': after })).toBe(milliseconds);
  });

  test('closes without any sign: that is an end as well', async () => {
    const server = await startBlindServer(undefined, { stays: true });
    const request = openRequest(server.baseUrl, {
      method: 'GET',
      headers: {},
      signal: AbortSignal.timeout(5_000),
    });
    const answer = answerTo(request);
    request.emit('close');
    await expect(answer).rejects.toThrow('the connection ended without an answer');
    request.destroy();
    await server.stop();
  }, 5_000);

  test('listens nowhere, or has a name that nobody knows', async () => {
    const server = await startBlindServer(undefined);
    await server.stop();
    const closed = await consulted({ baseUrl: server.baseUrl, only: ['reach'] });
    expect(verdicts(closed).get('reach')?.words).toContain('connection refused');
    const unknown = await consulted({ baseUrl: 'http://nowhere.invalid', only: ['reach'] });
    expect(verdicts(unknown).get('reach')?.words).toMatch(/^DNS does not know .*; check --base-url/);
  });

  test('is a page that is there for everything: each check comes to its end', async () => {
    const page = '<title>Welcome</title>';
    const server = await startBlindServer(
      `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
    );
    const only = ALL.filter((name) => name !== 'sign-in');
    const visit = await consulted({ baseUrl: server.baseUrl, only });
    await server.stop();
    const wrong = [...verdicts(visit).values()].filter(({ state }) => state === 'WRONG');
    expect(wrong.length).toBeGreaterThan(18);
    expect(wrong.filter(({ words }) => words.includes('the check itself failed'))).toEqual([]);
  });
});
