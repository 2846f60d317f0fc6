import { operations } from '../../shared/operations.ts';
import type { Facts } from '../fact.ts';
import { sendWrongPassword } from '../facts/access.ts';
import { basicCredentials, type Client, type Response } from '../http/client.ts';
import { describe, describeChallenge } from '../http/describe.ts';
import { methodFacts } from './request-facts.ts';
import { type Stage, TRIAL_HEADERS } from './stage.ts';
import { fewerSlots, lockClient, PER_DAY, type StageClient } from './stage-clients.ts';

const ORDERS = operations['get-purchase-orders'];
const SUCCESS = '200 application/json';

const isSuccess = ({ status }: Response) => status === 200;
const isRefused = (response: Response) => !isSuccess(response);

/** The authorizer and the gateway each keep a client for 30 s. */
const LOCKED_WITHIN_S = 60;
const COUNTS_WRONG = 'counts a wrong password, and no locked client';

const sendAs = (stage: Stage, client: Client, name: StageClient) =>
  client.send({ ...ORDERS, authorization: basicCredentials(name, stage.passwords[name]) });

/** About the first deployment, which has default settings except for its plans. */
export const deploymentFacts = (stage: Stage): Facts => ({
  'a locked client': {
    text: `${SUCCESS}, then 401 with the challenge within ${LOCKED_WITHIN_S} s`,
    model: 'functions/credentials/client-copy.ts',
    see: async (client) => {
      const ask = () => sendAs(stage, client, 'locked');
      const before = describe(await ask());
      await lockClient(await stage.output('ClientsTableName'), 'locked');
      const response = await stage.poll(ask, isRefused, LOCKED_WITHIN_S);
      return `${before}, then ${describeChallenge(response)} within ${LOCKED_WITHIN_S} s`;
    },
  },
  // Before the facts that send wrong passwords.
  'the metric WrongCredentials': {
    text: COUNTS_WRONG,
    model: 'shared/metrics.ts (CloudWatch reads it from the log)',
    see: async (client) => {
      await sendWrongPassword(client);
      const count = await stage.metric('WrongCredentials');
      return ['has no value', COUNTS_WRONG][count] ?? `counts ${count} requests`;
    },
  },
  'the metric RefusedBatches': {
    text: 'counts 6.5 MB, not 11 MB',
    model: 'infra/api/access-log.ts, and docs/runbook.md',
    see: async ({ service }) => {
      const count = await stage.metric('RefusedBatches', { client: service.client });
      return ['counts neither', 'counts 6.5 MB, not 11 MB'][count] ?? 'counts 6.5 MB and 11 MB';
    },
  },
  ...methodFacts,
  'the quota of a slot': {
    text: `429 application/problem+json, Retry-After: 3600; another slot of the plan: ${SUCCESS}`,
    model: 'local/gateway/limits.ts',
    see: async (client) => {
      const send = () => sendAs(stage, client, 'limited');
      for (let sent = 1; sent <= PER_DAY; sent += 1) await send();
      const response = await stage.poll(send, ({ status }) => status === 429);
      const pause = response.headers['retry-after'] ?? 'none';
      const other = describe(await sendAs(stage, client, 'neighbour'));
      return `${describe(response)}, Retry-After: ${pause}; another slot of the plan: ${other}`;
    },
  },
  'the metric LimitedRequests': {
    text: 'names the client of a 429',
    model: 'infra/api/access-log.ts',
    see: async () => {
      const count = await stage.metric('LimitedRequests', { client: 'limited' });
      return count > 0 ? 'names the client of a 429' : 'has no value';
    },
  },
  'a throttled function': {
    text: '500 application/problem+json',
    model: 'local/gateway/gateway.ts',
    see: (client) =>
      stage.whileThrottled('GetPurchaseOrders', async () =>
        describe(await stage.poll(() => client.send(ORDERS), isRefused)),
      ),
  },
  'a throttled authorizer': {
    text: '503 application/problem+json, Retry-After',
    model: 'local/gateway/authorization.ts',
    see: (client) =>
      stage.whileThrottled('Authorizer', async () => {
        const ask = () => sendWrongPassword(client);
        const response = await stage.poll(ask, ({ status }) => status !== 401);
        return `${describe(response)}${response.headers['retry-after'] ? ', Retry-After' : ''}`;
      }),
  },
});

const SERVED = `serves ${PER_DAY + 1} requests, one more than the slot had`;

/** The first two deploy an update each. The second also allows one request a second. */
export const updateFacts = (stage: Stage): Facts => ({
  'the throttle of a slot': {
    text: '429 application/problem+json, Retry-After: 1, client in a header: none',
    model:
      'infra/api/gateway-responses.ts (if a header can have the client, Retry-After can be that of its plan)',
    see: async (client) => {
      await stage.deploy({}, ['--context', `${TRIAL_HEADERS}=true`]);
      const isNew = ({ status, headers }: Response) => status === 429 && 'x-trial' in headers;
      const response = await stage.poll(() => sendAs(stage, client, 'hasty'), isNew);
      const { 'retry-after': pause, 'x-client': named = '' } = response.headers;
      const answer = `${describe(response)}, Retry-After: ${pause ?? 'none'}`;
      return isNew(response)
        ? `${answer}, client in a header: ${named || 'none'}`
        : `${answer}, no new response`;
    },
  },
  'a slot that is removed while a client uses it': {
    text: SERVED,
    model: 'infra/api/plans.ts, and findSlot in functions/authorizer.ts',
    see: async (client) => {
      await stage.deploy({ plans: fewerSlots, throttle: { ratePerSecond: 1, burst: 1 } });
      // Polls, because of the throttle, and because the gateway keeps a policy with the removed slot for 30 s.
      for (let sent = 1; sent <= PER_DAY + 1; sent += 1) {
        const response = await stage.poll(() => sendAs(stage, client, 'neighbour'), isSuccess);
        if (!isSuccess(response)) return `request ${sent}: ${describe(response)}`;
      }
      return SERVED;
    },
    blocks: 'the fact before it failed, perhaps with the update that both need',
  },
  'the throttle of the stage': {
    text: 'comes before the authorizer',
    model: 'local/gateway/gateway.ts',
    see: async (client) => {
      const burst = () => Promise.all(Array.from({ length: 20 }, () => sendWrongPassword(client)));
      const isThrottled = (responses: Response[]) => responses.some(({ status }) => status === 429);
      const isEarly = isThrottled(await stage.poll(burst, isThrottled));
      return isEarly ? 'comes before the authorizer' : 'never refuses wrong credentials';
    },
  },
});

/** About an update that does not allow the address of this machine. */
export const addressFacts = (stage: Stage): Facts => ({
  'an address outside allowedCidrs': {
    text: '401 application/problem+json',
    model: 'infra/api/gateway-responses.ts',
    see: async (client) => describe(await stage.poll(() => client.send(ORDERS), isRefused)),
  },
});
