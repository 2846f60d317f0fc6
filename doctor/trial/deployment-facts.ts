import { type Facts, responseFact } from '../fact.ts';
import { sendWrongPassword } from '../facts/access.ts';
import { quoteSafely } from '../http/advice.ts';
import type { Response } from '../http/caller.ts';
import { DENIED, observe, problem, SUCCESS } from '../http/expectations.ts';
import {
  changedPlanFacts,
  isRefused,
  isSuccess,
  removedPlanFacts,
  sendAs,
  slotFacts,
  UNCHECKED,
} from './plan-facts.ts';
import { methodFacts } from './request-facts.ts';
import type { Trial } from './trial.ts';
import { lockClient, PER_DAY } from './trial-clients.ts';

/** The authorizer and the gateway each keep a client for 30 s. */
const LOCKED_WITHIN_S = 60;

/** Facts about the first deployment, which has default settings except for its plans. */
export const deploymentFacts = (trial: Trial): Facts => ({
  'a locked client': {
    text: `200 application/json, then 401 with the challenge within ${LOCKED_WITHIN_S} s`,
    check: async (caller) => {
      const ask = () => sendAs(trial, caller, 'locked');
      const before = observe(await ask(), SUCCESS);
      await lockClient(await trial.output('ClientsTableName'), 'locked');
      const after = observe(await trial.poll(ask, isRefused, LOCKED_WITHIN_S), DENIED);
      return { holds: before.holds && after.holds, seen: `${before.seen}, then ${after.seen}` };
    },
    assumedIn: 'functions/credentials/clients-copy.ts',
  },
  // This comes before the facts that send wrong passwords, because the metric counts all wrong passwords.
  'the metric WrongCredentials': {
    text: 'counts a wrong password, and no locked client',
    assumedIn: 'shared/metrics.ts (CloudWatch reads it from the log)',
    check: async (caller) => {
      await sendWrongPassword(caller);
      const count = await trial.metric('WrongCredentials');
      return { holds: count === 1, seen: `counts ${count} of 1` };
    },
  },
  'the metric RefusedBatches': {
    text: 'counts a batch of 6.5 MB, and none of 11 MB',
    assumedIn: 'infra/api/access-log.ts, and docs/runbook.md',
    check: async ({ login }) => {
      const count = await trial.metric('RefusedBatches', { client: login.client });
      return { holds: count === 1, seen: `counts ${count} of 1` };
    },
  },
  ...slotFacts(trial),
  ...methodFacts,
  'the quota of a slot': {
    text: '429 application/problem+json, Retry-After: 3600; another slot of the plan: 200 application/json',
    check: async (caller) => {
      const send = () => sendAs(trial, caller, 'limited');
      for (let sent = 1; sent <= PER_DAY; sent += 1) await send();
      const response = await trial.poll(send, ({ status }) => status === 429);
      const limited = observe(response, { ...problem(429), retryAfter: '3600' });
      const neighbour = observe(await sendAs(trial, caller, 'neighbour'), SUCCESS);
      const seen = `${limited.seen}; another slot of the plan: ${neighbour.seen}`;
      return { holds: limited.holds && neighbour.holds, seen };
    },
    assumedIn: 'local/gateway/limits.ts',
  },
  'the metric LimitedRequests': {
    text: 'names the client of a 429',
    assumedIn: 'infra/api/access-log.ts',
    check: async () => {
      const count = await trial.metric('LimitedRequests', { client: 'limited' });
      return { holds: count > 0, seen: `counts ${count} of this client` };
    },
  },
  'a throttled function': responseFact(
    problem(500),
    (caller) =>
      trial.whileThrottled('GetPurchaseOrders', () => trial.poll(() => caller.getOrders(), isRefused)),
    { assumedIn: 'local/gateway/gateway.ts' },
  ),
  'a throttled authorizer': responseFact(
    UNCHECKED,
    (caller) => {
      const ask = () => sendWrongPassword(caller);
      return trial.whileThrottled('Authorizer', () => trial.poll(ask, ({ status }) => status !== 401));
    },
    { assumedIn: 'local/gateway/authorization.ts' },
  ),
});

const SERVED = PER_DAY + 1;

/** Facts about two updates, each deployed by a fact of plan-facts.ts. */
export const updateFacts = (trial: Trial): Facts => ({
  ...changedPlanFacts(trial),
  'the throttle of a slot': {
    text: '429 application/problem+json, Retry-After: 10, client in a header: none',
    check: async (caller) => {
      const isNew = ({ status, headers }: Response) => status === 429 && 'x-trial' in headers;
      const response = await trial.poll(() => sendAs(trial, caller, 'hasty'), isNew);
      const { holds, seen } = observe(response, { ...problem(429), retryAfter: '10' });
      if (!isNew(response)) return { holds: false, seen: `${seen}, no new response` };
      const { 'x-client': clientHeader } = response.headers;
      const client = clientHeader ? quoteSafely(String(clientHeader), caller.login) : 'none';
      return { holds: holds && !clientHeader, seen: `${seen}, client in a header: ${client}` };
    },
    assumedIn:
      "infra/api/gateway-responses.ts (if a header can have the client, Retry-After can have the pause of the client's plan)",
  },
  ...removedPlanFacts(trial),
  'a slot that is removed while a client uses it': {
    text: `serves ${SERVED} requests, one more than the slot had`,
    assumedIn: 'infra/api/plans.ts, and findSlot in functions/authorizer.ts',
    check: async (caller) => {
      // Polls, because the throttle refuses most requests, and the gateway keeps a policy with the removed slot for 30 s.
      for (let served = 0; served < SERVED; served += 1) {
        const response = await trial.poll(() => sendAs(trial, caller, 'neighbour'), isSuccess);
        if (!isSuccess(response))
          return { holds: false, seen: `serves ${served}, then ${observe(response, SUCCESS).seen}` };
      }
      return { holds: true, seen: `serves ${SERVED} requests` };
    },
    skipsLater: { reason: 'an earlier fact failed, perhaps because of its update, which this fact needs' },
  },
  'the throttle of the API stage': {
    text: 'comes before the authorizer',
    assumedIn: 'local/gateway/gateway.ts',
    check: async (caller) => {
      const burst = () => Promise.all(Array.from({ length: 20 }, () => sendWrongPassword(caller)));
      const isThrottled = (responses: Response[]) => responses.some(({ status }) => status === 429);
      const holds = isThrottled(await trial.poll(burst, isThrottled));
      return { holds, seen: `${holds ? 'refuses' : 'never refuses'} wrong credentials` };
    },
  },
});

/** A fact about an update that does not allow the IP address of this machine. */
export const addressFacts = (trial: Trial): Facts => ({
  'an address outside allowedCidrs': responseFact(
    problem(401),
    (caller) => trial.poll(() => caller.getOrders(), isRefused),
    { assumedIn: 'infra/api/gateway-responses.ts' },
  ),
});
