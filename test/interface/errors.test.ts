import { describe, expect, test } from 'vitest';
import { batchOf } from '../support/batches.ts';
import { basic } from '../support/http-client.ts';
import { expectChallenge, expectProblem } from '../support/problem.ts';
import { tracesOf } from '../support/traces.ts';
import { OPERATIONS, useService } from './service.ts';

const service = useService();

describe('a refused body', () => {
  test('gets a problem with every fault, its place and what to send', async () => {
    const answer = await service().post('material-stock-balance', {
      MaterialCodes: [
        { MaterialCode: 'A B', StockBalance: '7', StockBalanceUnit: 'kg', PurchaseOrders: [] },
        { MaterialCode: 'ABC-1', StockBalance: 1, PurchaseOrders: ['OT1'], Extra: 1 },
        7,
      ],
    });
    expect(answer.json().detail).toBe('The body has 7 errors, so nothing was stored.');
    expectProblem(answer, 400, {
      errorCount: 7,
      errors: [
        ['#/MaterialCodes/0/MaterialCode', 'letters of any script'],
        ['#/MaterialCodes/0/StockBalance', 'JSON number, without quotes'],
        ['#/MaterialCodes/0/PurchaseOrders', 'Send the empty object {}'],
        ['#/MaterialCodes/1/StockBalanceUnit', 'is missing'],
        ['#/MaterialCodes/1/PurchaseOrders/0', 'OT and seven digits'],
        ['#/MaterialCodes/1/Extra', 'unknown'],
        ['#/MaterialCodes/2', 'must be a JSON object'],
      ].map(([pointer, words]) => ({ pointer, detail: expect.stringContaining(words ?? '') })),
    });
  });

  test('gets the first hundred faults and the count of all', async () => {
    const entries = Array.from({ length: 150 }, () => ({ MaterialCode: 1 }));
    const answer = await service().post('material-stock-balance', { MaterialCodes: entries });
    const { errorCount, errors } = answer.json();
    expect([answer.status, errorCount, errors.length]).toEqual([400, 600, 100]);
    expect(errors.at(-1).pointer).toBe('#/MaterialCodes/24/PurchaseOrders');
  });

  test.each([
    ['is empty', '', 'empty'],
    ['is only whitespace', ' \r\n\t', 'empty'],
    ['ends within a string', '{"Timestamp": "2026', 'ends where'],
    ['has an extra comma', '{"MaterialCodes": [],\n}', 'line 2, column 1'],
    ['has a second document after it', '{} {}', 'line 1, column 4'],
    ['has a comment', '{} // none', 'line 1, column 4'],
  ])('gets the place of its JSON error if it %s', async (_, body, words) => {
    const answer = await service().post('changes', body);
    expectProblem(answer, 400);
    expect(answer.json().detail).toContain(words);
  });

  test.each(['null', '[]', '"x"', '7', 'true'])(
    'gets the name of the missing field if it is %s',
    async (body) => {
      for (const [path, field] of [
        ['changes', 'Timestamp'],
        ['material-stock-balance', 'MaterialCodes'],
      ] as const) {
        const answer = await service().post(path, body);
        expect(answer.status).toBe(400);
        expect(answer.json().errors).toEqual([{ pointer: '#', detail: expect.stringContaining(field) }]);
      }
    },
  );
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Authorization headers with a wrong password, user name or form. */
const wrongHeaders = ({ username, password }: { username: string; password: string }) => {
  const pair = `${username}:${password}`;
  const right = basic(username, password);
  return [
    basic(username, `${password}x`),
    basic(username, `${password} `),
    basic(username, `${password}\0`),
    basic(username, password.slice(0, -1)),
    basic(username, password.slice(1)),
    basic(username, password.toLowerCase()),
    basic(`${username}x`, password),
    basic(username.toUpperCase(), password),
    basic('', password),
    basic(username, ''),
    'Basic',
    'Basic !!!!',
    `Basic ${pair}`,
    `Basic ${base64(username)}`,
    `Basic ${base64(`:${pair}`)}`,
    `Basic ${base64(` ${pair}`)}`,
    `Basic ${Buffer.from(pair).toString('hex')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
    right.replace('Basic', 'Digest'),
    right.replace('Basic ', ''),
    right.replace(' ', ''),
    `${right} ${base64(pair)}`,
    `${right}, ${right}`,
  ];
};

/** service().send would add credentials to a request without this header. */
const sendWith = (authorization: string | string[], method: string, path: string) =>
  service().send(path, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: authorization },
    ...(method === 'POST' ? { body: '{}' } : {}),
  });

describe.each(OPERATIONS)('credentials for %s %s', (method, path) => {
  test('get the same 401 with the challenge if they are missing, wrong or malformed', async () => {
    const details = new Set<string>();
    for (const header of [[], ...wrongHeaders(service())]) {
      const answer = await sendWith(header, method, path);
      expectChallenge(answer);
      details.add(answer.json().detail);
    }
    expect(details.size).toBe(1);
  });
});

describe('an unknown path or method', () => {
  const UNKNOWN = [
    ['GET', 'changes'],
    ['PUT', 'changes'],
    ['POST', 'material-codes'],
    ['OPTIONS', 'purchase-orders'],
    ['GET', 'nowhere'],
    ['POST', 'changes/1'],
    ['GET', 'Material-Codes'],
    ['GET', '../../'],
    ['POST', '../../nothing/at/all'],
  ] as const;

  test.each(UNKNOWN)('gets a 404 with credentials and a 401 without: %s %s', async (method, path) => {
    const headers = { 'Content-Type': 'application/json' };
    expectProblem(await service().send(path, { method, headers }), 404);
    expectChallenge(await sendWith([], method, path));
    expectChallenge(await sendWith(basic('stranger', 'x'), method, path));
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'image/png', 'application/json'])(
    'gets a 404 for the content type %s',
    async (contentType) => {
      const headers = { 'Content-Type': contentType };
      expectProblem(await service().send('nowhere', { method: 'POST', headers, body: 'a=1' }), 404);
    },
  );
});

describe('no answer contains', () => {
  test('a password, a header or a body of a request', async () => {
    const marker = 'Приметный-Q7xZ';
    const headers = { 'X-Marker': marker.slice(-4), Cookie: `c=${marker.slice(-4)}` };
    const bodies = [
      {
        MaterialCodes: [
          { MaterialCode: `${marker} `, StockBalanceUnit: marker.repeat(9), StockBalance: marker },
        ],
      },
      `{"MaterialCodes": ["${marker}" "x"]}`,
      `"${marker}"`,
    ];
    for (const body of bodies) {
      const answer = await service().post('material-stock-balance', body, headers);
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('Q7xZ');
      expect(tracesOf(service().password, answer.text)).toEqual([]);
    }
    const refused = await sendWith(basic(service().username, marker), 'POST', 'changes');
    expect(refused.text + JSON.stringify(refused.headers)).not.toContain('Q7xZ');
  });

  test('a stack or a file of the service', async () => {
    const deep = '['.repeat(200_000);
    for (const body of [deep, deep + ']'.repeat(200_000), '{"__proto__":{"x":1}}', '\u0000']) {
      const answer = await service().post('changes', body);
      expect(answer.status).toBe(400);
      expect(answer.text).not.toMatch(/at \w+.*:\d+:\d+|node_modules|\.[jt]s\b|\/var\/task/);
    }
  });
});

describe('a body', () => {
  test('over 6 MB gets a 413 as a problem', async () => {
    const body = JSON.stringify({ ...batchOf(10), Padding: 'x'.repeat(6_400_000) });
    expectProblem(await service().post('material-stock-balance', body), 413);
  });

  test('over 10 MB gets a 413 in plain text without a request id', async () => {
    const answer = await service().post('material-stock-balance', Buffer.alloc(10 * 1024 * 1024 + 1, ' '));
    expect(answer.status).toBe(413);
    expect(answer.headers['content-type']).toMatch(/^text\b/);
    expect(answer.headers['x-amzn-requestid']).toBeUndefined();
  });
});
