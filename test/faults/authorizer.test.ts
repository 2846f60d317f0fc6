import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { beforeAll, describe, expect, test } from 'vitest';
import { editedAssembly, withoutAuthorizerCache } from '../support/assembly.ts';
import {
  disturb,
  disturbedCalls,
  eventually,
  functionProcesses,
  type LocalRun,
  secretArn,
  secretsOf,
  startLocal,
} from '../support/local-run.ts';
import { isRunning } from '../support/processes.ts';
import { disturbanceOf, expectOk, expectUnavailable, faultsWith, get, IN_TURN } from './faulty-run.ts';

const action = 'secretsmanager:GetSecretValue';
/** The authorizer waits for 1.3 seconds. */
const faults = faultsWith(2_300);

const start = async () => {
  const assemblyFolder = await editedAssembly(withoutAuthorizerCache);
  const run = await startLocal({ assemblyFolder });
  const authorization = run.authorization();
  const SecretString = '{"password":"changed"}';
  await secretsOf(run).send(new PutSecretValueCommand({ SecretId: await secretArn(run), SecretString }));
  // The replaced password, so that the authorizer reads both versions.
  const getOrders = () => get(run, 'purchase-orders', authorization);
  return { run, getOrders };
};

/** A new process has no copy of the secrets, like one whose copies are older than 30 s. */
const forgetSecrets = async (run: LocalRun) => {
  const authorizers = functionProcesses(run, 'Authorizer');
  for (const pid of authorizers) process.kill(pid, 'SIGKILL');
  await eventually(() => !isRunning(...authorizers));
};

describe.concurrent.each([
  ['AWSCURRENT', 0],
  ['AWSPREVIOUS', 1],
])('the read of %s', (_, after) => {
  let run: LocalRun;
  let getOrders: () => ReturnType<typeof get>;
  beforeAll(async () => {
    ({ run, getOrders } = await start());
  });

  test.each(faults)(
    'causes a 503 if every attempt is %s, and is retried if only the first is',
    IN_TURN,
    async (_, fault) => {
      await forgetSecrets(run);
      await disturb(run, { secretsmanager: [disturbanceOf(fault, action, after)] });
      expectUnavailable(await getOrders());

      await forgetSecrets(run);
      await disturb(run, { secretsmanager: [{ ...disturbanceOf(fault, action, after), times: 1 }] });
      expectOk(await getOrders());
      expect(await disturbedCalls(run)).toEqual([1]);
    },
  );
});

test.concurrent('a request with slow secrets and a slow table gets a 503 in time, after two reads and a scan', async () => {
  const { run, getOrders } = await start();
  // Two reads are enough for a client, and none are needed while the cached copies are fresh.
  await forgetSecrets(run);
  await disturb(run, { secretsmanager: [{ action, kind: 'error', after: 2 }] });
  for (const _ of [1, 2]) expectOk(await getOrders());
  expect(await disturbedCalls(run)).toEqual([0]);

  await forgetSecrets(run);
  const late = { action, kind: 'delay', delayMs: 1_500, times: 2 } as const;
  const inTime = { action, kind: 'delay', delayMs: 700, times: 1 } as const;
  await disturb(run, {
    // Each of the two passwords is read at the third attempt.
    secretsmanager: [late, inTime, late, inTime],
    dynamodb: [{ kind: 'delay', delayMs: 60_000 }],
  });
  expectUnavailable(await getOrders());
  const [calls, ...reads] = await disturbedCalls(run);
  expect(calls).toBeGreaterThan(0);
  expect(reads).toEqual([2, 1, 2, 1]);
});
