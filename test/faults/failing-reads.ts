import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { beforeAll, describe, expect, test } from 'vitest';
import { editedAssembly, withoutAuthorizerCache } from '../support/assembly.ts';
import type { Answer } from '../support/http-client.ts';
import {
  disturb,
  disturbedCalls,
  forgetSecrets,
  type LocalRun,
  secretArn,
  secretsOf,
  startLocal,
} from '../support/local-run.ts';
import { disturbanceOf, expectOk, expectUnavailable, type FaultKind, faults } from './faulty-run.ts';

export const GET_SECRET = 'secretsmanager:GetSecretValue';

/** A run with a changed password, and requests with the replaced one, so that the authorizer reads both versions. */
export const startWithChangedPassword = async () => {
  const run = await startLocal({ assemblyFolder: await editedAssembly(withoutAuthorizerCache) });
  const authorization = run.authorization();
  const SecretString = '{"password":"changed"}';
  await secretsOf(run).send(new PutSecretValueCommand({ SecretId: await secretArn(run), SecretString }));
  return { run, getOrders: () => run.get('purchase-orders', authorization) };
};

export const testFailingReads = (kinds: readonly FaultKind[]) => {
  let run: LocalRun;
  let getOrders: () => Promise<Answer>;
  beforeAll(async () => {
    ({ run, getOrders } = await startWithChangedPassword());
  });

  describe.each([
    ['AWSCURRENT', 0],
    ['AWSPREVIOUS', 1],
  ])('the read of %s', (_, after) => {
    test.each(kinds)(
      'causes a 503 if every attempt is %s, and is retried if only the first is',
      async (kind) => {
        const disturbance = disturbanceOf(faults[kind], GET_SECRET, after);
        await forgetSecrets(run);
        await disturb(run, { secretsmanager: [disturbance] });
        expectUnavailable(await getOrders());

        await forgetSecrets(run);
        await disturb(run, { secretsmanager: [{ ...disturbance, times: 1 }] });
        expectOk(await getOrders());
        expect(await disturbedCalls(run)).toEqual([1]);
      },
    );
  });
};
