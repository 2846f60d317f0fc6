import { randomBytes } from 'node:crypto';
import type { ProbeClient } from '../admin/doctor/probe/probe-client.ts';
import { operations } from '../shared/operations.ts';
import { type Fact, poll } from './fact.ts';
import { basicCredentials, describeAnswer } from './gateway-facts.ts';
import type { Stage } from './stage.ts';

type Subject = { stage: Stage; client: ProbeClient };

const ORDERS = operations['get-purchase-orders'];

/** A new wrong password each time, so that no cached policy answers. */
const wrongCredentials = ({ session }: ProbeClient) => {
  const password = randomBytes(12).toString('hex');
  return basicCredentials(session.username, password);
};

const signIn = (client: ProbeClient) => client.send(ORDERS);

/** A new API is not reachable everywhere immediately. */
export const waitUntilServed = ({ stage, client }: Subject) =>
  poll(
    () => signIn(client).catch(() => undefined),
    (answer) => answer?.status === 200,
    stage.patience,
  );

/** Does not repeat a 429. */
const sendWrongPassword = (client: ProbeClient) =>
  client.sendOnce({ ...ORDERS, authorization: wrongCredentials(client) });

/** Facts about the first deployment, which has default settings except for its client's limits. */
export const deploymentFacts: readonly Fact<Subject>[] = [
  {
    name: 'a throttled function',
    expected: '500 application/problem+json',
    model: 'local/gateway/gateway.ts',
    ask: ({ stage, client }) =>
      stage.whileThrottled('GetPurchaseOrders', async () =>
        describeAnswer(
          await poll(
            () => signIn(client),
            ({ status }) => status !== 200,
            stage.patience,
          ),
        ),
      ),
  },
  {
    name: 'a throttled authorizer',
    expected: '503 application/problem+json, Retry-After',
    model: 'local/gateway/authorization.ts',
    ask: ({ stage, client }) =>
      stage.whileThrottled('Authorizer', async () => {
        const answer = await poll(
          () => sendWrongPassword(client),
          ({ status }) => status !== 401,
          stage.patience,
        );
        return `${describeAnswer(answer)}${answer.headers['retry-after'] ? ', Retry-After' : ''}`;
      }),
  },
  {
    name: 'the metric WrongCredentials',
    expected: 'counts a wrong password',
    model: 'shared/metrics.ts (CloudWatch reads it from the log)',
    ask: async ({ stage, client }) => {
      await sendWrongPassword(client);
      const count = await stage.metric('WrongCredentials', {});
      return count > 0 ? 'counts a wrong password' : 'has no value';
    },
  },
  {
    name: 'the metric RefusedBatches',
    expected: 'counts 6.5 MB, not 11 MB',
    model: 'infra/api/access-log.ts, and docs/runbook.md',
    ask: async ({ stage }) => {
      const count = await stage.metric('RefusedBatches', { client: 'doctor' });
      return ['counts neither', 'counts 6.5 MB, not 11 MB'][count] ?? 'counts 6.5 MB and 11 MB';
    },
  },
];

const authorizationOfSecond = async (stage: Subject['stage']) => {
  const { username, password } = await stage.credentialsOf('second');
  return basicCredentials(username, password);
};

/** Facts after an update that adds a client with a small quota and allows one request a second. */
export const updateFacts: readonly Fact<Subject>[] = [
  {
    name: 'the password of the first client after an update',
    expected: '200 application/json',
    model: 'test/infra/data/pinned.test.ts',
    ask: async ({ client }) => describeAnswer(await signIn(client)),
  },
  {
    name: 'a client that an update added',
    expected: '200 application/json',
    model: 'infra/data/credentials.ts',
    ask: async ({ stage, client }) => {
      const authorization = await authorizationOfSecond(stage);
      const ask = () => client.send({ ...ORDERS, authorization });
      return describeAnswer(await poll(ask, ({ status }) => status === 200, stage.patience));
    },
  },
  {
    name: 'the quota of a client',
    expected: '429 application/problem+json, Retry-After: 60; another client: 200 application/json',
    model: 'local/gateway/usage-plans.ts',
    ask: async ({ stage, client }) => {
      const authorization = await authorizationOfSecond(stage);
      // A 429 of the stage's throttle has another Retry-After.
      const answer = await poll(
        () => client.sendOnce({ ...ORDERS, authorization }),
        ({ headers }) => headers['retry-after'] === '60',
        stage.patience,
      );
      const pause = answer.headers['retry-after'] ?? 'none';
      const other = describeAnswer(await signIn(client));
      return `${describeAnswer(answer)}, Retry-After: ${pause}; another client: ${other}`;
    },
  },
  {
    name: 'the throttle of the stage',
    expected: 'comes before the authorizer',
    model: 'local/gateway/gateway.ts',
    ask: async ({ stage, client }) => {
      const burst = () => Promise.all(Array.from({ length: 20 }, () => sendWrongPassword(client)));
      const isThrottled = (answers: { status: number }[]) => answers.some(({ status }) => status === 429);
      const answers = await poll(burst, isThrottled, stage.patience);
      return isThrottled(answers) ? 'comes before the authorizer' : 'never refuses wrong credentials';
    },
  },
];

/** Facts after an update that does not allow the address of this machine. */
export const addressFacts: readonly Fact<Subject>[] = [
  {
    name: 'an address outside allowedCidrs',
    expected: '401 application/problem+json',
    model: 'local/gateway/resource-policy.ts',
    ask: async ({ stage, client }) =>
      describeAnswer(
        await poll(
          () => signIn(client),
          ({ status }) => status !== 200,
          stage.patience,
        ),
      ),
  },
];
