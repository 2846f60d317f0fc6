import { afterAll } from 'vitest';
import { readApi } from '../../../local/gateway/api.ts';
import { openGateway } from '../../../local/gateway/gateway.ts';
import type { Clock } from '../../../local/gateway/limits.ts';
import type { Outcome } from '../../../local/lambda/function-instance.ts';
import { readAssembly } from '../../../local/synthesis/assembly.ts';
import { TemplateStack } from '../../../local/synthesis/stack.ts';
import { type EditableAssembly, editedAssembly } from '../../support/assembly.ts';
import { basic, type SentRequest, send } from '../../support/http-client.ts';

/** A clock that stands still until a test moves it. */
const stoppedClock = () => {
  let elapsed = 0;
  let date = Date.parse('2026-11-22T12:00:00.000Z');
  const waiters = new Map<() => void, number>();
  return {
    now: () => new Date(date),
    monotonicMs: () => elapsed,
    pass: (ms: number) => {
      elapsed += ms;
      date += ms;
      for (const [wake, until] of waiters) if (until <= elapsed) wake();
    },
    wait: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        waiters.set(resolve, elapsed + ms);
        signal.addEventListener('abort', () => waiters.delete(resolve));
      }),
    /** The times that the waits still last. */
    waiting: () => [...waiters.values()].map((until) => until - elapsed),
    setDate: (text: string) => {
      date = Date.parse(text);
    },
  };
};

const policy = (Effect: string, Resource: string) => ({
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }],
});

/** What the authorizer returns. The user name selects the result; after a # it names an API key, and more after another #. */
const authorizerResultFor = (user: string, methodArn: string, usageIdentifierKey?: string) => {
  const stage = `${methodArn.split('/').slice(0, 2).join('/')}/*/*`;
  const allow = { principalId: user, policyDocument: policy('Allow', stage), usageIdentifierKey };
  const both = [...policy('Allow', stage).Statement, ...policy('Deny', methodArn).Statement];
  const [name = '', key] = user.split('#');
  const results: Record<string, unknown> = {
    'one-method': { ...allow, policyDocument: policy('Allow', methodArn) },
    denied: { ...allow, policyDocument: policy('Deny', stage) },
    'denied-without-key': { principalId: user, policyDocument: policy('Deny', stage) },
    'allowed-and-denied': { ...allow, policyDocument: { Statement: both } },
    keyed: { ...allow, usageIdentifierKey: key },
    'no-key': { ...allow, usageIdentifierKey: undefined },
    'no-policy': { principalId: user },
    'empty-principal': { ...allow, principalId: '' },
    'no-principal': { policyDocument: allow.policyDocument },
    'no-effect': { principalId: user, policyDocument: { Statement: [{ Action: '*', Resource: '*' }] } },
    nothing: null,
    'a-string': 'Allow',
    'object-in-context': { ...allow, context: { client: { name: 'wms' } } },
  };
  return name in results
    ? results[name]
    : { ...allow, context: { client: 'wms', number: 7, truth: true, none: null } };
};

const FAILED: Outcome = { error: { errorType: 'Error', errorMessage: 'Out of order' } };

type Script = {
  raw?: unknown;
  bytes?: number;
  fails?: true;
  isThrottled?: true;
  hangs?: true;
  lastsMs?: number;
};

const scriptIn = (body: string | null): Script | undefined => {
  try {
    return JSON.parse(body ?? '{}');
  } catch {
    return undefined;
  }
};

/** A function does what the body of its event says, and returns the event if the body says nothing. */
const runScript = async (event: { body: string | null }, clock: Clock): Promise<Outcome> => {
  const script = scriptIn(event.body);
  if (!script) return { response: JSON.stringify({ statusCode: 400, body: '{}' }) };
  const { raw, bytes, fails, isThrottled, hangs, lastsMs } = script;
  if (fails) return FAILED;
  if (isThrottled) return { ...FAILED, isThrottled };
  if (hangs) return new Promise(() => {});
  if (lastsMs) await clock.wait(lastsMs, new AbortController().signal);
  const body = bytes === undefined ? JSON.stringify({ event }) : 'x'.repeat(bytes);
  return { response: JSON.stringify(raw === undefined ? { statusCode: 200, body } : raw) };
};

const open: { close(): void }[] = [];
afterAll(() => {
  for (const gateway of open.splice(0)) gateway.close();
});

type Options = {
  /** Changes the template. */
  edit?: (assembly: EditableAssembly) => void;
  hasLimits?: boolean;
  /** Uses the clock of this machine instead of the stopped one. */
  hasOwnClock?: boolean;
};

/** The gateway of the template, in this process, with scripted functions and a clock that the test moves. */
export const startGateway = async ({ edit = () => {}, hasLimits = false, hasOwnClock }: Options = {}) => {
  const { stackName, template } = readAssembly(await editedAssembly(edit));
  const api = readApi(new TemplateStack(stackName, template));
  const [key] = api.usagePlans.keys();
  const clock = stoppedClock();
  /** The events of the operations, and of the authorizer. */
  const events: ReturnType<typeof JSON.parse>[] = [];
  const authorizerEvents: ReturnType<typeof JSON.parse>[] = [];
  const invoke = async (arn: string, text: string): Promise<Outcome> => {
    const event = JSON.parse(text);
    if (arn !== api.authorizer.AuthorizerUri) {
      events.push(event);
      return runScript(event, clock);
    }
    authorizerEvents.push(event);
    const user = userIn(event.headers);
    if (user === 'failing') return FAILED;
    if (user.startsWith('Unauthorized')) return { error: { errorType: 'Error', errorMessage: user } };
    if (user === 'hanging') return new Promise(() => {});
    if (user === 'slow') await clock.wait(8_000, new AbortController().signal);
    return { response: JSON.stringify(authorizerResultFor(user, event.methodArn, key)) };
  };
  const own = { api, lambda: { invoke }, hasLimits, onServed: () => {} };
  const gateway = await openGateway(0, hasOwnClock ? own : { ...own, clock });
  const { baseUrl } = gateway;
  open.push(gateway);
  return {
    api,
    invoke,
    baseUrl,
    clock,
    events,
    authorizerEvents,
    /** How often the gateway has called the authorizer for a user. */
    authorizerCallsOf: (user: string) =>
      authorizerEvents.filter(({ headers }) => userIn(headers) === user).length,
    /** A path that begins with a slash goes into the request line as it is, and another one below the operations. */
    request: (path: string, { headers = {}, user = 'allowed', ...sent }: RequestOptions = {}) =>
      send(baseUrl, {
        path: path.startsWith('/') ? path : `/live/rest/warehouse-control/${path}`,
        headers: { Authorization: basic(user, 'any'), ...headers },
        ...sent,
      }),
  };
};

export type RequestOptions = SentRequest & { user?: string };
export type ScriptedGateway = Awaited<ReturnType<typeof startGateway>>;

const userIn = (headers: Record<string, string>) => {
  const [, header = ''] = Object.entries(headers).find(([name]) => /^authorization$/i.test(name)) ?? [];
  return (
    Buffer.from(header.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')[0] ?? ''
  );
};
