import { RETRY_AFTER_SECONDS } from '../../shared/http/problem.ts';
import { callService } from '../aws.ts';
import { type Facts, TooSlow } from '../fact.ts';
import { basicCredentials, type Caller, type Response } from '../http/caller.ts';
import { describe, observe, problem, SUCCESS } from '../http/expectations.ts';
import { TRIAL_HEADERS_CONTEXT, type Trial } from './trial.ts';
import { changedPlans, HASTY, smallerPlans, type TrialClient, trialClients } from './trial-clients.ts';

export const isSuccess = ({ status }: Response) => status === 200;
export const isRefused = (response: Response) => !isSuccess(response);

export const sendAs = (trial: Trial, caller: Caller, name: TrialClient) =>
  caller.getOrders({ authorization: basicCredentials(name, trial.passwords[name]) });

export const UNCHECKED = { ...problem(503), retryAfter: String(RETRY_AFTER_SECONDS) };

const HASTY_REQUESTS = 60;

/** Facts about the slots of the first deployment. The first fact needs some minutes without another 4xx or 5xx before it. */
export const slotFacts = (trial: Trial): Facts => ({
  'a slot whose key is disabled': {
    text: `${describe(UNCHECKED)}, counted as 5XXError`,
    assumedIn: 'infra/monitoring/alarms.ts (the alarm ServerErrors)',
    check: async (caller) => {
      const since = new Date();
      const { plan, slot } = trialClients.keyless;
      await trial.disableKey(`Slot${plan}x${slot}`, caller.signal);
      const response = await trial.poll(() => sendAs(trial, caller, 'keyless'), isRefused);
      const { holds, seen } = observe(response, UNCHECKED);
      const count = (name: string) =>
        trial.sum(name, { ApiName: trial.name }, { Namespace: 'AWS/ApiGateway', since });
      const ask = async () => [await count('5XXError'), await count('4XXError')] as const;
      const [serverErrors, clientErrors] = await trial.poll(ask, (counts) => Math.max(...counts) > 0);
      if (serverErrors > 0) return { holds, seen: `${seen}, counted as 5XXError` };
      if (clientErrors > 0) return { holds: false, seen: `${seen}, counted as 4XXError` };
      throw new TooSlow(`${seen}, not counted yet`);
    },
  },
  'the rate of a slow plan': {
    text: `serves ${HASTY.burst} request, and then one in ${1 / HASTY.rate} s`,
    assumedIn: 'docs/operations.md',
    check: async (caller) => {
      const startedAt = performance.now();
      const ask = () => sendAs(trial, caller, 'hasty');
      const responses = await trial.repeat(ask, ({ length }) => length === HASTY_REQUESTS, 1_000);
      const seconds = (performance.now() - startedAt) / 1_000;
      const served = responses.filter(isSuccess).length;
      return {
        holds: served <= HASTY.burst + HASTY.rate * seconds,
        seen: `serves ${served} of ${HASTY_REQUESTS} requests in ${Math.round(seconds)} s`,
      };
    },
  },
});

/** A fact about an update that also adds the headers of the trial. */
export const changedPlanFacts = (trial: Trial): Facts => ({
  'a changed limit of batches': {
    text: 'serves all requests during the update',
    assumedIn: 'docs/operations.md (if the plan leaves the stage for some seconds, its clients get 503)',
    check: async (caller) => {
      let isDeployed = false;
      const deployment = trial
        .deploy({ plans: changedPlans }, ['--context', `${TRIAL_HEADERS_CONTEXT}=true`])
        .finally(() => {
          isDeployed = true;
        });
      const ask = () =>
        caller.getOrders().then(
          (response) => observe(response, SUCCESS),
          () => ({ holds: false, seen: 'no response' }),
        );
      const [observations] = await Promise.all([trial.repeat(ask, () => isDeployed, 500), deployment]);
      const refused = observations.filter(({ holds }) => !holds);
      const [first] = refused;
      const { length } = observations;
      if (!first) return { holds: true, seen: `serves all ${length} requests` };
      return { holds: false, seen: `does not serve ${refused.length} of ${length}, first ${first.seen}` };
    },
  },
});

/** A fact about an update that also allows one request a second. */
export const removedPlanFacts = (trial: Trial): Facts => ({
  'a plan that is removed while a client uses it': {
    text: 'is gone after the update, and its client: 200 application/json',
    assumedIn: 'infra/api/plans.ts, and findSlot in functions/authorizer.ts',
    check: async (caller) => {
      const id = await trial.resource(`Plan${trialClients.hasty.plan}`, 'AWS::ApiGateway::UsagePlan');
      await trial.deploy({ plans: smallerPlans, throttle: { ratePerSecond: 1, burst: 1 } });
      const call = { path: `/usageplans/${id}`, signal: caller.signal };
      const isGone = (await callService('apigateway', call)) === undefined;
      // Polls, because the throttle refuses most requests, and the gateway keeps a policy with the removed slot for 30 s.
      const response = await trial.poll(() => sendAs(trial, caller, 'hasty'), isSuccess);
      const { holds, seen } = observe(response, SUCCESS);
      return {
        holds: isGone && holds,
        seen: `${isGone ? 'is gone' : 'still exists'} after the update, and its client: ${seen}`,
      };
    },
  },
});
