import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/http-client.ts';
import { editedAssembly } from '../support/local-assembly.ts';
import { secretsOf } from '../support/local-clients.ts';
import { eventually, functionProcesses, isRunning, type LocalRun, startLocal } from '../support/local-run.ts';
import { type Disturbance, disturb, expectFailed, expectOk, get, struck } from './faulty-run.ts';
import { IN_TURN } from './operations.ts';

const action = 'secretsmanager:GetSecretValue';
const faults: Record<string, Disturbance> = {
  throttled: { action, kind: 'throttle' },
  'answered with a 5xx': { action, kind: 'error' },
  cut: { action, kind: 'cut' },
  lost: { action, kind: 'lose' },
  // Past the two seconds for which the authorizer waits.
  'answered too late': { action, kind: 'delay', delayMs: 2_300 },
};

const start = async () => {
  const assemblyFolder = await editedAssembly((assembly) => {
    assembly.resource('AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 0;
  });
  const run = await startLocal({ assemblyFolder, args: ['--quiet', '--no-throttle'] });
  const { granted } = (await send(`${run.outputs().ControlEndpoint}/permissions`)).json();
  const { resource } = granted.find((each: { action: string }) => each.action === action);
  // From here on there is a previous version to be read, too.
  const SecretString = '{"password":"changed"}';
  await secretsOf(run).send(new PutSecretValueCommand({ SecretId: resource, SecretString }));
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

  test.each(Object.entries(faults))('that is %s once is made again', IN_TURN, async (_, fault) => {
    await forgetSecrets(run);
    await disturb(run, { secretsmanager: [{ ...fault, after, times: 1 }] });
    expectOk(await get(run, 'purchase-orders'));
    expect(await struck(run)).toEqual([1]);
  });

  test.each(Object.entries(faults))(
    'that is %s for long is a 500, and the client is let in once it is over',
    IN_TURN,
    async (_, fault) => {
      await forgetSecrets(run);
      await disturb(run, { secretsmanager: [{ ...fault, after }] });
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
    expect(await struck(run)).toEqual([0]);
  });

  test('is not made while the copy is young', IN_TURN, async () => {
    await disturb(run, { secretsmanager: [{ action, kind: 'error' }] });
    expectOk(await get(run, 'purchase-orders'));
  });
});
