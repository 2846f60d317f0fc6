import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminHereOn } from '../../admin/in-process.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { eventually, injectFaults, postControl, startLocal } from '../../support/local-run.ts';

/** Each write to the file fails as on a full disk, until the link is removed. */
const fill = (file: string) => symlinkSync('/dev/full', file);

test('a run on a full disk continues, and logs again once there is space', async () => {
  const data = temporaryFolder();
  const log = join(data, 'functions.log');
  fill(log);
  const run = await startLocal({ data });
  await injectFaults(run, { dynamodb: [{ kind: 'error', times: 4 }] });
  expect((await run.get('material-codes')).status).toBe(503);
  expect((await run.get('material-codes')).status).toBe(200);
  const warning = `${log} cannot be written, so lines of the log are lost (ENOSPC).`;
  await eventually(() => run.output.notices.includes(warning));
  rmSync(log);
  for (const _ of [1, 2]) expect((await run.get('material-codes')).status).toBe(200);
  // The function may write its log line after its response.
  await eventually(() => existsSync(log) && run.functionsLog().split('"status":200').length > 2);
  expect(run.functionsLog()).toMatch(/^\n(.+\n)+$/);
  await run.stop();
});

test('a new password that cannot be written is an error that says so, and is kept once it can be', async () => {
  const run = await startLocal({ isOnDisk: true });
  const rotate = () => adminHereOn(run.data, ['clients', 'rotate', 'warehouse', '--yes', '--json']);
  const before = run.outputs().Clients;
  const file = join(run.data, 'passwords.json');
  const files = readdirSync(run.data);
  rmSync(file);
  mkdirSync(file);
  expect((await rotate()).stderr).toContain(
    'outputs.json was not updated: The local run responded with status 500.',
  );
  const response = await postControl(run, '/passwords', { client: 'warehouse' });
  const message = expect.stringContaining('passwords.json cannot be written (EISDIR)');
  expect([response.status, response.json()]).toEqual([500, { message }]);
  expect(run.outputs().Clients).toEqual(before);
  expect(readdirSync(run.data)).toEqual(files);
  rmdirSync(file);
  const kept = JSON.parse((await rotate()).stdout)[0].Password;
  expect(run.outputs().Clients).toEqual({ warehouse: kept });
  await run.stop();
});
