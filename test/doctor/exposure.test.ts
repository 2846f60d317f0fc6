import { expect, test } from 'vitest';
import { exposureFacts } from '../../doctor/trial/exposure-facts.ts';
import { Trial } from '../../doctor/trial/trial.ts';
import { listStackResources, startAws } from './aws-stub.ts';
import { examineFact, serve } from './examine.ts';

/** Asks once instead of for a minute. */
class QuickTrial extends Trial {
  override poll<T>(ask: () => Promise<T>) {
    return ask();
  }
}
const trial = new QuickTrial('Any', { seconds: 0, interrupted: new AbortController().signal });

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
  const result = await examineFact('the access log', exposureFacts(trial));
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
  const result = await examineFact('a trace that a request asks for', exposureFacts(trial), { baseUrl });
  expect(result).toMatchObject({ state });
});

const dnsError = (code: string) => Promise.reject(Object.assign(new Error('DNS'), { code }));

const HOST = 'https://abcde.execute-api.eu-west-1.amazonaws.com/live';

test.each<[string, string, resolve: () => Promise<string[]>, seen: RegExp, baseUrl?: string]>([
  ['ok', 'no address of IPv6', () => dnsError('ENODATA'), /^none of IPv6$/],
  ['WRONG', 'an address of IPv6', async () => ['2600::1'], /^2600::1; correct infra\/api\/rest-api\.ts$/],
  ['WRONG', 'no such host', () => dnsError('ENOTFOUND'), /^DNS has no record of the host/],
  ['not checked', 'an address as host', async () => [], /no host name/, 'http://127.0.0.1/live'],
])('the addresses of the endpoint are %s with %s', async (state, _, resolve, seen, baseUrl = HOST) => {
  const facts = exposureFacts(trial, resolve);
  const result = await examineFact('the addresses of the endpoint', facts, { baseUrl });
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
});
