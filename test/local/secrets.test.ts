import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { editedAssembly, withoutAuthorizerCache } from '../support/assembly.ts';
import { basic } from '../support/http-client.ts';
import { forgetSecrets, type LocalRun, secretArn, secretsOf, startLocal } from '../support/local-run.ts';

/** Secrets Manager API reference, GetSecretValue and PutSecretValue. */

const statusWith = async (run: LocalRun, password: string) =>
  (await run.get('material-codes', basic('warehouse', password))).status;

const putValue = async (run: LocalRun, SecretString: string) => {
  await secretsOf(run).send(new PutSecretValueCommand({ SecretId: await secretArn(run), SecretString }));
  // The authorizer keeps a copy for some seconds.
  await forgetSecrets(run);
};

test('a secret has a value as the template generates it, and versions with stages and times', async () => {
  const run = await startLocal({ assemblyFolder: await editedAssembly(withoutAuthorizerCache) });
  const secrets = secretsOf(run);
  const SecretId = await secretArn(run);
  const password = run.outputs().Clients['warehouse'] ?? '';
  const first = await secrets.send(new GetSecretValueCommand({ SecretId }));
  expect(JSON.parse(first.SecretString ?? '')).toEqual({ username: 'warehouse', password });
  expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(first).toMatchObject({ ARN: SecretId, VersionStages: ['AWSCURRENT'] });
  expect(Math.abs(Date.now() - (first.CreatedDate?.getTime() ?? 0))).toBeLessThan(60_000);
  const previous = new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' });
  for (const missing of [previous, new GetSecretValueCommand({ SecretId: 'none' })]) {
    await expect(secrets.send(missing)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  }

  expect(await statusWith(run, password)).toBe(200);
  const SecretString = JSON.stringify({ password: 'новый:1' });
  const put = new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken: 'a'.repeat(32) });
  expect(await secrets.send(put)).toMatchObject({ VersionId: 'a'.repeat(32), VersionStages: ['AWSCURRENT'] });
  // A retry of the same call creates no second version.
  await secrets.send(put);
  const second = await secrets.send(new GetSecretValueCommand({ SecretId }));
  expect(second.SecretString).toBe(SecretString);
  expect(second.CreatedDate?.getTime()).toBeGreaterThan(first.CreatedDate?.getTime() ?? Number.NaN);
  expect(await secrets.send(previous)).toMatchObject({ SecretString: first.SecretString });
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  expect(Object.values(VersionIdsToStages)).toEqual([['AWSPREVIOUS'], ['AWSCURRENT']]);

  // After an admin's change, the new password works. The previous password works within the overlap.
  expect(run.outputs().Clients).toEqual({ warehouse: 'новый:1' });
  await forgetSecrets(run);
  const statuses = [];
  for (const tried of ['новый:1', password, 'another']) statuses.push(await statusWith(run, tried));
  expect(statuses).toEqual([200, 200, 401]);
  await run.stop();
});

test('a secret that is unreadable is a 503; the run starts with it, and another change repairs it', async () => {
  const run = await startLocal({ isOnDisk: true });
  await putValue(run, 'no JSON');
  expect(await statusWith(run, 'any')).toBe(503);
  expect(run.outputs().Clients).toEqual({ warehouse: '' });
  await run.stop();

  const again = await startLocal({ data: run.data, isOnDisk: true });
  await putValue(again, '{"password":"repaired"}');
  expect(again.outputs().Clients).toEqual({ warehouse: 'repaired' });
  expect(await statusWith(again, 'repaired')).toBe(200);
  await again.stop();
});
