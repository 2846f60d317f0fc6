import { beforeAll, describe, expect, test } from 'vitest';
import { editedAssembly } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { expectChallenge, expectProblem } from '../support/problem.ts';

/*
 * The template as it is. Developer guide: "Gateway response types", "Set up a proxy integration with a proxy resource",
 * "Throttle requests to your REST APIs", "Amazon API Gateway quotas".
 */

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal();
});

const withCredentials = (headers: Record<string, string> = {}) => ({
  Authorization: run.authorization(),
  ...headers,
});

const NOWHERE: [string, string][] = [
  ['GET', ''],
  ['POST', '/'],
  ['GET', '/rest'],
  ['PUT', '/rest/warehouse-control'],
  ['GET', '/rest/warehouse-control/changes'],
  ['DELETE', '/rest/warehouse-control/material-codes'],
  ['PATCH', '/rest/warehouse-control/material-stock-balance'],
  ['OPTIONS', '/rest/warehouse-control/purchase-orders'],
  ['HEAD', '/rest/warehouse-control/purchase-orders'],
  ['POST', '/rest/warehouse-control/changes/1'],
  ['GET', '/REST/warehouse-control/material-codes'],
  ['GET', '/favicon.ico'],
];

describe.each(NOWHERE)('%s %s', (method, path) => {
  const at = (headers: Record<string, string>, body?: string) =>
    send(`${run.outputs().BaseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });

  test('is a 401 without credentials and a 404 with them', async () => {
    const [stranger, client] = [await at({}), await at(withCredentials())];
    expect([stranger.status, client.status]).toEqual([401, 404]);
    if (method === 'HEAD') return;
    expectChallenge(stranger);
    expectProblem(client, 404);
  });
});

describe('an unknown path', () => {
  const at = (headers: Record<string, string>, body = 'a=1') =>
    send(`${run.outputs().BaseUrl}/nowhere`, { method: 'POST', headers: withCredentials(headers), body });

  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; charset=utf-8',
    'application/octet-stream',
    '',
  ])('is a 404 for a body of type "%s"', async (type) => {
    expectProblem(await at(type ? { 'Content-Type': type } : {}), 404);
  });

  test('is a 404 for whoever sends the header that nobody sends', async () => {
    expectProblem(await at({ 'X-Served-Nowhere': '1', 'Content-Type': 'application/json' }), 404);
  });

  test('is a 401 for wrong credentials', async () => {
    expectChallenge(await at({ Authorization: basic('warehouse', 'wrong') }));
  });
});

describe('an operation', () => {
  test('is a 401 for wrong credentials, now and from the cache', async () => {
    for (const _ of [1, 2]) {
      const answer = await send(run.url('material-codes'), {
        headers: { Authorization: basic('warehouse', 'wrong') },
      });
      expectChallenge(answer);
    }
  });

  test('is served with a slash at the end of its path (recorded from the platform by LocalStack)', async () => {
    expect((await send(`${run.url('material-codes')}/`, { headers: withCredentials() })).status).toBe(200);
  });

  test('answers with the request id of the gateway, which its log line has too', async () => {
    const answer = await send(run.url('material-codes'), { headers: withCredentials() });
    expect(answer.json()).toEqual({ MaterialCodes: [] });
    const id = String(answer.headers['x-amzn-requestid']);
    expect(answer.headers['x-amz-apigw-id']).toMatch(/./);
    await expect.poll(() => run.functionsLog()).toContain(id);
  });

  test('has its own errors with the same request id', async () => {
    const answer = await send(run.url('changes'), {
      method: 'POST',
      headers: withCredentials({ 'Content-Type': 'application/json' }),
      body: '{}',
    });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ requestId: answer.headers['x-amzn-requestid'], errorCount: 1 });
  });
});

describe('another stage', () => {
  test.each(['/', '/rest/warehouse-control/material-codes', '/LIVE/rest', '/livery'])(
    'is a plain 403 Forbidden: %s',
    async (path) => {
      const { origin } = new URL(run.outputs().BaseUrl);
      const answer = await send(`${origin}${path}`, { headers: withCredentials() });
      expect(answer.status).toBe(403);
      expect(answer.headers['x-amzn-errortype']).toBe('ForbiddenException');
      expect(answer.json()).toEqual({ message: 'Forbidden' });
    },
  );
});

describe('the limits on a request', () => {
  const post = (body: string | Buffer, path = 'material-stock-balance') =>
    send(run.url(path), {
      method: 'POST',
      headers: withCredentials({ 'Content-Type': 'application/json' }),
      body,
    });

  test('are 10 MB at the gateway: past it, a plain 413 that no template shapes', async () => {
    for (const answer of [await post(Buffer.alloc(10 * 1024 * 1024 + 1, 0x20))]) {
      expect(answer.status).toBe(413);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.json()).toEqual({ message: 'Request Too Long' });
    }
  });

  test('are 6 MB for the event: a body that only its escaped quotation marks take past it is a plain 413', async () => {
    const quotes = '"'.repeat(3_500_000);
    expect((await post(quotes)).status).toBe(413);
    expect((await post(' '.repeat(3_500_000))).status).toBe(400);
  });
});

describe('throttling', () => {
  test("answers 429 with Retry-After past the stage's burst, and lets in again at its rate", async () => {
    const assemblyFolder = await editedAssembly((assembly) => {
      const { MethodSettings } = assembly.resource('AWS::ApiGateway::Stage').Properties;
      Object.assign(Object(MethodSettings)[0], { ThrottlingRateLimit: 2, ThrottlingBurstLimit: 5 });
    });
    const slow = await startLocal({ assemblyFolder, args: ['--quiet'] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(slow.url('nowhere'))));
    const throttled = answers.filter(({ status }) => status === 429);
    expect(throttled.length).toBeGreaterThanOrEqual(10);
    expect(answers.length - throttled.length).toBeGreaterThanOrEqual(5);
    for (const answer of throttled.slice(0, 1)) {
      expectProblem(answer, 429);
      expect(answer.headers['retry-after']).toBe('1');
    }
    await expect.poll(async () => (await send(slow.url('nowhere'))).status, { timeout: 5_000 }).toBe(401);
    await slow.stop();

    const free = await startLocal({ assemblyFolder, args: ['--quiet', '--no-throttle'] });
    const all = await Promise.all(Array.from({ length: 20 }, () => send(free.url('nowhere'))));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 401));
    await free.stop();
  });
});

describe('a policy of the API', () => {
  const policy = (ranges: string[]) => ({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: 'execute-api:Invoke', Resource: 'execute-api:/*' },
      {
        Effect: 'Deny',
        Principal: '*',
        Action: 'execute-api:Invoke',
        Resource: 'execute-api:/*',
        Condition: { NotIpAddress: { 'aws:SourceIp': ranges } },
      },
    ],
  });

  test.each([
    [['203.0.113.0/24', '2001:db8::/32'], 401],
    [['203.0.113.0/24', '127.0.0.0/8'], 200],
  ])('with the addresses %s answers %i here', async (ranges, status) => {
    const assemblyFolder = await editedAssembly((assembly) => {
      assembly.resource('AWS::ApiGateway::RestApi').Properties['Policy'] = policy(ranges);
    });
    const guarded = await startLocal({ assemblyFolder, args: ['--quiet'] });
    const headers = { Authorization: guarded.authorization() };
    const answer = await send(guarded.url('material-codes'), { headers });
    expect(answer.status).toBe(status);
    if (status === 401) expectChallenge(answer);
    await guarded.stop();
  });
});
