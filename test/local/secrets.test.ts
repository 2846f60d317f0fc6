import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { editedAssembly, withoutAuthorizerCache } from '../support/assembly.ts';
import { basic } from '../support/http-client.ts';
import { eventually, type LocalRun, secretArn, secretsOf, startLocal } from '../support/local-run.ts';

/** Secrets Manager API reference, GetSecretValue and PutSecretValue. */

const start = async (overlapHours: string) =>
  startLocal({
    assemblyFolder: await editedAssembly((assembly) => {
      withoutAuthorizerCache(assembly);
      const { Environment } = assembly.resource('AWS::Lambda::Function', 'Authorizer').Properties;
      Object.assign(Object(Environment).Variables, { CREDENTIAL_OVERLAP_HOURS: overlapHours });
    }),
    args: ['--quiet', '--no-throttle'],
  });

const statusWith = async (run: LocalRun, password: string) =>
  (await run.get('material-codes', basic('warehouse', password))).status;

/** The authorizer reads a secret again on a mismatch, but not within seconds of the last time. */
const untilLetIn = (run: LocalRun, password: string) =>
  eventually(async () => (await statusWith(run, password)) === 200);

const password = (run: LocalRun) => run.outputs().Clients['warehouse'] ?? '';

describe.concurrent('a secret', () => {
  test('has a value of the form that the template generates, versions with stages, and the time of each', async () => {
    const run = await start('24');
    const secrets = secretsOf(run);
    const SecretId = await secretArn(run);
    const first = await secrets.send(new GetSecretValueCommand({ SecretId }));
    expect(JSON.parse(first.SecretString ?? '')).toEqual({ username: 'warehouse', password: password(run) });
    expect(password(run)).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(first).toMatchObject({ ARN: SecretId, VersionStages: ['AWSCURRENT'] });
    expect(Math.abs(Date.now() - (first.CreatedDate?.getTime() ?? 0))).toBeLessThan(60_000);

    const previous = new GetSecretValueCommand({ SecretId, VersionStage: 'AWSPREVIOUS' });
    await expect(secrets.send(previous)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(secrets.send(new GetSecretValueCommand({ SecretId: 'none' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });

    const value = { SecretId, SecretString: '{"password":"second"}', ClientRequestToken: 'a'.repeat(32) };
    const put = await secrets.send(new PutSecretValueCommand(value));
    expect(put).toMatchObject({ VersionId: 'a'.repeat(32), VersionStages: ['AWSCURRENT'] });
    // Sent again, since an answer was lost, it is the same version.
    await secrets.send(new PutSecretValueCommand(value));
    const second = await secrets.send(new GetSecretValueCommand({ SecretId }));
    expect(second.SecretString).toBe('{"password":"second"}');
    expect(second.CreatedDate?.getTime()).toBeGreaterThan(first.CreatedDate?.getTime() ?? Number.NaN);
    expect(await secrets.send(previous)).toMatchObject({
      VersionId: first.VersionId,
      SecretString: first.SecretString,
    });
    const byId = new GetSecretValueCommand({ SecretId: put.Name ?? '', VersionId: first.VersionId });
    expect((await secrets.send(byId)).SecretString).toBe(first.SecretString);

    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: '{"password":"third"}' }));
    const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
    expect(Object.values(VersionIdsToStages)).toEqual([['AWSPREVIOUS'], ['AWSCURRENT']]);
    await run.stop();
  });

  test('that an admin changes lets the new password in once the copies are old, and the one before within the overlap', async () => {
    const run = await start('24');
    const old = password(run);
    expect(await statusWith(run, old)).toBe(200);
    const SecretString = JSON.stringify({ password: 'новый:1' });
    await secretsOf(run).send(new PutSecretValueCommand({ SecretId: await secretArn(run), SecretString }));
    expect(run.outputs().Clients).toEqual({ warehouse: 'новый:1' });
    await untilLetIn(run, 'новый:1');
    expect(await statusWith(run, old)).toBe(200);
    expect(await statusWith(run, 'another')).toBe(401);
    await run.stop();
  });

  test('that an admin changes ends the password before it where there is no overlap', async () => {
    const run = await start('0');
    const old = password(run);
    expect(await statusWith(run, old)).toBe(200);
    const SecretString = JSON.stringify({ password: 'new' });
    await secretsOf(run).send(new PutSecretValueCommand({ SecretId: await secretArn(run), SecretString }));
    await untilLetIn(run, 'new');
    expect(await statusWith(run, old)).toBe(401);
    await run.stop();
  });

  test('that an admin makes unreadable is a 500, and the run starts with it and is mended like a deployment', async () => {
    const run = await start('24');
    const put = async (to: LocalRun, SecretString: string) =>
      secretsOf(to).send(new PutSecretValueCommand({ SecretId: await secretArn(to), SecretString }));
    await put(run, 'no JSON');
    expect(await statusWith(run, 'any')).toBe(500);
    expect(run.outputs().Clients).toEqual({ warehouse: '' });
    await run.stop();

    const again = await startLocal({ data: run.data, args: ['--quiet'] });
    await put(again, '{"password":"mended"}');
    expect(again.outputs().Clients).toEqual({ warehouse: 'mended' });
    await untilLetIn(again, 'mended');
    await again.stop();
  });
});
