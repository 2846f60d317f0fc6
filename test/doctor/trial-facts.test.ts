import { expect, onTestFinished, test, vi } from 'vitest';
import { addressFacts, deploymentFacts, updateFacts } from '../../doctor/trial/deployment-facts.ts';
import { exposureFacts } from '../../doctor/trial/exposure-facts.ts';
import { CHANGE, gatewayFacts, writeFacts } from '../../doctor/trial/request-facts.ts';
import { changedPlans, PER_DAY } from '../../doctor/trial/trial-clients.ts';
import type { HttpResponse } from '../../local/http.ts';
import { CHALLENGE } from '../../shared/http/problem.ts';
import { describeStacks, listStackResources, startAws } from './aws-stub.ts';
import { EagerTrial } from './eager-trial.ts';
import { examineFact, serve } from './examine.ts';

const PROBLEM = { 'Content-Type': 'application/problem+json' };
const TEXT = { 'Content-Type': 'text; charset=utf-8' };
const ID = { 'x-amz-apigw-id': 'any' };
const limited = (headers = {}) => ({ status: 429, headers: { ...PROBLEM, 'Retry-After': '10', ...headers } });
const renewed = (headers = {}) => limited({ 'X-Trial': 'deployed', ...headers });

const responses: Record<string, HttpResponse> = {
  stored: { status: 200, body: '{"SnapshotId":"any"}' },
  echoed: { status: 200, body: CHANGE },
  failedEcho: { status: 500, body: CHANGE },
  unknownElsewhere: { status: 404, headers: PROBLEM },
  tooLargeForGateway: { status: 413, headers: { ...TEXT, ...ID } },
  served: { status: 200, headers: { 'Content-Type': 'application/json' } },
  denied: { status: 401, headers: { ...PROBLEM, 'WWW-Authenticate': CHALLENGE } },
  forbidden: { status: 403, headers: PROBLEM },
  failed: { status: 500, headers: PROBLEM },
  unchecked: { status: 503, headers: { ...PROBLEM, 'Retry-After': '5' } },
  unavailable: { status: 503, headers: PROBLEM },
  limited: limited(),
  renewed: renewed(),
  renewedWithNobody: renewed({ 'X-Client': '' }),
  // Reads like the absence of the header.
  renewedWithNone: renewed({ 'X-Client': 'none' }),
  renewedWithClient: renewed({ 'X-Client': 'hasty' }),
  renewedWithPause: renewed({ 'Retry-After': '60' }),
};

type Gateway = Parameters<typeof serve>[0];

/** Sends these responses one after the other, and then the last one again and again. */
const inOrder = (names: string): Gateway => {
  const left = names.split(' ');
  return () => {
    const [name = ''] = left.length > 1 ? left.splice(0, 1) : left;
    return responses[name] ?? { status: 404 };
  };
};

const each = (authorization: string) => authorization;

/** Allows a number of requests to each slot. */
const limit = (allowed: number, slotOf = each, pause = '3600'): Gateway => {
  const counts = new Map<string, number>();
  return ({ headers }) => {
    const slot = slotOf(headers.authorization ?? '');
    const count = (counts.get(slot) ?? 0) + 1;
    counts.set(slot, count);
    return (count <= allowed ? responses['served'] : undefined) ?? limited({ 'Retry-After': pause });
  };
};

const gateways: Record<string, () => Gateway> = {
  'limits each slot': () => limit(PER_DAY),
  'limits all slots as one': () => limit(PER_DAY, () => 'all'),
  'names another pause': () => limit(PER_DAY, each, '60'),
  'serves a slot once more': () => limit(PER_DAY + 1),
  'serves 1 request': () => limit(1),
  // Once before the lock. Then it is asked every 3 s.
  'refuses the locked client after 60 s': () => inOrder(`served ${'served '.repeat(20)}denied`),
  'refuses the locked client after 63 s': () => inOrder(`served ${'served '.repeat(21)}denied`),
  'serves 60 requests': () => limit(60),
};

const LAMBDA_CALL = '/2017-10-31/functions/tested/concurrency';
const lambdaFunction = (id: string) => ({ id, type: 'AWS::Lambda::Function', name: 'tested' });

const REMOVED = 'a slot that is removed while a client uses it';

/** What a fact changes in the account. */
const changesOf: Record<string, string[]> = {
  'a locked client': ['GetItem'],
  'a throttled function': ['PUT', 'DELETE'],
  'a throttled authorizer': ['PUT', 'DELETE'],
};

test.each<[fact: string, state: string, gateway: string, seen: RegExp]>([
  ['the largest batch on a fresh table', 'ok', 'stored', /^200 /],
  ['the largest batch on a fresh table', 'WRONG', 'served', /^200 .+; correct test\/shared\/storage/],
  ['a change that is sent twice', 'ok', 'echoed echoed', /^200 200 with its Timestamp alone$/],
  ['a change that is sent twice', 'WRONG', 'echoed served', /^200 200 with another body/],
  ['a change that is sent twice', 'WRONG', 'echoed failedEcho', /^200 500 with its Timestamp alone/],
  ['five batches of 20,000 at once', 'ok', 'stored', /^200 /],
  ['five batches of 20,000 at once', 'WRONG', 'stored stored stored stored served', /^200 .+, 200 /],
  ['an unknown path', 'WRONG', 'unknownElsewhere', /^404 /],
  ['a body of 11 MB', 'WRONG', 'tooLargeForGateway', /^413 .+; correct local\/gateway\/payload\.ts$/],
  ['a locked client', 'ok', 'served served denied', /^200 application\/json, then 401 /],
  ['a locked client', 'ok', 'refuses the locked client after 60 s', /^200 .+, then 401 /],
  ['a locked client', 'WRONG', 'refuses the locked client after 63 s', /^200 .+, then 200 /],
  ['a locked client', 'WRONG', 'denied', /^401 .+, then 401 /],
  ['a throttled function', 'ok', 'served failed', /^500 /],
  ['a throttled function', 'WRONG', 'served', /^200 /],
  ['a throttled authorizer', 'ok', 'denied unchecked', /^503 .+ Retry-After: 5$/],
  ['a throttled authorizer', 'WRONG', 'denied unavailable', /^503 /],
  ['the throttle of the API stage', 'ok', 'denied limited', /^refuses wrong credentials$/],
  ['the throttle of the API stage', 'WRONG', 'denied', /^never refuses wrong credentials/],
  ['an address outside allowedCidrs', 'ok', 'served denied', /^401 /],
  ['an address outside allowedCidrs', 'WRONG', 'served forbidden', /^403 /],
  ['the throttle of a slot', 'ok', 'renewed', / client in a header: none$/],
  ['the throttle of a slot', 'ok', 'renewedWithNobody', / client in a header: none$/],
  ['the throttle of a slot', 'WRONG', 'renewedWithNone', / client in a header: "none" /],
  ['the throttle of a slot', 'WRONG', 'renewedWithClient', /: "hasty" .*; correct .+gateway-responses\.ts/],
  ['the throttle of a slot', 'WRONG', 'renewedWithPause', / Retry-After: 60, /],
  ['the throttle of a slot', 'WRONG', 'limited', / no new response/],
  ['the quota of a slot', 'ok', 'limits each slot', /^429 .+; another slot .+: 200 /],
  ['the quota of a slot', 'WRONG', 'limits all slots as one', /; another slot .+: 429 .+limits\.ts$/],
  ['the quota of a slot', 'WRONG', 'names another pause', /^429 .+ Retry-After: 60; another .+: 200 /],
  [REMOVED, 'ok', 'serves a slot once more', /^serves 6 requests$/],
  [REMOVED, 'WRONG', 'limits each slot', /^serves 5, then 429 application.+; correct infra\/api\/plans\.ts/],
  ['the rate of a slow plan', 'ok', 'serves 1 request', /^serves 1 of 60 requests in \d+ s$/],
  ['the rate of a slow plan', 'WRONG', 'serves 60 requests', /^serves 60 of 60 .+ s; correct docs\/oper/],
])('%s is %s at a gateway that responds, or that: %s', async (fact, state, gateway, seen) => {
  const calls = await startAws({
    DescribeStacks: describeStacks({ Mine: { ClientsTableName: 'clients' } }),
    ListStackResources: listStackResources(
      lambdaFunction('GetPurchaseOrders1'),
      lambdaFunction('Authorizer1'),
    ),
    GetItem: () => ({}),
    [`PUT ${LAMBDA_CALL}`]: () => ({}),
    [`DELETE ${LAMBDA_CALL}`]: () => ({}),
  });
  const baseUrl = await serve(gateways[gateway]?.() ?? inOrder(gateway));
  const trial = new EagerTrial();
  const ofTrial = { ...deploymentFacts(trial), ...updateFacts(trial), ...addressFacts(trial) };
  const result = await examineFact(fact, { ...writeFacts, ...gatewayFacts, ...ofTrial }, { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
  const changes = calls.filter((call) => /concurrency$|Item$/.test(call)).map((call) => call.split(' ')[1]);
  expect([changes, trial.events]).toEqual([changesOf[fact] ?? [], []]);
});

const KEY = { id: 'Slotdoctorx3', type: 'AWS::ApiGateway::ApiKey', name: 'key' };
const countsSince = (time: number, found: Record<string, number>) => (_: unknown, body: string) => {
  const { Namespace, MetricName, Dimensions, StartTime } = JSON.parse(body);
  expect({ Namespace, Dimensions, StartTime }).toEqual({
    Namespace: 'AWS/ApiGateway',
    StartTime: time / 1_000,
    Dimensions: [{ Name: 'ApiName', Value: 'Mine' }],
  });
  return { Datapoints: [{ Sum: found[MetricName] ?? 0 }] };
};

test.each<[state: string, status: number, found: Record<string, number>, seen: RegExp]>([
  ['ok', 503, { '5XXError': 1 }, /^503 application\/problem\+json Retry-After: 5, counted as 5XXError$/],
  ['WRONG', 503, { '4XXError': 2 }, /^503 .+, counted as 4XXError.*; .+infra\/monitoring\/alarms\.ts/],
  ['WRONG', 403, { '5XXError': 1 }, /^403 .+, counted as 5XXError.*; correct infra\/monitoring\/alarms\.ts/],
  ['WRONG', 503, {}, /^503 .+, not counted yet; too slow here/],
])('a slot whose key is disabled is %s if it gets %i, and the metrics are %j', async (...expected) => {
  const [state, status, found, seen] = expected;
  const disabled: unknown[] = [];
  const trial = new EagerTrial();
  // Later than the trial, whose earlier facts cause errors, too.
  const now = Date.now() + 600_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  await startAws({
    ListStackResources: listStackResources({ ...KEY, id: 'Slotdoctorx2', name: 'other' }, KEY),
    'PATCH /apikeys/key': (_, body) => ({ called: disabled.push(JSON.parse(body)) }),
    GetMetricStatistics: countsSince(now, found),
  });
  const refusal = { status, headers: { ...PROBLEM, 'Retry-After': '5' } };
  const baseUrl = await serve(() => (disabled.length > 0 ? refusal : { status: 200 }));
  const result = await examineFact('a slot whose key is disabled', deploymentFacts(trial), { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
  expect(disabled).toEqual([{ patchOperations: [{ op: 'replace', path: '/enabled', value: 'false' }] }]);
});

test.each<[state: string, during: string, seen: RegExp]>([
  ['ok', 'served served served', /^serves all 3 requests$/],
  ['WRONG', 'served unchecked served', /^does not serve 1 of 3, first 503 application\/problem\+json/],
  ['WRONG', '', /^does not serve \d+ of \d+, first no response/],
])('a changed limit of batches is %s if requests during the update are %j', async (state, during, seen) => {
  const ended = Promise.withResolvers<void>();
  const left = during.split(' ');
  const endpoint = await serve(() => {
    const [name = ''] = left.splice(0, 1);
    if (left.length === 0) ended.resolve();
    return responses[name] ?? { status: 404 };
  });
  const baseUrl = during === '' ? 'http://127.0.0.1:1/live' : endpoint;
  if (during === '') ended.resolve();
  const deployed: unknown[] = [];
  const trial = Object.assign(new EagerTrial(), {
    deploy: (...changes: unknown[]) => {
      deployed.push(changes);
      return ended.promise;
    },
  });
  const result = await examineFact('a changed limit of batches', updateFacts(trial), { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
  expect(deployed).toEqual([[{ plans: changedPlans }, ['--context', 'trial-headers=true']]]);
});

const PLAN = { id: 'Planhasty', type: 'AWS::ApiGateway::UsagePlan', name: 'removed' };

test.each<[state: string, usagePlan: object | undefined, gateway: string, seen: RegExp]>([
  ['ok', undefined, 'served', /^is gone after the update, and its client: 200 application\/json$/],
  ['WRONG', {}, 'served', /^still exists after the update, and .+: 200 .+; correct infra\/api\/plans\.ts/],
  ['WRONG', undefined, 'unavailable', /^is gone after the update, and its client: 503 /],
])('a plan that is removed is %s if the plan is then %j, and its client is %s', async (...expected) => {
  const [state, usagePlan, gateway, seen] = expected;
  const trial = new EagerTrial();
  await startAws({
    ListStackResources: listStackResources({ ...PLAN, id: 'Planlimited', name: 'other' }, PLAN),
    'GET /usageplans/removed': () => (trial.events.includes('deploy') ? usagePlan : {}),
  });
  const baseUrl = await serve(inOrder(gateway));
  const fact = 'a plan that is removed while a client uses it';
  const result = await examineFact(fact, updateFacts(trial), { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
});

test.each<[metric: string, sum: number | undefined, state: string, seen: RegExp]>([
  ['WrongCredentials', 1, 'ok', /^counts 1 of 1$/],
  ['WrongCredentials', 2, 'WRONG', /^counts 2 of 1; correct shared\/metrics\.ts/],
  ['RefusedBatches', 1, 'ok', /^counts 1 of 1$/],
  ['RefusedBatches', 2, 'WRONG', /^counts 2 of 1; correct infra\/api\/access-log\.ts/],
  ['LimitedRequests', 3, 'ok', /^counts 3 of this client$/],
  // Blames no file alone.
  ['LimitedRequests', undefined, 'WRONG', /^has no value after 0 s; too slow here: try .+, correct infra/],
])('the metric %s with the value %j is %s', async (metric, Sum, state, seen) => {
  const begin = Math.floor(Date.now() / 1_000);
  const sumSince = (start: number) => ({ Datapoints: start < begin || !Sum ? [] : [{ Sum }] });
  await startAws({ GetMetricStatistics: (_, body) => sumSince(JSON.parse(body).StartTime) });
  const baseUrl = await serve(inOrder('denied'));
  const result = await examineFact(`the metric ${metric}`, deploymentFacts(new EagerTrial()), { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
});

const logGroup = (id: string, name: string) => ({ id, type: 'AWS::Logs::LogGroup', name });
const OWN = Buffer.from('doctor:secret').toString('base64');

test.each<[string, string, pages: string[][], seen: RegExp]>([
  ['ok', 'no header', [['"authorizer":"403 -"'], ['Basic is a scheme']], /^0 of 2 lines/],
  ['ok', 'a hash', [['Authorization header (hashed with SHA-256): DSGQ0mZ+1EEA=']], /^0 of 1 lines/],
  ['WRONG', 'a header on page 2', [[], ['a', '(Authorization=basic d3Jvbmc6cGFzcw==)']], /^1 of 2 lines/],
  ['WRONG', "the doctor's password alone", [[`Failed: ${OWN}`]], /^1 of 1 lines .+; correct .+log\.ts/],
  ['not checked', 'no lines', [[]], /^the log has no lines$/],
])('the access log is %s with %s', async (state, _, pages, seen) => {
  await startAws({
    ListStackResources: listStackResources(
      logGroup('AuthorizerLog1', 'authorizer'),
      logGroup('ApiAccessLog1', 'access'),
    ),
    FilterLogEvents: (_parameters, body) => {
      const { logGroupName, nextToken = '0' } = JSON.parse(body);
      if (logGroupName !== 'access') return undefined;
      const events = pages[Number(nextToken)]?.map((message) => ({ message }));
      const next = Number(nextToken) + 1;
      return { events, ...(next < pages.length ? { nextToken: String(next) } : {}) };
    },
  });
  const result = await examineFact('the access log', exposureFacts(new EagerTrial()));
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
  expect(result?.seen).not.toContain(OWN);
});

test.each([
  ['WRONG', 'a gateway that writes what a client asks for', /;Sampled=1$/],
  ['ok', 'a gateway that does not', /never/],
])('a trace that a request asks for is %s at %s', async (state, _, traced) => {
  const sent: string[] = [];
  const baseUrl = await serve(({ headers }) => {
    sent.push(String(headers['x-amzn-trace-id']));
    return { status: 200 };
  });
  await startAws({
    'POST /Traces': (_parameters, body) => {
      const [asked] = JSON.parse(body).TraceIds;
      return { Traces: sent.filter((id) => traced.test(id) && id.startsWith(`Root=${asked};`)) };
    },
  });
  const facts = exposureFacts(new EagerTrial());
  expect(await examineFact('a trace that a request asks for', facts, { baseUrl })).toMatchObject({ state });
});

const dnsError = (code: string) => Promise.reject(Object.assign(new Error('DNS'), { code }));
const HOST = 'https://abcde.execute-api.eu-west-1.amazonaws.com/live';

test.each<[string, string, resolve: () => Promise<string[]>, seen: RegExp, baseUrl?: string]>([
  ['ok', 'no address of IPv6', () => dnsError('ENODATA'), /^none of IPv6$/],
  ['WRONG', 'an address of IPv6', async () => ['2600::1'], /^2600::1; correct infra\/api\/rest-api\.ts$/],
  ['WRONG', 'no such host', () => dnsError('ENOTFOUND'), /^DNS has no record of the host/],
  ['not checked', 'an address as host', async () => [], /no host name/, 'http://127.0.0.1/live'],
])('the addresses of the endpoint are %s with %s', async (state, _, resolve, seen, baseUrl = HOST) => {
  const facts = exposureFacts(new EagerTrial(), resolve);
  const result = await examineFact('the addresses of the endpoint', facts, { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
});
