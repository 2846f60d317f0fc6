import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../admin/text/failure.ts';
import { addressFacts, deploymentFacts, updateFacts } from '../../doctor/trial/deployment-facts.ts';
import { examineTrial } from '../../doctor/trial/examine-trial.ts';
import { exposureFacts } from '../../doctor/trial/exposure-facts.ts';
import { CHANGE, gatewayFacts, methodFacts, writeFacts } from '../../doctor/trial/request-facts.ts';
import { Trial } from '../../doctor/trial/trial.ts';
import { addTrialHeaders } from '../../doctor/trial/trial-app.ts';
import {
  addTrialClients,
  changedPlans,
  largestPlans,
  lockClient,
  PER_DAY,
  plans,
  smallerPlans,
  trialClients,
} from '../../doctor/trial/trial-clients.ts';
import { toSettings } from '../../infra/settings/settings.ts';
import type { HttpResponse } from '../../local/http.ts';
import { isPasswordOf } from '../../shared/clients/password.ts';
import { CHALLENGE } from '../../shared/http/problem.ts';
import { keysOf } from '../../shared/object-keys.ts';
import { deployed } from '../infra/deployment.ts';
import { appOf } from '../infra/template.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { storedClient } from '../support/clients.ts';
import { projectFolder } from '../support/run-app.ts';
import { createTable, itemsOf, testClient } from '../support/tables.ts';
import { tracesOf } from '../support/traces.ts';
import { describeStacks, listStackResources, startAws } from './aws-stub.ts';
import { examineFact, httpResponse, serve, startBlindServer } from './examine.ts';

const names = keysOf(trialClients);
const newTrial = () => new Trial('Any', { seconds: 0, interrupted: new AbortController().signal });

/** The clients of the trial whose slot is deployed with these plans, and the number of all slots. */
const deploy = (settings: object) => {
  const deployed = toSettings({ plans: settings }).plans;
  const hasSlot = (name: (typeof names)[number]) =>
    deployed.some((plan) => plan.name === trialClients[name].plan && plan.slots >= trialClients[name].slot);
  return { served: names.filter(hasSlot), slots: deployed.reduce((sum, { slots }) => sum + slots, 0) };
};

describe('the plans of the trial', () => {
  test('have a slot for each client, and no two clients share one', () => {
    const used = new Set(Object.values(trialClients).map(({ plan, slot }) => `${plan} ${slot}`));
    expect(deploy(plans)).toEqual({ served: names, slots: used.size });
  });

  test('lose the slots of two clients in the second update, one of them with its plan', () => {
    expect(deploy(smallerPlans).served).toEqual(
      names.filter((name) => !['neighbour', 'hasty'].includes(name)),
    );
    const planNames = toSettings({ plans: smallerPlans }).plans.map(({ name }) => name);
    expect(planNames).toEqual([trialClients.doctor.plan, trialClients.neighbour.plan]);
  });

  test('have with --slots as many as a deployment can have', () => {
    const { slots } = deploy(largestPlans);
    const more = { ...largestPlans, one: { slots: 1 } };
    expect(slots).toBe(170);
    expect(() => deploy(more)).toThrow(/at most 170 slots/);
  });
});

test('the clients of the trial sign in with passwords that no item has, until one is locked', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamoDbEndpoint'));
  const table = await createTable('Clients');
  const { passwords } = newTrial();
  await addTrialClients(table, passwords);
  await lockClient(table, 'locked');
  vi.unstubAllEnvs();
  for (const name of names) {
    const stored = await storedClient(testClient(), table, name);
    const { Salt = '', Hash = '', ...client } = stored.client;
    expect(isPasswordOf(passwords[name], { Salt, Hash })).toBe(true);
    expect(client).toMatchObject({ UserName: name, Version: name === 'locked' ? 2 : 1 });
    expect('LockedAt' in client).toBe(name === 'locked');
  }
  const items = JSON.stringify(await itemsOf(table));
  expect(Object.values(passwords).flatMap((password) => tracesOf(password, items))).toEqual([]);
});

test('the CDK gets at each deployment the settings of the deployments before it', async () => {
  const folder = temporaryFolder();
  const [cdk, log] = [join(folder, 'cdk.mjs'), join(folder, 'log')];
  const script = `import { appendFileSync } from 'node:fs';
    appendFileSync('${log}', JSON.stringify(process.argv.slice(2)) + '\\n');`;
  writeFileSync(cdk, script);
  const trial = new Trial('Destroyed', { interrupted: new AbortController().signal, cdk });
  await trial.deploy();
  await trial.deploy({ throttle: { burst: 1 } }, ['--context', 'more=true']);
  await trial.deploy({ allowedCidrs: [] });
  const first = { stackName: 'Destroyed', ephemeral: true, plans };
  const settings = [{}, { throttle: { burst: 1 } }, { throttle: { burst: 1 }, allowedCidrs: [] }];
  const output = join(projectFolder, 'cdk.out/Destroyed');
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    settings.map((more, index) => [
      ...['deploy', '--require-approval', 'never', '--context'],
      `warehouse-control=${JSON.stringify({ ...first, ...more })}`,
      ...['--output', output, ...(index === 1 ? ['--context', 'more=true'] : [])],
    ]),
  );
});

/** A trial whose CDK fails until this attempt. */
class StubbornTrial extends Trial {
  readonly attempts: (readonly string[])[] = [];
  readonly destroyedAt: number;

  constructor(destroyedAt: number) {
    super('Destroyed', { interrupted: new AbortController().signal, destroyPauseMs: 0 });
    this.destroyedAt = destroyedAt;
  }

  protected override async runCdk(args: readonly string[]) {
    return this.attempts.push(args) >= this.destroyedAt;
  }
}

test.each([
  ['destroys a stack again until it is gone, because an update may still run', 3, 3, true],
  // After 10 minutes with the usual pauses.
  ['gives a stack up that is left after 20 attempts', Number.POSITIVE_INFINITY, 20, false],
])('the CDK %s', async (_, destroyedAt, count, isGone) => {
  const trial = new StubbornTrial(destroyedAt);
  const destroyed = describeStacks({ Destroyed: {} });
  await startAws({
    DescribeStacks: (...asked) => (trial.attempts.length < destroyedAt ? destroyed(...asked) : undefined),
  });
  const output = join(projectFolder, 'cdk.out/Destroyed');
  mkdirSync(output, { recursive: true });
  expect(await trial.destroy()).toBe(isGone);
  expect(trial.attempts).toEqual(Array(count).fill(['destroy', '--force', '--app', output, 'Destroyed']));
  expect(existsSync(output)).toBe(false);
});

const PROBLEM = { 'Content-Type': 'application/problem+json' };

/** Returns the base URL of a gateway that allows a number of requests to each slot. */
const serveLimited = (allowed: number, slotOf: (authorization: string) => string, pause: string) => {
  const counts = new Map<string, number>();
  return serve(({ headers }) => {
    const slot = slotOf(headers.authorization ?? '');
    const count = (counts.get(slot) ?? 0) + 1;
    counts.set(slot, count);
    if (count <= allowed) return { status: 200, headers: { 'Content-Type': 'application/json' } };
    return { status: 429, headers: { ...PROBLEM, 'Retry-After': pause } };
  });
};

const each = (authorization: string) => authorization;

/** Without deployments. */
class DeployedTrial extends Trial {
  readonly events: string[] = [];
  isDeployable = true;
  isDestroyable = true;

  constructor() {
    super('Mine', { seconds: 0, interrupted: new AbortController().signal });
  }

  override async deploy() {
    this.events.push('deploy');
    if (!this.isDeployable) throw new Failure('The deployment failed.');
  }

  override async destroy() {
    this.events.push('destroy');
    return this.isDestroyable;
  }

  protected override async pause() {}
}

test('a trial with its headers has a new deployment of the API, whose 429 of a throttle maps what the authorizer said', () => {
  const deploy = (change: typeof addTrialHeaders) => {
    const { stack, synthesize } = appOf({ plans });
    change(stack);
    return deployed(synthesize());
  };
  const [usual, trial] = [deploy(() => {}), deploy(addTrialHeaders)];
  const idOf = ({ only }: typeof usual) => only('AWS::ApiGateway::Deployment').id;
  expect(idOf(trial)).not.toBe(idOf(usual));
  const mapping = 'gatewayresponse.header.X-Client';
  const mapped = trial
    .resources<{ ResponseType: string; ResponseParameters: object }>('AWS::ApiGateway::GatewayResponse')
    .filter(({ properties }) => mapping in properties.ResponseParameters);
  expect(mapped.map(({ properties }) => properties)).toEqual([
    expect.objectContaining({
      ResponseType: 'THROTTLED',
      ResponseParameters: expect.objectContaining({
        'gatewayresponse.header.Retry-After': "'10'",
        'gatewayresponse.header.X-Trial': "'deployed'",
        [mapping]: 'context.authorizer.client',
      }),
    }),
  ]);
});

const TRIAL = { 'X-Trial': 'deployed' };

test.each<[state: string, headers: Record<string, string>, seen: RegExp]>([
  ['ok', TRIAL, / client in a header: none$/],
  ['ok', { ...TRIAL, 'X-Client': '' }, / client in a header: none$/],
  // Reads like the absence of the header.
  ['WRONG', { ...TRIAL, 'X-Client': 'none' }, / client in a header: "none" /],
  ['WRONG', { ...TRIAL, 'X-Client': 'hasty' }, /header: "hasty" .*; correct .+gateway-responses\.ts/],
  ['WRONG', { ...TRIAL, 'Retry-After': '60' }, / Retry-After: 60, /],
  ['WRONG', {}, / no new response/],
])('the throttle of a slot is %s if the 429 has the headers %j', async (state, headers, seen) => {
  const baseUrl = await serve(() => ({
    status: 429,
    headers: { ...PROBLEM, 'Retry-After': '10', ...headers },
  }));
  const result = await examineFact('the throttle of a slot', updateFacts(new DeployedTrial()), { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
});

const KEY = { id: 'Slotdoctorx3', type: 'AWS::ApiGateway::ApiKey', name: 'key' };
const PLAN = { id: 'Planhasty', type: 'AWS::ApiGateway::UsagePlan', name: 'removed' };
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
  const facts = deploymentFacts(trial);
  const result = await examineFact('a slot whose key is disabled', facts, { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
  expect(disabled).toEqual([{ patchOperations: [{ op: 'replace', path: '/enabled', value: 'false' }] }]);
});

const QUOTA = 'the quota of a slot';
const REMOVED = 'a slot that is removed while a client uses it';
const RATE = 'the rate of a slow plan';
const FIVE_THEN_429 = /^serves 5, then 429 application\/problem\+json .+; correct infra\/api\/plans\.ts/;

type Gateway = [allowed: number, slotOf: typeof each, pause: string, seen: RegExp];
test.each<[fact: string, state: string, at: string, ...Gateway]>([
  [QUOTA, 'ok', 'counts each slot', PER_DAY, each, '3600', /^429 .+; another slot .+: 200 /],
  [QUOTA, 'WRONG', 'counts all as one', PER_DAY, () => 'all', '3600', /; another slot .+: 429 .+limits\.ts$/],
  [QUOTA, 'WRONG', 'names another pause', PER_DAY, each, '60', /^429 .+ Retry-After: 60; another .+: 200 /],
  [REMOVED, 'ok', 'serves it 6 times more', PER_DAY + 1, each, '3600', /^serves 6 requests$/],
  [REMOVED, 'WRONG', 'serves it 5 times more', PER_DAY, each, '3600', FIVE_THEN_429],
  [RATE, 'ok', 'serves 1 request', 1, each, '10', /^serves 1 of 60 requests in \d+ s$/],
  [RATE, 'WRONG', 'serves all', 60, each, '10', /^serves 60 of 60 .+ s; correct docs\/operations\.md$/],
])('%s is %s at a gateway that %s', async (fact, state, _, allowed, slotOf, pause, seen) => {
  const baseUrl = await serveLimited(allowed, slotOf, pause);
  const trial = new DeployedTrial();
  const facts = { ...deploymentFacts(trial), ...updateFacts(trial) };
  const result = await examineFact(fact, facts, { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
  expect(trial.events).toEqual([]);
});

test.each<[state: string, responses: string, seen: RegExp]>([
  ['ok', 'served served served', /^serves all 3 requests$/],
  ['WRONG', 'served unchecked served', /^does not serve 1 of 3, first 503 application\/problem\+json/],
])(
  'a changed limit of batches is %s if requests during the update are %s',
  async (state, responses, seen) => {
    const left = responses.split(' ');
    const ended = Promise.withResolvers<void>();
    const baseUrl = await serve(() => {
      const name = left.shift() ?? '';
      if (left.length === 0) ended.resolve();
      return namedResponses[name] ?? { status: 404 };
    });
    const deployed: unknown[] = [];
    const trial = Object.assign(new DeployedTrial(), {
      deploy: (...changes: unknown[]) => {
        deployed.push(changes);
        return ended.promise;
      },
    });
    const result = await examineFact('a changed limit of batches', updateFacts(trial), { baseUrl });
    expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
    expect(deployed).toEqual([[{ plans: changedPlans }, ['--context', 'trial-headers=true']]]);
    const limits = [plans, changedPlans].map(({ doctor: { batches, ...others } }) => [others, batches]);
    expect(limits[0]?.[0]).toEqual(limits[1]?.[0]);
    expect(limits[0]?.[1]).not.toEqual(limits[1]?.[1]);
  },
);

test('a changed limit of batches is WRONG if no response comes', async () => {
  const facts = updateFacts(new DeployedTrial());
  const result = await examineFact('a changed limit of batches', facts, {
    baseUrl: 'http://127.0.0.1:1/live',
  });
  const seen = expect.stringMatching(/^does not serve 1 of 1, first no response/);
  expect(result).toMatchObject({ state: 'WRONG', seen });
});

test.each<[state: string, usagePlan: object | undefined, status: number, seen: RegExp]>([
  ['ok', undefined, 200, /^is gone after the update, and its client: 200 application\/json$/],
  ['WRONG', {}, 200, /^still exists after the update, and its client: 200 .+; correct infra\/api\/plans\.ts/],
  ['WRONG', undefined, 503, /^is gone after the update, and its client: 503 /],
])('a plan that is removed is %s if the plan is then %j, and its client gets %i', async (...expected) => {
  const [state, usagePlan, status, seen] = expected;
  const trial = new EagerTrial();
  await startAws({
    ListStackResources: listStackResources({ ...PLAN, id: 'Planlimited', name: 'other' }, PLAN),
    'GET /usageplans/removed': () => (trial.events.includes('deploy') ? usagePlan : {}),
  });
  const baseUrl = await serve(() => ({ status, headers: { 'Content-Type': 'application/json' } }));
  const fact = 'a plan that is removed while a client uses it';
  const result = await examineFact(fact, updateFacts(trial), { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
});

/** Asks a few times without a pause. */
class EagerTrial extends DeployedTrial {
  override async poll<T>(ask: () => Promise<T>, isAwaited: (response: T) => boolean) {
    let response = await ask();
    for (let left = 3; left > 0 && !isAwaited(response); left -= 1) response = await ask();
    return response;
  }
}

const ID = { 'x-amz-apigw-id': 'any' };
const TEXT = { 'Content-Type': 'text; charset=utf-8' };

const namedResponses: Record<string, HttpResponse> = {
  stored: { status: 200, body: '{"SnapshotId":"any"}' },
  echoed: { status: 200, body: CHANGE },
  failedEcho: { status: 500, body: CHANGE },
  unknownElsewhere: { status: 404, headers: PROBLEM },
  tooLargeForGateway: { status: 413, headers: { ...TEXT, ...ID } },
  served: { status: 200, headers: { 'Content-Type': 'application/json' } },
  denied: { status: 401, headers: { ...PROBLEM, 'WWW-Authenticate': CHALLENGE } },
  forbidden: { status: 403, headers: PROBLEM },
  limited: { status: 429, headers: PROBLEM },
  failed: { status: 500, headers: PROBLEM },
  unchecked: { status: 503, headers: { ...PROBLEM, 'Retry-After': '5' } },
  unavailable: { status: 503, headers: PROBLEM },
};
const LAMBDA_CALL = '/2017-10-31/functions/tested/concurrency';
const lambdaFunction = (id: string) => ({ id, type: 'AWS::Lambda::Function', name: 'tested' });

test.each<[fact: string, state: string, responses: string, changes: string[]]>([
  ['the largest batch on a fresh table', 'ok', 'stored', []],
  ['the largest batch on a fresh table', 'WRONG', 'served', []],
  ['a change that is sent twice', 'WRONG', 'echoed served', []],
  ['a change that is sent twice', 'WRONG', 'echoed failedEcho', []],
  ['five batches of 20,000 at once', 'ok', 'stored', []],
  ['five batches of 20,000 at once', 'WRONG', 'stored stored stored stored served', []],
  ['an unknown path', 'WRONG', 'unknownElsewhere', []],
  ['a body of 11 MB', 'WRONG', 'tooLargeForGateway', []],
  ['a locked client', 'ok', 'served served denied', ['GetItem']],
  ['a locked client', 'WRONG', 'served', ['GetItem']],
  ['a locked client', 'WRONG', 'denied', ['GetItem']],
  ['a throttled function', 'ok', 'served failed', ['PUT', 'DELETE']],
  ['a throttled function', 'WRONG', 'served', ['PUT', 'DELETE']],
  ['a throttled authorizer', 'ok', 'denied unchecked', ['PUT', 'DELETE']],
  ['a throttled authorizer', 'WRONG', 'denied unavailable', ['PUT', 'DELETE']],
  ['the throttle of the API stage', 'ok', 'denied limited', []],
  ['the throttle of the API stage', 'WRONG', 'denied', []],
  ['an address outside allowedCidrs', 'ok', 'served denied', []],
  ['an address outside allowedCidrs', 'WRONG', 'served forbidden', []],
])(
  '%s is %s at a service where requests are, one after the other: %s',
  async (fact, state, responses, changes) => {
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
    const left = responses.split(' ');
    const baseUrl = await serve(() => {
      const [name = ''] = left.length > 1 ? left.splice(0, 1) : left;
      return namedResponses[name] ?? { status: 404 };
    });
    const trial = new EagerTrial();
    const ofTrial = { ...deploymentFacts(trial), ...updateFacts(trial), ...addressFacts(trial) };
    const facts = { ...writeFacts, ...gatewayFacts, ...ofTrial };
    expect(await examineFact(fact, facts, { baseUrl })).toMatchObject({ state });
    const changing = calls.filter((call) => /concurrency$|Item$/.test(call));
    expect(changing.map((call) => call.split(' ')[1])).toEqual(changes);
  },
);

test.each([
  ['the metric WrongCredentials', 1, 'ok'],
  ['the metric WrongCredentials', 2, 'WRONG'],
  ['the metric RefusedBatches', 1, 'ok'],
  ['the metric RefusedBatches', 2, 'WRONG'],
  ['the metric LimitedRequests', 3, 'ok'],
])('%s with the value %i is %s', async (fact, Sum, state) => {
  const begin = Math.floor(Date.now() / 1_000);
  const sumSince = (start: number) => ({ Datapoints: start < begin ? [] : [{ Sum }] });
  await startAws({ GetMetricStatistics: (_, body) => sumSince(JSON.parse(body).StartTime) });
  const baseUrl = await startBlindServer(httpResponse(401, '{}'));
  const result = await examineFact(fact, deploymentFacts(newTrial()), { baseUrl });
  expect(result).toMatchObject({ state });
});

test('a metric without a value does not blame a file alone', async () => {
  await startAws({ GetMetricStatistics: () => ({}) });
  const result = await examineFact('the metric LimitedRequests', deploymentFacts(newTrial()));
  expect(result?.seen).toMatch(
    /^has no value after 0 s; too slow here: try again; if it stays slow, correct infra/,
  );
});

describe('the results', () => {
  const interrupted = new AbortController().signal;
  const resultsFolder = mkdtempSync(join(tmpdir(), 'warehouse-control-results-'));
  afterAll(() => rmSync(resultsFolder, { recursive: true }));

  const examineFailing = async (trial: DeployedTrial, folder = resultsFolder) => {
    await startAws({ DescribeStacks: describeStacks({ CDKToolkit: {} }) });
    const say = (line: string) => {
      if (line.includes('The results are in')) trial.events.push('results');
    };
    const context = { print: say, say, interrupted };
    const options = { yes: true, slots: false, resultsFolder: folder };
    return examineTrial(trial, options, context).catch(String);
  };

  test.each([
    [true, /The deployment failed\./],
    [false, /The stack still exists\./],
  ])('is written after the trial is destroyed (%s)', async (isDestroyable, problem) => {
    const trial = Object.assign(new DeployedTrial(), { isDeployable: false, isDestroyable });
    expect(await examineFailing(trial)).toMatch(problem);
    expect(trial.events).toEqual(['deploy', 'destroy', 'results']);
    expect(readdirSync(resultsFolder)).toEqual([expect.stringMatching(/-Mine\.md$/)]);
  });

  test('that cannot be written ends the examination before anything is deployed', async () => {
    const trial = new DeployedTrial();
    const error = await examineFailing(trial, '/dev/null/results');
    expect(error).toMatch(/The results cannot be written to \/dev\/null\/.+: part of the path is a file\./);
    expect(trial.events).toEqual([]);
  });

  test('come in an order in which no fact spoils the counts, the fresh table or the settings of another', async () => {
    const trial = new EagerTrial();
    const logins = Object.entries(trial.passwords).map((login) => login.join(':'));
    const settings: { throttle?: object; allowedCidrs?: object } = {};
    const sent: { login: string; body: string }[] = [];
    const isCounted: Record<string, (request: (typeof sent)[number]) => boolean> = {
      WrongCredentials: ({ login }) => login !== '' && !logins.includes(login),
      RefusedBatches: ({ body }) => body.includes('"none"') || (body.length > 6e6 && body.length < 1e7),
      LimitedRequests: ({ login }) => login.startsWith('limited:'),
    };
    const respond = (login: string) => {
      if (settings.allowedCidrs || login === '') return namedResponses['denied'];
      if (logins.includes(login)) return namedResponses['served'];
      return namedResponses[settings.throttle ? 'limited' : 'denied'];
    };
    const baseUrl = await serve(async (incoming) => {
      const login = atob((incoming.headers.authorization ?? '').slice('Basic '.length));
      sent.push({ login, body: await text(incoming) });
      return respond(login) ?? { status: 404 };
    });
    const countSent = (metric: string) => sent.filter((request) => isCounted[metric]?.(request)).length;
    await startAws({
      DescribeStacks: describeStacks({ CDKToolkit: {} }),
      PutItem: () => ({}),
      GetItem: () => ({}),
      GetMetricStatistics: (_, query) => ({ Datapoints: [{ Sum: countSent(JSON.parse(query).MetricName) }] }),
      ListStackResources: listStackResources(PLAN),
    });
    Object.assign(trial, {
      output: async () => baseUrl,
      deploy: async (changed = {}) => void Object.assign(settings, changed),
    });
    const context = { print: () => {}, say: () => {}, interrupted };
    const results = await examineTrial(trial, { yes: true, slots: false, resultsFolder }, context);
    const wanted = { ...writeFacts, ...gatewayFacts, ...methodFacts, ...exposureFacts(trial) };
    expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(wanted)));
    const held = results.filter(({ state }) => state === 'ok').map(({ name }) => name);
    expect(held).toEqual(
      expect.arrayContaining([
        ...Object.keys(isCounted).map((name) => `the metric ${name}`),
        ...['wrong-password', 'the throttle of the API stage', 'an address outside allowedCidrs'],
      ]),
    );
    // Facts that wait for minutes come between it and earlier errors, which its metrics would count, too.
    const order = results.map(({ name }) => name);
    const before = order.indexOf('a slot whose key is disabled') - 1;
    expect(order[before]).toBe('the metric RefusedBatches');
    const [largest = 0, ...others] = sent.map(({ body }) => body.length).filter((bytes) => bytes > 1e6);
    expect(others.filter((bytes) => bytes > largest && bytes < 6e6)).toEqual([]);
  });
});
