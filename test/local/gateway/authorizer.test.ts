import { beforeAll, describe, expect, test } from 'vitest';
import { createAuthorizer } from '../../../local/gateway/authorization.ts';
import type { Header } from '../../../local/gateway/request.ts';
import { basic } from '../../support/http-client.ts';
import { expectChallenge, expectProblem } from '../../support/problem.ts';
import { type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/*
 * Developer guide: "Use API Gateway Lambda authorizers", "Output from an API Gateway Lambda authorizer" and "Gateway
 * response types". The template gives ACCESS_DENIED a 401, too.
 */

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});

const post = (user: string) => gateway.request('changes', { method: 'POST', user, body: '{}' });
const get = (user: string, path = 'material-codes') => gateway.request(path, { user });

test('an empty header is a 401 with the challenge, and the authorizer is not called', async () => {
  const before = gateway.authorizerEvents.length;
  expectChallenge(await gateway.request('changes', { method: 'POST', headers: { Authorization: '' } }));
  expect(gateway.authorizerEvents).toHaveLength(before);
});

test('the event of an authorizer has the format of the guide, "Input to an API Gateway Lambda authorizer"', async () => {
  await post('asked');
  const event = gateway.authorizerEvents.at(-1);
  expect(event).toMatchObject({
    type: 'REQUEST',
    methodArn: expect.stringMatching(
      /^arn:aws:execute-api:eu-central-1:000000000000:[^:/]+\/live\/POST\/rest\/warehouse-control\/changes$/,
    ),
    resource: '/rest/warehouse-control/changes',
    path: '/rest/warehouse-control/changes',
    httpMethod: 'POST',
    headers: { Authorization: basic('asked', 'any') },
    requestContext: { stage: 'live' },
  });
  expect(event).not.toHaveProperty('body');
});

describe('a policy', () => {
  test('is cached and evaluated for every method: a policy for a single method allows only that one', async () => {
    expect((await post('one-method')).status).toBe(200);
    expectChallenge(await get('one-method'));
    expectChallenge(await get('one-method', 'changes'));
    expect((await post('one-method')).status).toBe(200);
    expect(gateway.authorizerCallsOf('one-method')).toBe(1);
  });

  test('with a Deny beside the Allow denies', async () => {
    expectChallenge(await post('allowed-and-denied'));
    expect((await get('allowed-and-denied')).status).toBe(200);
  });

  test('is cached by the whole header: another password calls the authorizer again', async () => {
    await get('someone');
    await gateway.request('material-codes', { headers: { Authorization: basic('someone', 'other') } });
    await get('someone');
    expect(gateway.authorizerCallsOf('someone')).toBe(2);
  });

  test("is cached for the template's 30 s, even if the clock is set back meanwhile", async () => {
    await get('cached');
    gateway.clock.setDate('2026-11-22T11:00:00.000Z');
    gateway.clock.pass(29_999);
    await get('cached');
    expect(gateway.authorizerCallsOf('cached')).toBe(1);
    gateway.clock.pass(1);
    await get('cached');
    expect(gateway.authorizerCallsOf('cached')).toBe(2);
  });

  /** An authorizer of its own, whose cache the test sees. */
  const ownAuthorizer = () => {
    const { api, invoke, clock } = gateway;
    const cache = new Map();
    const authorize = createAuthorizer(api, { invoke }, clock, cache);
    const guess = (user: string) => {
      const headers: Header[] = [['Authorization', basic(user, 'any')]];
      const names = {
        id: '',
        extendedId: '',
        httpMethod: 'GET',
        path: '/rest/warehouse-control/material-codes',
      };
      return authorize({ ...names, receivedAt: clock.now(), headers });
    };
    return { guess, cache };
  };

  test('that is older than a thousand others leaves the memory', async () => {
    const { guess } = ownAuthorizer();
    const { clock, authorizerCallsOf } = gateway;
    await guess('first');
    await guess('second');
    clock.pass(1);
    await Promise.all(Array.from({ length: 999 }, (_, index) => guess(`other#${index}`)));
    await guess('second');
    await guess('first');
    expect([authorizerCallsOf('first'), authorizerCallsOf('second')]).toEqual([2, 1]);
  });

  test('that has expired leaves the memory with the next one, also behind one that was renewed', async () => {
    const { guess, cache } = ownAuthorizer();
    for (const user of ['renewed', 'expired', 'renewed']) {
      await guess(user);
      gateway.clock.pass(15_000);
    }
    await guess('expiring');
    expect([...cache.keys()]).toEqual(['renewed', 'expiring'].map((user) => basic(user, 'any')));
  });
});

/** It is not recorded which value the platform uses. `headers` of an event has the last one (developer guide). */
test('of two headers Authorization, the last one counts, and the policy of the first is not used', async () => {
  const send = (...users: string[]) =>
    gateway.request('material-codes', {
      headers: { Authorization: users.map((user) => basic(user, 'twice')) },
    });
  expect((await send('denied', 'allowed')).status).toBe(200);
  expectChallenge(await send('allowed', 'denied'));
  const { headers, multiValueHeaders } = gateway.authorizerEvents.at(-1);
  const [first, last] = ['allowed', 'denied'].map((user) => basic(user, 'twice'));
  expect([headers.Authorization, multiValueHeaders.Authorization]).toEqual([last, [first, last]]);
  expect((await send('allowed')).status).toBe(200);
  expectChallenge(await send('denied'));
});

describe('the 29 s of a request', () => {
  test('end after 10 s for an authorizer that does not respond, with a 503', async () => {
    const response = post('hanging');
    await expect.poll(gateway.clock.waiting).toEqual([10_000]);
    gateway.clock.pass(10_000);
    expectProblem(await response, 503);
  });

  test('include the time of the authorizer, so the function has the rest', async () => {
    const response = gateway.request('changes', { method: 'POST', user: 'slow', body: '{"hangs":true}' });
    await expect.poll(gateway.clock.waiting).toEqual([8_000, 10_000]);
    gateway.clock.pass(8_000);
    await expect.poll(gateway.clock.waiting).toContain(21_000);
    gateway.clock.pass(21_000);
    expectProblem(await response, 504);
  });
});

const CACHED = 1;
const NOT_CACHED = 2;

/** The scripts of the authorizer have these names. For output of another form, see ministackorg/ministack#1367. */
test.each<[user: string, status: number, errorType: string, callsOfTwoRequests: number]>([
  ['denied', 401, 'AccessDeniedException', CACHED],
  ['denied-without-key', 401, 'AccessDeniedException', CACHED],
  ['no-key', 503, 'ForbiddenException', CACHED],
  ['keyed#unknown', 503, 'ForbiddenException', CACHED],
  ['failing', 503, 'AuthorizerFailureException', NOT_CACHED],
  // Only this exact text is a refusal.
  ['Unauthorized', 401, 'UnauthorizedException', NOT_CACHED],
  ['Unauthorized.', 503, 'AuthorizerFailureException', NOT_CACHED],
  ['no-policy', 503, 'AuthorizerConfigurationException', NOT_CACHED],
  ['no-principal', 503, 'AuthorizerConfigurationException', NOT_CACHED],
  ['empty-principal', 503, 'AuthorizerConfigurationException', NOT_CACHED],
  ['no-effect', 503, 'AuthorizerConfigurationException', NOT_CACHED],
  ['nothing', 503, 'AuthorizerConfigurationException', NOT_CACHED],
  ['a-string', 503, 'AuthorizerConfigurationException', NOT_CACHED],
  ['object-in-context', 503, 'AuthorizerConfigurationException', NOT_CACHED],
])(
  'an authorizer with the result %s is a %i of type %s, and is called %i times for two requests',
  async (...row) => {
    const [user, status, errorType, calls] = row;
    const before = gateway.authorizerCallsOf(user);
    for (const request of [post, get]) {
      const response = await request(user);
      if (status === 401) expectChallenge(response);
      else expectProblem(response, status);
      expect(response.headers['x-amzn-errortype']).toBe(errorType);
      if (status === 503) expect(response.headers['retry-after']).toBe('5');
      expect(response.text).not.toContain('Out of order');
    }
    expect(gateway.authorizerCallsOf(user) - before).toBe(calls);
  },
);

const CHANGES = 'ApiRestApirestwarehousecontrolchangesPOST';
const ANY_API = 'arn:aws:execute-api:*:*:*';

/** test/local/template.test.ts has the other fields of a permission. */
test.each<[what: string, of: string, sourceArn: string, status: number]>([
  ['an authorizer', 'AuthorizerFunction', 'arn:aws:execute-api:*:*:other/*', 503],
  ['an authorizer', 'AuthorizerFunction', `${ANY_API}/authorizers/other`, 503],
  ['a function', CHANGES, 'arn:aws:execute-api:*:*:other/*', 500],
  ['a function', CHANGES, `${ANY_API}/live/GET/rest/warehouse-control/changes`, 500],
])('%s whose permission (%s) is for %s is a %i, and is not called', async (what, id, SourceArn, status) => {
  const closed = await startGateway({
    edit: ({ resource }) => {
      Object.assign(resource('AWS::Lambda::Permission', id).Properties, { SourceArn });
    },
  });
  expectProblem(await closed.request('changes', { method: 'POST', body: '{}' }), status);
  expect(closed.events).toEqual([]);
  if (what === 'an authorizer') expect(closed.authorizerEvents).toEqual([]);
  else expect((await closed.request('material-codes')).status).toBe(200);
});
