import { describe, expect, test } from 'vitest';
import { batchOf } from '../support/batches.ts';
import { basic } from '../support/http-client.ts';
import { eventually } from '../support/local-run.ts';
import { expectChallenge, expectProblem } from '../support/problem.ts';
import { isDeployment, OPERATIONS, useService } from './service.ts';

const service = useService();

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a refused body', () => {
  test('gets the first hundred errors and the count of all', async () => {
    const entries = Array.from({ length: 150 }, () => ({ MaterialCode: 1 }));
    const response = await service().post('material-stock-balance', { MaterialCodes: entries });
    const { errorCount, errors } = response.json();
    expect([response.status, errorCount, errors.length]).toEqual([400, 600, 100]);
    expect(errors.at(-1).pointer).toBe('#/MaterialCodes/24/PurchaseOrders');
  });

  test.each([
    ['is empty', '', 'empty'],
    ['has an extra comma', '{"MaterialCodes": [],\n}', 'line 2, column 1'],
    ['has a byte that is not UTF-8', latin1('{"Timestamp":\n\n"ÿ"}'), 'not UTF-8 at line 3, column 2'],
    [
      'has such a byte in a value that a later value replaces',
      latin1('{"Timestamp":"ÿ","Timestamp":"2026-03-01T08:15:30,250Z"}'),
      'not UTF-8 at line 1, column 15',
    ],
    ['is in UTF-16 with its mark', Buffer.from('\uFEFF{}', 'utf16le'), 'not UTF-8 at line 1, column 1.'],
    ['has such a byte after its end', latin1('{}é'), 'not UTF-8 at line 1, column 3'],
    ['has the character in place of such bytes', '{"\uFFFD":1}', 'not UTF-8 at line 1, column 3'],
  ])('gets the place where it cannot be read if it %s', async (_, body, words) => {
    const response = await service().post('changes', body);
    expectProblem(response, 400);
    expect(response.json().detail).toContain(words);
  });
});

/** Authorization headers with a wrong password, user name or form. test/interface/hostile sends other headers. */
const wrongHeaders = ({ userName, password }: { userName: string; password: string }) => [
  basic(userName, `${password}x`),
  basic(userName, password.slice(0, -1)),
  basic(userName, password.toLowerCase()),
  basic(`${userName}x`, password),
  basic(userName.toUpperCase(), password),
  basic(userName, ''),
  'Basic',
  `Basic ${userName}:${password}`,
  basic(userName, password).replace('Basic', 'Digest'),
  basic(userName, password).replace(' ', ''),
];

test('credentials get the same 401 with the challenge if they are missing, wrong or malformed, for every operation', async () => {
  const wrong = wrongHeaders(service());
  const details = new Set<string>();
  for (const [method, path] of OPERATIONS)
    for (const Authorization of path === 'changes' ? [[], ...wrong] : [[], ...wrong.slice(0, 1)]) {
      const headers = { 'Content-Type': 'application/json', Authorization };
      const response = await service().send(path, { method, headers });
      expectChallenge(response);
      details.add(response.json().detail);
    }
  expect(details.size).toBe(1);
});

test.each([
  ['first', (right: string, wrong: string) => [right, wrong]],
  ['last', (right: string, wrong: string) => [wrong, right]],
])(
  'a wrong Authorization beside the right one, which comes %s, is refused, and the right one alone is accepted at once',
  async (place, both) => {
    const { userName, authorization } = service();
    // The gateway has the usual spelling in its cache.
    const right = authorization.replace(' ', place === 'first' ? '  ' : '   ');
    const wrong = basic(userName, `wrong ${place}`);
    expectChallenge(
      await service().send('material-codes', { headers: { Authorization: both(right, wrong) } }),
    );
    const alone = (Authorization: string) => service().send('material-codes', { headers: { Authorization } });
    expect((await alone(right)).status).toBe(200);
    expectChallenge(await alone(wrong));
  },
);

test.each([
  ['GET', 'changes', 'application/json'],
  ['PUT', 'changes', 'text/plain'],
  ['POST', 'material-codes', 'application/json'],
  ['OPTIONS', 'purchase-orders', 'application/json'],
  ['POST', 'changes/1', 'application/x-www-form-urlencoded'],
  ['GET', 'Material-Codes', 'image/png'],
  ['GET', '../../', 'application/json'],
  ['POST', '../../nothing/at/all', 'application/json'],
])('%s %s gets a 404 with credentials and a 401 without, as %s', async (method, path, type) => {
  const headers = { 'Content-Type': type };
  expectProblem(await service().send(path, { method, headers }), 404);
  for (const Authorization of [[], basic('stranger', 'x')]) {
    expectChallenge(await service().send(path, { method, headers: { ...headers, Authorization } }));
  }
});

test('an id that a client sends is in no body, item or log line', async () => {
  const id = { 'x-amzn-RequestId': 'forged-'.repeat(500), 'User-Agent': 'old-program/1.0' };
  const Timestamp = '2026-11-23T01:02:03,004Z';
  const stored = await service().post('changes', { Timestamp }, id);
  const refused = await service().post('changes', '', id);
  const unknown = await service().send('nowhere', { headers: id });
  const denied = await service().post('changes', {}, { ...id, Authorization: basic('forger', 'x') });
  expect([stored.status, stored.text]).toEqual([200, JSON.stringify({ Timestamp })]);
  expectProblem(refused, 400);
  expectProblem(unknown, 404);
  expectChallenge(denied);
  if (isDeployment) return;
  const rows = await service().tables.rows('ChangeTimestamps');
  const row = rows.find((item) => item['Timestamp']?.S === Timestamp);
  expect(row?.['RequestId']?.S).toBe(stored.headers['x-amz-apigw-id']);
  const log = () => service().run?.functionsLog() ?? '';
  const ids = [stored, refused, denied].map(({ headers }) => String(headers['x-amz-apigw-id']));
  await eventually(() => ids.every((id) => log().includes(id)));
  expect(log()).not.toContain('forged');
  expect(log()).toContain('"userAgent":"old-program/1.0"');
});

describe('a body', () => {
  test('that is nested deeply gets a 400 without a stack or a file of the service', async () => {
    const deep = '['.repeat(200_000);
    for (const body of [deep, deep + ']'.repeat(200_000), '{"__proto__":{"x":1}}', '\u0000']) {
      const response = await service().post('changes', body);
      expect(response.status).toBe(400);
      expect(response.text).not.toMatch(/at \w+.*:\d+:\d+|node_modules|\.[jt]s\b|\/var\/task/);
    }
  });

  test('over 6 MB gets a 413 as a problem', async () => {
    const body = JSON.stringify({ ...batchOf(10), Padding: 'x'.repeat(6_400_000) });
    expectProblem(await service().post('material-stock-balance', body), 413);
  });

  test('over 10 MB gets a 413 in plain text without a request id', async () => {
    const response = await service().post('material-stock-balance', Buffer.alloc(10 * 1024 * 1024 + 1, ' '));
    expect(response.status).toBe(413);
    expect(response.headers['content-type']).toMatch(/^text\b/);
    expect(response.headers['x-amz-apigw-id']).toBeUndefined();
  });
});
