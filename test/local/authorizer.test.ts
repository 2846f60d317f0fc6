import { beforeAll, describe, expect, test } from 'vitest';
import { type EditableAssembly, editedAssembly } from '../support/assembly.ts';
import { basic, send } from '../support/http-client.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { expectChallenge, expectProblem } from '../support/problem.ts';
import { scriptFunctions } from './scripted-functions.ts';

/*
 * Developer guide: "Use API Gateway Lambda authorizers", "Output from an API Gateway Lambda authorizer" and "Gateway
 * response types". The template answers ACCESS_DENIED with a 401, too.
 */

const start = async (edit: (assembly: EditableAssembly) => void) =>
  startLocal({
    assemblyFolder: await editedAssembly((assembly) => {
      scriptFunctions(assembly);
      edit(assembly);
    }),
  });

let run: LocalRun;
beforeAll(async () => {
  run = await start(({ resource }) => {
    resource('AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 3_600;
  });
});

const as = (user: string, path = 'changes', method = 'POST', from = run) =>
  send(from.url(path), { method, headers: { Authorization: basic(user, 'any') } });

let requestCount = 0;
const authorizerContext = async () => {
  requestCount += 1;
  return (await as(`asked#${requestCount}`)).json().event.requestContext.authorizer;
};
/** How often the gateway has called the authorizer for a user. */
const askedAbout = async (user: string) => JSON.parse((await authorizerContext()).asked)[user] ?? 0;

test.each([
  ['a missing header', {}],
  ['an empty header', { Authorization: '' }],
])('%s is a 401 with the challenge, and the authorizer is not called', async (_, headers) => {
  const fresh = run.functionsLog();
  const answer = await send(run.url('changes'), { method: 'POST', headers });
  expectChallenge(answer);
  expect(await askedAbout('')).toBe(0);
  expect(run.functionsLog()).toBe(fresh);
});

test('the event of an authorizer has the format of the guide, "Input to an API Gateway Lambda authorizer"', async () => {
  const event = JSON.parse((await authorizerContext()).event);
  expect(event).toMatchObject({
    type: 'REQUEST',
    methodArn: expect.stringMatching(
      /^arn:aws:execute-api:eu-central-1:000000000000:[a-z0-9]{10}\/live\/POST\/rest\/warehouse-control\/changes$/,
    ),
    resource: '/rest/warehouse-control/changes',
    path: '/rest/warehouse-control/changes',
    httpMethod: 'POST',
    headers: { Authorization: basic(`asked#${requestCount}`, 'any') },
    queryStringParameters: {},
    pathParameters: {},
    stageVariables: {},
    requestContext: { stage: 'live', identity: { sourceIp: '127.0.0.1' } },
  });
  expect(event).not.toHaveProperty('body');
});

// clock.test.ts covers the time after which a cached policy expires.
describe('a policy', () => {
  test('is cached and evaluated for every method: a policy for a single method allows only that one', async () => {
    expect((await as('one-method', 'changes', 'POST')).status).toBe(200);
    expectChallenge(await as('one-method', 'material-codes', 'GET'));
    expectChallenge(await as('one-method', 'changes', 'GET'));
    expect((await as('one-method', 'changes', 'POST')).status).toBe(200);
    expect(await askedAbout('one-method')).toBe(1);
  });

  test('that denies is also cached', async () => {
    expectChallenge(await as('denied'));
    expectChallenge(await as('denied', 'material-codes', 'GET'));
    expect(await askedAbout('denied')).toBe(1);
  });

  test('that denies without a key is a 401, not an invalid key', async () => {
    expectChallenge(await as('denied-without-key'));
  });

  test('that allows without a key of the template is a 503, cached like every policy', async () => {
    for (const user of ['no-key', 'no-key', 'unknown-key']) {
      const answer = await as(user);
      expectProblem(answer, 503);
      expect(answer.headers['x-amzn-errortype']).toBe('ForbiddenException');
    }
    expect(await askedAbout('no-key')).toBe(1);
  });

  test('with a Deny beside the Allow denies', async () => {
    expectChallenge(await as('allowed-and-denied'));
    expect((await as('allowed-and-denied', 'material-codes', 'GET')).status).toBe(200);
  });

  test('is cached by the whole header: another password calls the authorizer again', async () => {
    await as('allowed');
    await send(run.url('changes'), { method: 'POST', headers: { Authorization: basic('allowed', 'other') } });
    await as('allowed');
    expect(await askedAbout('allowed')).toBe(2);
  });
});

describe('an authorizer that fails', () => {
  test('with the error "Unauthorized" is a 401, which is not cached', async () => {
    expectChallenge(await as('unauthorized'));
    expectChallenge(await as('unauthorized'));
    expect(await askedAbout('unauthorized')).toBe(2);
  });

  test('with any other error is a plain 503, which is not cached, and its log has the error', async () => {
    const answer = await as('failing');
    expectProblem(answer, 503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.headers['x-amzn-errortype']).toBe('AuthorizerFailureException');
    expect(answer.text).not.toContain('Unauthorized!');
    expectProblem(await as('failing'), 503);
    expect(await askedAbout('failing')).toBe(2);
    await expect.poll(() => run.functionsLog()).toContain('"errorMessage":"Unauthorized!"');
  });

  test.each(['no-policy', 'no-principal', 'no-effect', 'nothing', 'a-string', 'object-in-context'])(
    'with output of another form is a 503: %s',
    async (user) => {
      const answer = await as(user);
      expectProblem(answer, 503);
      expect(answer.headers['x-amzn-errortype']).toBe('AuthorizerConfigurationException');
    },
  );

  test('without the permission to be called is a 503', async () => {
    const closed = await start(({ remove }) => remove('AWS::Lambda::Permission', 'AuthorizerFunction'));
    expectProblem(await as('allowed', 'changes', 'POST', closed), 503);
    await closed.stop();
  });
});
