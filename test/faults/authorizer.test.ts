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
import { disturbanceOf, faultsWith, IN_TURN } from './faults.ts';
import { expectFailed, expectOk, expectUnavailable, get } from './faulty-run.ts';

const action = 'secretsmanager:GetSecretValue';
/** The authorizer waits for 1.3 seconds. */
const faults = Object.entries(faultsWith(2_300));

const start = async () => {
  const assemblyFolder = await editedAssembly(withoutAuthorizerCache);
  const run = await startLocal({ assemblyFolder, args: ['--quiet', '--no-throttle', '--memory'] });
  // From here on there is a previous version to be read, too.
  const SecretString = '{"password":"changed"}';
  await secretsOf(run).send(new PutSecretValueCommand({ SecretId: await secretArn(run), SecretString }));
  return run;
};

/** Without its copy of the secret, as after 30 s. */
const forgetSecrets = async (run: LocalRun) => {
  const authorizers = functionProcesses(run, 'Authorizer');
  for (const pid of authorizers) process.kill(pid, 'SIGKILL');
  await eventually(() => !authorizers.some(isRunning));
};

describe.concurrent.each([
  ['AWSCURRENT', 0],
  ['AWSPREVIOUS', 1],
])('the read of %s', (_, after) => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await start();
  });

  test.each(faults)('that is %s once is made again', IN_TURN, async (_, fault) => {
    await forgetSecrets(run);
    await disturb(run, { secretsmanager: [{ ...disturbanceOf(fault, action, after), times: 1 }] });
    expectOk(await get(run, 'purchase-orders'));
    expect(await disturbedCalls(run)).toEqual([1]);
  });

  test.each(faults)(
    'that is %s for long is a 500, and the client is let in once it is over',
    IN_TURN,
    async (_, fault) => {
      await forgetSecrets(run);
      await disturb(run, { secretsmanager: [disturbanceOf(fault, action, after)] });
      expectFailed(await get(run, 'purchase-orders'));
      await disturb(run, {});
      // The failure is remembered for a second.
      await eventually(async () => (await get(run, 'purchase-orders')).status === 200);
    },
  );

  test('is one of two', IN_TURN, async () => {
    await forgetSecrets(run);
    await disturb(run, { secretsmanager: [{ action, kind: 'error', after: 2 }] });
    expectOk(await get(run, 'purchase-orders'));
    expect(await disturbedCalls(run)).toEqual([0]);
  });

  test('is not made while the copy is young', IN_TURN, async () => {
    await disturb(run, { secretsmanager: [{ action, kind: 'error' }] });
    expectOk(await get(run, 'purchase-orders'));
  });
});

describe.concurrent('secrets and a table that are slow at the same time', () => {
  test('come to a 503 in time all the same', async () => {
    const run = await start();
    // So that its start does not count, of which a platform has its own.
    expectOk(await get(run, 'purchase-orders'));
    await forgetSecrets(run);
    const late = { action, kind: 'delay', delayMs: 1_500, times: 2 } as const;
    const inTime = { action, kind: 'delay', delayMs: 700, times: 1 } as const;
    await disturb(run, {
      // At the third attempt, for the one password and for the other.
      secretsmanager: [late, inTime, late, inTime],
      dynamodb: [{ kind: 'delay', delayMs: 60_000 }],
    });
    expectUnavailable(await get(run, 'purchase-orders'));
    const [calls, ...reads] = await disturbedCalls(run);
    expect(calls).toBeGreaterThan(0);
    expect(reads).toEqual([2, 1, 2, 1]);
  });
});
