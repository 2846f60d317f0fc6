import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { EditableAssembly } from '../../support/assembly.ts';
import { expectProblem } from '../../support/problem.ts';
import { type RequestOptions, type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/*
 * Developer guide: "Usage plans and API keys for REST APIs" and "Throttle requests to your REST APIs". The limits of a
 * plan count for each of its API keys, which are the slots.
 */

const BATCH = '/rest/warehouse-control/material-stock-balance/POST';
const NO_LIMIT = { RateLimit: 1_000, BurstLimit: 1_000 };
const plans = {
  usual: {},
  slow: { Throttle: { RateLimit: 0.5, BurstLimit: 3 } },
  'slow-batches': { batches: { RateLimit: 0.5, BurstLimit: 2 } },
  'few-a-day': { Quota: { Limit: 3, Period: 'DAY' } },
};
/** A client in a slot of a plan. Clients in the same slot have different names after it. */
type Client = `${keyof typeof plans}${1 | 2}${'' | '#other'}`;

const addPlans = ({ add }: EditableAssembly) => {
  for (const [plan, { batches = NO_LIMIT, ...own }] of Object.entries<Record<string, object>>(plans)) {
    const ApiStages = [{ Throttle: { [BATCH]: batches } }];
    add(`${plan}Plan`, 'AWS::ApiGateway::UsagePlan', { Throttle: NO_LIMIT, ApiStages, ...own });
    for (const key of [`${plan}1`, `${plan}2`]) {
      add(`${key}Key`, 'AWS::ApiGateway::ApiKey', { Enabled: true, Value: key });
      add(`${key}PlanKey`, 'AWS::ApiGateway::UsagePlanKey', {
        KeyId: { Ref: `${key}Key` },
        UsagePlanId: { Ref: `${plan}Plan` },
      });
    }
  }
};

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway({ edit: addPlans, hasLimits: true });
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
  await useUp('slow1');
  for (const path of ['purchase-orders', 'nowhere']) {
    const response = await sendAs('slow1', path);
    expectProblem(response, 429);
    expect(response.headers).toMatchObject({
      'retry-after': '10',
      'x-amzn-errortype': 'TooManyRequestsException',
    });
  }
  expect(await statusesOf('usual1', LISTS)).toEqual([200, 200]);
  gateway.clock.setDate('2026-11-20T00:00:00.000Z');
  gateway.clock.pass(1_999);
  expect(await statusesOf('slow1', LISTS)).toEqual([429, 429]);
  gateway.clock.pass(1);
  expect(await statusesOf('slow1', LISTS)).toEqual([200, 429]);
});

test('a client that shares the slot of one past its burst gets 429, and one in another slot of the plan is served', async () => {
  await useUp('slow1');
  expect(await statusesOf('slow1#other', LISTS)).toEqual([429, 429]);
  expect(await statusesOf('slow2', LISTS)).toEqual([200, 200]);
});

test.each(['usual1', 'slow1', 'slow2', 'unknown', ''])(
  'the header x-api-key: %s has no effect',
  async (key) => {
    await useUp('slow1');
    const headers = { 'x-api-key': key };
    expect(await statusesOf('slow1', LISTS, { headers })).toEqual([429, 429]);
    expect(await statusesOf('usual1', LISTS, { headers })).toEqual([200, 200]);
  },
);

test('a client past its burst of batches gets 429 for batches alone', async () => {
  const paths = [...Array<string>(3).fill('material-stock-balance'), 'changes'];
  const asked = { method: 'POST', body: '{}' };
  expect(await statusesOf('slow-batches1', paths, asked)).toEqual([200, 200, 429, 200]);
  expect(await statusesOf('usual1', paths, asked)).toEqual([200, 200, 200, 200]);
});

test('a client past its quota gets 429, which names the end of the day, until 0:00 UTC', async () => {
  gateway.clock.setDate('2026-11-22T23:59:59.998Z');
  await useUp('few-a-day1');
  gateway.clock.pass(1);
  const response = await sendAs('few-a-day1');
  expectProblem(response, 429);
  expect(response.headers).toMatchObject({
    'retry-after': '3600',
    'x-amzn-errortype': 'LimitExceededException',
  });
  expect(response.json().detail).toContain('until midnight UTC');
  gateway.clock.pass(1);
  expect(await statusesOf('few-a-day1', LISTS)).toEqual([200, 200]);
});

test('a run without throttling applies no limit of a client', async () => {
  const free = await startGateway({ edit: addPlans });
  for (const client of Array(4).fill(['slow1', 'few-a-day1']).flat())
    expect((await free.request('material-codes', { user: `keyed#${client}` })).status).toBe(200);
});
