import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { EditableAssembly } from '../../support/assembly.ts';
import { expectChallenge, expectProblem } from '../../support/problem.ts';
import { type RequestOptions, type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/*
 * Developer guide: "Gateway response types", "Set up a proxy integration with a proxy resource", "Throttle requests to
 * your REST APIs", "Amazon API Gateway quotas". test/interface has other paths, methods and sizes.
 */

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway({
    edit: ({ resource }) => {
      const { Integration } = resource(
        'AWS::ApiGateway::Method',
        'ApiRestApirestwarehousecontrolmaterialstockbalancePOST',
      ).Properties;
      Object.assign(Object(Integration), { TimeoutInMillis: 1 });
    },
  });
});

const SERVED_NOWHERE = { 'X-Served-Nowhere': '1' };
const STRANGER = { Authorization: [] };

test.each<[string, string, RequestOptions]>([
  ['the stage alone', '/live', {}],
  ['the header that no client sends', 'nowhere', { headers: SERVED_NOWHERE }],
])('%s is a 404 with credentials and a 401 without', async (_, path, asked) => {
  expectProblem(await gateway.request(path, asked), 404);
  expectChallenge(await gateway.request(path, { ...asked, headers: { ...asked.headers, ...STRANGER } }));
});

test('only an integration\'s response is compressed (developer guide, "Receive an API response with a compressed payload")', async () => {
  const headers = { 'Accept-Encoding': 'gzip' };
  const mocked = await gateway.request('nowhere', { headers: { ...headers, ...SERVED_NOWHERE } });
  expect(mocked.headers['content-encoding']).toBe('gzip');
  const refused = await gateway.request('nowhere', { headers });
  expect(refused.headers).not.toHaveProperty('content-encoding');
});

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

test.each([
  ['the id is made', {}, UUID],
  ['the text of the client is the id', { 'X-Amzn-RequestId': 'chosen' }, /^chosen$/],
])(
  '%s for a request that has the headers %j, and a response and an event have the same ids',
  async (_, headers, id) => {
    const response = await gateway.request('material-codes', { headers });
    const { requestId, extendedRequestId } = gateway.events.at(-1).requestContext;
    expect(requestId).toMatch(id);
    expect(extendedRequestId).toMatch(/^[\w+/]{15}=$/);
    expect(response.headers).toMatchObject({
      'x-amzn-requestid': requestId,
      'x-amz-apigw-id': extendedRequestId,
      'x-amzn-trace-id': expect.stringMatching(/^Root=1-[\da-f]{8}-[\da-f]{24};/),
    });
  },
);

test.each(['/', '/LIVE/rest', '/livery'])('another stage is a plain 403 Forbidden: %s', async (path) => {
  const response = await gateway.request(path);
  expect([response.status, response.headers['x-amzn-errortype']]).toEqual([403, 'ForbiddenException']);
  expect(response.json()).toEqual({ message: 'Forbidden' });
});

test.each<[string, string, object, number]>([
  ['that fails is a 502', 'changes', { fails: true }, 502],
  ['that Lambda throttles is a 500', 'changes', { isThrottled: true }, 500],
  ['that is slower than its integration is a 504', 'material-stock-balance', { hangs: true }, 504],
])('a function %s', async (_, path, script, status) => {
  const sent = gateway.request(path, { method: 'POST', body: JSON.stringify(script) });
  if ('hangs' in script) {
    await expect.poll(gateway.clock.waiting).toEqual([1]);
    gateway.clock.pass(1);
  }
  const response = await sent;
  expectProblem(response, status);
  expect(response.headers['x-amzn-errortype']).toBe('InternalServerErrorException');
  expect(response.text).not.toContain('Out of order');
});

test('large events take turns, small ones pass, and one whose time is up before its turn reaches no function', async () => {
  const { request, events, clock } = await startGateway();
  const post = (name: string, lastsMs: number, bytes = 1_000_000) =>
    request('changes', {
      method: 'POST',
      body: JSON.stringify({ name, lastsMs, raw: {}, pad: 'x'.repeat(bytes) }),
    });
  const reached = () => events.map(({ body }) => JSON.parse(body).name);
  const first = post('first', 30_500);
  await expect.poll(reached).toEqual(['first']);
  clock.pass(1_000);
  const second = post('second', 0);
  await expect.poll(clock.waiting).toEqual(expect.arrayContaining([28_000, 29_000]));
  clock.pass(1_000);
  const third = post('third', 0);
  await expect.poll(clock.waiting).toHaveLength(4);
  expect((await post('small', 0, 990_000)).status).toBe(200);
  clock.pass(28_000);
  for (const late of [first, second]) expectProblem(await late, 504);
  clock.pass(500);
  expect((await third).status).toBe(200);
  expect(reached()).toEqual(['first', 'small', 'third']);
});

test("past the stage's burst, a request is a 429 with Retry-After until its rate allows more, unless the run has no limits", async () => {
  const edit = ({ resource }: EditableAssembly) => {
    const limit = { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 };
    resource('AWS::ApiGateway::Stage').Properties['MethodSettings'] = [limit];
  };
  const statuses = async ({ request }: ScriptedGateway, count: number) => {
    const responses = Array.from({ length: count }, () => request('nowhere', { headers: STRANGER }));
    return (await Promise.all(responses)).map(({ status }) => status).toSorted();
  };
  const limited = await startGateway({ hasLimits: true, edit });
  expect(await statuses(limited, 3)).toEqual([401, 401, 429]);
  const throttled = await limited.request('nowhere');
  expectProblem(throttled, 429);
  expect(throttled.headers['retry-after']).toBe('10');
  limited.clock.pass(1_000);
  expect(await statuses(limited, 2)).toEqual([401, 429]);
  expect(await statuses(await startGateway({ edit }), 3)).toEqual([401, 401, 401]);
});

test("the throttle lets in again although this machine's clock was set back", async () => {
  const { request } = await startGateway({
    hasLimits: true,
    hasOwnClock: true,
    edit: ({ resource }) => {
      const limit = { ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 1 };
      resource('AWS::ApiGateway::Stage').Properties['MethodSettings'] = [limit];
    },
  });
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const hours of [0, 1, 2]) {
    vi.setSystemTime(Date.parse('2026-11-22T12:00:00.000Z') - hours * 3_600_000);
    expect((await request('material-codes')).status).toBe(200);
  }
});
