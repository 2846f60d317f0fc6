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
import { examineTrial } from '../../doctor/trial/examine-trial.ts';
import { exposureFacts } from '../../doctor/trial/exposure-facts.ts';
import { gatewayFacts, methodFacts, writeFacts } from '../../doctor/trial/request-facts.ts';
import { Trial } from '../../doctor/trial/trial.ts';
import { addTrialHeaders } from '../../doctor/trial/trial-app.ts';
import {
  addTrialClients,
  changedPlans,
  largestPlans,
  lockClient,
  plans,
  smallerPlans,
  trialClients,
} from '../../doctor/trial/trial-clients.ts';
import { toSettings } from '../../infra/settings/settings.ts';
import { isPasswordOf } from '../../shared/clients/password.ts';
import { CHALLENGE } from '../../shared/http/problem.ts';
import { keysOf } from '../../shared/object-keys.ts';
import { deployed, deploymentOf } from '../infra/deployment.ts';
import { appOf } from '../infra/template.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { storedClient } from '../support/clients.ts';
import { projectFolder } from '../support/run-app.ts';
import { createTable, itemsOf, testClient } from '../support/tables.ts';
import { tracesOf } from '../support/traces.ts';
import { describeStacks, listStackResources, startAws } from './aws-stub.ts';
import { EagerTrial } from './eager-trial.ts';
import { serve } from './examine.ts';

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

  test('change at first nothing but the limit of the batches of most clients', () => {
    const doctor = { ...plans.doctor, batches: changedPlans.doctor.batches };
    expect(changedPlans).toEqual({ ...plans, doctor });
    expect(changedPlans).not.toEqual(plans);
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

test('the headers of a trial are in a new deployment of the API, and show the client of a throttle', () => {
  const { stack, synthesize } = appOf();
  addTrialHeaders(stack);
  const [usual, trial] = [deploymentOf(), deployed(synthesize())];
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

/** Its pauses advance a clock that stands still otherwise. */
class PausedTrial extends Trial {
  protected override async pause(milliseconds: number) {
    vi.advanceTimersByTime(milliseconds);
  }
}

test.each([
  ['until the value is awaited', 3, 300, 3],
  ['for a time', Number.POSITIVE_INFINITY, 9, 5],
  ['for 5 minutes', Number.POSITIVE_INFINITY, undefined, 102],
])('a poll asks every 3 s %s', async (_, awaited, seconds, asked) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const trial = new PausedTrial('Any', { interrupted: new AbortController().signal });
  let count = 0;
  const ask = async () => {
    count += 1;
    return count;
  };
  expect(await trial.poll(ask, (value) => value === awaited, seconds)).toBe(asked);
});

const DENIED = {
  status: 401,
  headers: { 'Content-Type': 'application/problem+json', 'WWW-Authenticate': CHALLENGE },
};

describe('the results', () => {
  const interrupted = new AbortController().signal;
  const resultsFolder = mkdtempSync(join(tmpdir(), 'warehouse-control-results-'));
  afterAll(() => rmSync(resultsFolder, { recursive: true }));

  const examineFailing = async (trial: EagerTrial, folder = resultsFolder) => {
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
    const trial = Object.assign(new EagerTrial(), { isDeployable: false, isDestroyable });
    expect(await examineFailing(trial)).toMatch(problem);
    expect(trial.events).toEqual(['deploy', 'destroy', 'results']);
    expect(readdirSync(resultsFolder)).toEqual([expect.stringMatching(/-Mine\.md$/)]);
  });

  test('that cannot be written ends the examination before anything is deployed', async () => {
    const trial = new EagerTrial();
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
      if (settings.allowedCidrs || login === '') return DENIED;
      if (logins.includes(login)) return { status: 200, headers: { 'Content-Type': 'application/json' } };
      return settings.throttle ? { ...DENIED, status: 429 } : DENIED;
    };
    const baseUrl = await serve(async (incoming) => {
      const login = atob((incoming.headers.authorization ?? '').slice('Basic '.length));
      sent.push({ login, body: await text(incoming) });
      return respond(login);
    });
    const countSent = (metric: string) => sent.filter((request) => isCounted[metric]?.(request)).length;
    await startAws({
      DescribeStacks: describeStacks({ CDKToolkit: {} }),
      PutItem: () => ({}),
      GetItem: () => ({}),
      GetMetricStatistics: (_, query) => ({ Datapoints: [{ Sum: countSent(JSON.parse(query).MetricName) }] }),
      ListStackResources: listStackResources({
        id: 'Planhasty',
        type: 'AWS::ApiGateway::UsagePlan',
        name: 'removed',
      }),
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
