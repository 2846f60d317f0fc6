import { beforeAll, expect, test } from 'vitest';
import { Throttle } from '../../local/gateway/throttle.ts';
import { UsageMeter } from '../../local/gateway/usage-plans.ts';
import { editedAssembly } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { scriptFunctions } from './scripted-functions.ts';

/*
 * Developer guide: "Usage plans and API keys for REST APIs" and "Throttle requests to your REST APIs". Each client has
 * the plan of its API key, and these tests end before a burst is available again.
 */

const BATCH = '/rest/warehouse-control/material-stock-balance/POST';
const plans = {
  usual: {},
  slow: { Throttle: { RateLimit: 0.01, BurstLimit: 3 } },
  'slow-batches': { batches: { RateLimit: 0.01, BurstLimit: 2 } },
  'few-a-day': { Quota: { Limit: 3, Period: 'DAY' } },
};
type Client = keyof typeof plans;

let run: LocalRun;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((assembly) => {
    scriptFunctions(assembly);
    const plan = assembly.resource('AWS::ApiGateway::UsagePlan').Properties;
    const [stage] = [plan['ApiStages']].flat().map(Object);
    for (const [client, { batches, ...own }] of Object.entries<Record<string, object>>(plans)) {
      const Throttle = batches ? { [BATCH]: batches } : stage.Throttle;
      const ApiStages = [{ ...stage, Throttle }];
      assembly.add(`${client}Plan`, 'AWS::ApiGateway::UsagePlan', { ...plan, ...own, ApiStages });
      assembly.add(`${client}Key`, 'AWS::ApiGateway::ApiKey', { Enabled: true, Value: client });
      assembly.add(`${client}PlanKey`, 'AWS::ApiGateway::UsagePlanKey', {
        KeyId: { Ref: `${client}Key` },
        UsagePlanId: { Ref: `${client}Plan` },
      });
    }
  });
  run = await startLocal({ assemblyFolder, isThrottled: true });
});

const statusOf = async (client: Client, path: string, headers: Record<string, string> = {}) =>
  (await sendAs(client, path, headers)).status;

const sendAs = (client: Client, path: string, headers: Record<string, string> = {}) =>
  send(run.url(path), {
    method: path === 'material-stock-balance' || path === 'changes' ? 'POST' : 'GET',
    headers: { Authorization: basic(`keyed#${client}`, 'any'), ...headers },
  });

test('a client past its burst gets 429 with Retry-After, and another client is served', async () => {
  const admitted = ['material-codes', 'nowhere', 'changes'].map((path) => statusOf('slow', path));
  expect(await Promise.all(admitted)).toEqual([200, 404, 200]);
  for (const path of ['purchase-orders', 'nowhere']) {
    const answer = await sendAs('slow', path);
    expectProblem(answer, 429);
    expect(answer.headers).toMatchObject({
      'retry-after': '1',
      'x-amzn-errortype': 'TooManyRequestsException',
    });
  }
  expect(await statusOf('usual', 'purchase-orders')).toBe(200);
});

test.each(['usual', 'slow', 'unknown', ''])('the header x-api-key: %s has no effect', async (key) => {
  const headers = { 'x-api-key': key };
  expect(await statusOf('slow', 'material-codes', headers)).toBe(429);
  expect(await statusOf('usual', 'material-codes', headers)).toBe(200);
});

test('a client past its burst of batches gets 429 for batches alone', async () => {
  const statuses = [];
  for (const _ of [1, 2, 3]) statuses.push(await statusOf('slow-batches', 'material-stock-balance'));
  expect(statuses).toEqual([200, 200, 429]);
  expect(await statusOf('slow-batches', 'changes')).toBe(200);
  expect(await statusOf('usual', 'material-stock-balance')).toBe(200);
});

test('a client past its quota of the day gets 429 with another text', async () => {
  for (const _ of [1, 2, 3]) expect(await statusOf('few-a-day', 'changes')).toBe(200);
  const answer = await sendAs('few-a-day', 'changes');
  expectProblem(answer, 429);
  expect(answer.json().detail).not.toBe((await sendAs('slow', 'changes')).json().detail);
  expect(answer.headers).toMatchObject({
    'retry-after': '60',
    'x-amzn-errortype': 'LimitExceededException',
  });
});

test('the quota of a day ends at 0:00 UTC, for each key by itself', () => {
  const meter = new UsageMeter(new Throttle());
  const count = (keyId: string, now: string) =>
    meter.countRequest(
      { keyId, throttle: undefined, methodThrottles: new Map(), perDay: 1 },
      '/GET',
      new Date(now),
    );
  expect(count('one', '2026-11-22T23:59:58.000Z')).toBeUndefined();
  expect(count('one', '2026-11-22T23:59:59.999Z')).toBe('QUOTA_EXCEEDED');
  expect(count('other', '2026-11-22T23:59:59.999Z')).toBeUndefined();
  expect(count('one', '2026-11-23T00:00:00.000Z')).toBeUndefined();
  expect(count('one', '2026-11-23T00:00:01.000Z')).toBe('QUOTA_EXCEEDED');
});
