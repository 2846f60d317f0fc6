import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { EditableAssembly } from '../support/assembly.ts';
import { expectProblem } from '../support/problem.ts';
import { type RequestOptions, type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/*
 * Developer guide: "Usage plans and API keys for REST APIs" and "Throttle requests to your REST APIs". Each client has
 * the plan of its API key.
 */

const BATCH = '/rest/warehouse-control/material-stock-balance/POST';
const NO_LIMIT = { RateLimit: 1_000, BurstLimit: 1_000 };
const plans = {
  usual: {},
  slow: { Throttle: { RateLimit: 0.5, BurstLimit: 3 } },
  'slow-batches': { batches: { RateLimit: 0.5, BurstLimit: 2 } },
  'few-a-day': { Quota: { Limit: 3, Period: 'DAY' } },
};
type Client = keyof typeof plans;

const addPlans = ({ add }: EditableAssembly) => {
  for (const [client, { batches = NO_LIMIT, ...own }] of Object.entries<Record<string, object>>(plans)) {
    const ApiStages = [{ Throttle: { [BATCH]: batches } }];
    add(`${client}Plan`, 'AWS::ApiGateway::UsagePlan', { Throttle: NO_LIMIT, ApiStages, ...own });
    add(`${client}Key`, 'AWS::ApiGateway::ApiKey', { Enabled: true, Value: client });
    add(`${client}PlanKey`, 'AWS::ApiGateway::UsagePlanKey', {
      KeyId: { Ref: `${client}Key` },
      UsagePlanId: { Ref: `${client}Plan` },
    });
  }
};

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway({ edit: addPlans, isThrottled: true });
});
beforeEach(() => gateway.clock.pass(60_000));

const sendAs = (client: Client, path = 'material-codes', asked: RequestOptions = {}) =>
  gateway.request(path, { user: `keyed#${client}`, ...asked });
const statusesOf = async (client: Client, paths: string[], asked: RequestOptions = {}) => {
  const statuses = [];
  for (const path of paths) statuses.push((await sendAs(client, path, asked)).status);
  return statuses;
};
const useUp = (client: Client) => statusesOf(client, ['material-codes', 'nowhere', 'purchase-orders']);

const LISTS = ['material-codes', 'purchase-orders'];

test('a client past its burst gets 429 with Retry-After until its rate allows more, and another client is served', async () => {
  await useUp('slow');
  for (const path of ['purchase-orders', 'nowhere']) {
    const answer = await sendAs('slow', path);
    expectProblem(answer, 429);
    expect(answer.headers).toMatchObject({
      'retry-after': '1',
      'x-amzn-errortype': 'TooManyRequestsException',
    });
  }
  expect(await statusesOf('usual', LISTS)).toEqual([200, 200]);
  gateway.clock.setDate('2026-11-20T00:00:00.000Z');
  gateway.clock.pass(1_999);
  expect(await statusesOf('slow', LISTS)).toEqual([429, 429]);
  gateway.clock.pass(1);
  expect(await statusesOf('slow', LISTS)).toEqual([200, 429]);
});

test.each(['usual', 'slow', 'unknown', ''])('the header x-api-key: %s has no effect', async (key) => {
  await useUp('slow');
  const headers = { 'x-api-key': key };
  expect(await statusesOf('slow', LISTS, { headers })).toEqual([429, 429]);
  expect(await statusesOf('usual', LISTS, { headers })).toEqual([200, 200]);
});

test('a client past its burst of batches gets 429 for batches alone', async () => {
  const paths = [...Array<string>(3).fill('material-stock-balance'), 'changes'];
  const asked = { method: 'POST', body: '{}' };
  expect(await statusesOf('slow-batches', paths, asked)).toEqual([200, 200, 429, 200]);
  expect(await statusesOf('usual', paths, asked)).toEqual([200, 200, 200, 200]);
});

test('a client past its quota gets 429 with another text until 0:00 UTC', async () => {
  gateway.clock.setDate('2026-11-22T23:59:59.998Z');
  await useUp('few-a-day');
  gateway.clock.pass(1);
  const answer = await sendAs('few-a-day');
  expectProblem(answer, 429);
  expect(answer.headers).toMatchObject({ 'retry-after': '60', 'x-amzn-errortype': 'LimitExceededException' });
  await useUp('slow');
  expect(answer.json().detail).not.toBe((await sendAs('slow')).json().detail);
  gateway.clock.pass(1);
  expect(await statusesOf('few-a-day', LISTS)).toEqual([200, 200]);
});

test('a run without throttling applies no limit of a client', async () => {
  const free = await startGateway({ edit: addPlans });
  for (const client of Array(4).fill(['slow', 'few-a-day']).flat())
    expect((await free.request('material-codes', { user: `keyed#${client}` })).status).toBe(200);
});
