import { operations } from '../../shared/operations.ts';
import type { Facts } from '../fact.ts';
import { sendWrongPassword } from '../facts/access.ts';
import { basicCredentials, type Client, type Response } from '../http/client.ts';
import { describe } from '../http/describe.ts';
import { SECOND, type Stage } from './stage.ts';

const ORDERS = operations['get-purchase-orders'];
const SUCCESS = '200 application/json';

const isSuccess = ({ status }: Response) => status === 200;
const isRefused = (response: Response) => !isSuccess(response);

/** About the first deployment, which has default settings except for its client's limits. */
export const deploymentFacts = (stage: Stage): Facts => ({
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
  'the metric WrongCredentials': {
    text: 'counts a wrong password',
    model: 'shared/metrics.ts (CloudWatch reads it from the log)',
    see: async (client) => {
      await sendWrongPassword(client);
      return (await stage.metric('WrongCredentials')) > 0 ? 'counts a wrong password' : 'has no value';
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
});

/** Polls, because the stage now allows one request a second. */
const signIn = async (stage: Stage, client: Client) =>
  describe(await stage.poll(() => client.send(ORDERS), isSuccess));

const sendAsSecond = async (stage: Stage, client: Client) => {
  const { username, password } = await stage.serviceOf(SECOND.name);
  return () => client.send({ ...ORDERS, authorization: basicCredentials(username, password) });
};

/** About an update that adds a client with a small quota and allows one request a second. */
export const updateFacts = (stage: Stage): Facts => ({
  'the quota of a client': {
    text: `429 application/problem+json, Retry-After: 60; another client: ${SUCCESS}`,
    model: 'local/gateway/limits.ts',
    see: async (client) => {
      // A 429 of the stage's throttle has another Retry-After.
      const isQuota = ({ headers }: Response) => headers['retry-after'] === '60';
      const response = await stage.poll(await sendAsSecond(stage, client), isQuota);
      const pause = response.headers['retry-after'] ?? 'none';
      return `${describe(response)}, Retry-After: ${pause}; another client: ${await signIn(stage, client)}`;
    },
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
