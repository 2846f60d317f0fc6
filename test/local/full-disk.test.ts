import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { disturb, eventually, secretArn, secretsOf, startLocal } from '../support/local-run.ts';

/** Each write to the file fails as on a full disk, until the link is removed. */
const fill = (file: string) => symlinkSync('/dev/full', file);

test('a run on a full disk continues, and logs again once there is space', async () => {
  const data = temporaryFolder();
  const log = join(data, 'functions.log');
  fill(log);
  const run = await startLocal({ data });
  await disturb(run, { dynamodb: [{ kind: 'error', times: 4 }] });
  expect((await run.get('material-codes')).status).toBe(503);
  expect((await run.get('material-codes')).status).toBe(200);
  const warning = `${log} cannot be written, so it loses lines (ENOSPC).`;
  await eventually(() => run.output.problems.includes(warning));
  rmSync(log);
  expect((await run.get('material-codes')).status).toBe(200);
  // The function may write its log line after its response.
  await eventually(() => existsSync(log) && run.functionsLog().includes('"status":200'));
  expect(run.functionsLog()).toMatch(/^\n/);
  await run.stop();
});

test('a full disk refuses a new password', async () => {
  const run = await startLocal({ isOnDisk: true });
  const client = secretsOf(run);
  const SecretId = await secretArn(run);
  const put = (password: string) =>
    client.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify({ password }) }));
  const before = run.outputs().Clients['warehouse'];
  const file = join(run.data, 'secrets.json.new');
  fill(file);
  await expect(put('refused')).rejects.toThrow('secrets.json cannot be written (ENOSPC)');
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
  expect(JSON.parse(SecretString).password).toBe(before);
  rmSync(file);
  await put('kept');
  expect(run.outputs().Clients).toEqual({ warehouse: 'kept' });
  client.destroy();
  await run.stop();
});
