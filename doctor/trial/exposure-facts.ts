import { randomBytes } from 'node:crypto';
import { resolve6 } from 'node:dns/promises';
import { isIP } from 'node:net';
import * as v from 'valibot';
import { callForJson } from '../aws.ts';
import { type Facts, NotChecked } from '../fact.ts';
import { codeOf, secretsOf } from '../http/advice.ts';
import type { Trial } from './trial.ts';

/** X-Ray shows a trace after about 30 s. */
const TRACED_WITHIN_S = 60;

const LogPage = v.object({
  events: v.optional(v.array(v.object({ message: v.string() })), []),
  nextToken: v.optional(v.string()),
});
const LOGS = {
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': 'Logs_20140328.FilterLogEvents',
};

const readAccessLog = async (trial: Trial, signal: AbortSignal) => {
  const logGroupName = await trial.resource('ApiAccessLog', 'AWS::Logs::LogGroup');
  const lines: string[] = [];
  let token: string | undefined;
  do {
    const body = JSON.stringify({ logGroupName, nextToken: token });
    const { events, nextToken } = await callForJson('logs', LogPage, { headers: LOGS, body, signal });
    lines.push(...events.map(({ message }) => message));
    token = nextToken;
  } while (token);
  return lines;
};

const Traces = v.object({ Traces: v.array(v.unknown()) });

/** What the headers of a request leave behind, and who can reach the endpoint. The log needs earlier requests that failed. */
export const exposureFacts = (
  trial: Trial,
  resolve: (host: string) => Promise<string[]> = resolve6,
): Facts => ({
  'the access log': {
    text: 'never has a header Authorization',
    assumedIn: 'infra/api/access-log.ts',
    check: async ({ login, signal }) => {
      const secrets = secretsOf(login);
      const read = () => readAccessLog(trial, signal);
      const lines = await trial.poll(read, ({ length }) => length > 0);
      if (lines.length === 0) throw new NotChecked('the log has no lines');
      // The gateway may name the header, and repeat a hash of it.
      const hasSecret = (line: string) =>
        /\bBasic\s+[\w+/]{8}/i.test(line) || secrets.some((secret) => line.includes(secret));
      const count = lines.filter(hasSecret).length;
      return { holds: count === 0, seen: `${count} of ${lines.length} lines have one` };
    },
  },
  'a trace that a request asks for': {
    text: 'none while the setting tracing is off',
    assumedIn: 'docs/costs.md',
    check: async (caller) => {
      const id = `1-${Math.floor(Date.now() / 1_000).toString(16)}-${randomBytes(12).toString('hex')}`;
      const headers = { 'X-Amzn-Trace-Id': `Root=${id};Sampled=1` };
      await caller.getOrders({ headers });
      const call = { path: '/Traces', body: JSON.stringify({ TraceIds: [id] }), signal: caller.signal };
      const hasTrace = async () => (await callForJson('xray', Traces, call)).Traces.length > 0;
      const isTraced = await trial.poll(hasTrace, (isFound) => isFound, TRACED_WITHIN_S);
      return { holds: !isTraced, seen: isTraced ? 'a trace' : `none within ${TRACED_WITHIN_S} s` };
    },
  },
  'the addresses of the endpoint': {
    text: 'none of IPv6 while the setting ipv6 is off',
    assumedIn: 'infra/api/rest-api.ts',
    check: async ({ socketTarget: { host } }) => {
      if (isIP(host)) throw new NotChecked('the base URL has no host name');
      try {
        return { holds: false, seen: (await resolve(host)).join(', ') };
      } catch (error) {
        if (codeOf(error) !== 'ENODATA') throw error;
        return { holds: true, seen: 'none of IPv6' };
      }
    },
  },
});
