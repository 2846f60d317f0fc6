import { beforeAll, describe, expect, test } from 'vitest';
import { createAuthorizer } from '../../../local/gateway/authorization.ts';
import type { Header } from '../../../local/gateway/request.ts';
import type { EditableAssembly } from '../../support/assembly.ts';
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

  test.each(['denied', 'denied-without-key'])('that denies is a 401, and cached: %s', async (user) => {
    expectChallenge(await post(user));
    expectChallenge(await get(user));
    expect(gateway.authorizerCallsOf(user)).toBe(1);
  });

  test.each(['no-key', 'keyed#unknown'])(
    'that allows %s of the template is a 503, and cached',
    async (user) => {
      for (const _ of [1, 2]) {
        const response = await post(user);
        expectProblem(response, 503);
        expect(response.headers['x-amzn-errortype']).toBe('ForbiddenException');
      }
      expect(gateway.authorizerCallsOf(user)).toBe(1);
    },
  );

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

test('an authorizer that fails is a plain 503, which is not cached', async () => {
  for (const _ of [1, 2]) {
    const response = await post('failing');
    expectProblem(response, 503);
    expect(response.headers).toMatchObject({
      'retry-after': '5',
      'x-amzn-errortype': 'AuthorizerFailureException',
    });
    expect(response.text).not.toContain('Out of order');
  }
  expect(gateway.authorizerCallsOf('failing')).toBe(2);
});

test('an authorizer that fails with exactly Unauthorized is a 401 with the challenge, which is not cached', async () => {
  for (const _ of [1, 2]) expectChallenge(await post('Unauthorized'));
  expect(gateway.authorizerCallsOf('Unauthorized')).toBe(2);
  expectProblem(await post('Unauthorized.'), 503);
});

test.each([
  'no-policy',
  'no-principal',
  'empty-principal',
  'no-effect',
  'nothing',
  'a-string',
  'object-in-context',
])(
  'an authorizer with output of another form is a 503, which is not cached (ministackorg/ministack#1367): %s',
  async (user) => {
    for (const _ of [1, 2]) {
      const response = await post(user);
      expectProblem(response, 503);
      expect(response.headers['x-amzn-errortype']).toBe('AuthorizerConfigurationException');
    }
    expect(gateway.authorizerCallsOf(user)).toBe(2);
  },
);

/** Edits of the permission of a function that starts with this id. */
const permissionEdits = (id: string): [string, (assembly: EditableAssembly) => void][] => [
  ['no permission', ({ remove }) => remove('AWS::Lambda::Permission', id)],
  [
    'a permission to call another function',
    ({ resource }) => {
      const { FunctionName } = resource('AWS::Lambda::Permission', 'Monitoring').Properties;
      Object.assign(resource('AWS::Lambda::Permission', id).Properties, { FunctionName });
    },
  ],
  [
    'a permission for another service',
    ({ resource }) => {
      resource('AWS::Lambda::Permission', id).Properties['Principal'] = 'events.amazonaws.com';
    },
  ],
  [
    'a permission for another API',
    ({ resource }) => {
      resource('AWS::Lambda::Permission', id).Properties['SourceArn'] = 'arn:aws:execute-api:*:*:other/*';
    },
  ],
];

test.each(permissionEdits('AuthorizerFunction'))(
  'an authorizer with %s is a 503, and not called',
  async (_, edit) => {
    const closed = await startGateway({ edit });
    expectProblem(await closed.request('material-codes'), 503);
    expect(closed.authorizerEvents).toEqual([]);
  },
);

test.each(permissionEdits('ApiRestApirestwarehousecontrolchangesPOST'))(
  'a function with %s is a 500, and not called',
  async (_, edit) => {
    const closed = await startGateway({ edit });
    expectProblem(await closed.request('changes', { method: 'POST', body: '{}' }), 500);
    expect(closed.events).toEqual([]);
    expect((await closed.request('material-codes')).status).toBe(200);
  },
);
