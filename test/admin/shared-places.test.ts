import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { projectFolder } from '../support/run-app.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment } from './tables.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

// Another user could have made the folder of a cache there first, with code in it that this user would run.
test.each(['admin/cli/main.ts', 'local/cli/main.ts', 'doctor/main.ts'])(
  '%s keeps no code in the folder for temporary files',
  (program) => {
    const folder = temporaryFolder();
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder };
    execFileSync(process.execPath, [join(projectFolder, program), '--help'], { env });
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a folder of stock files that other users can change is refused, with what to do', async () => {
  const { data } = await emptyDeployment();
  const folder = temporaryFolder();
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
  chmodSync(folder, 0o777);
  const stderr = `The folder of the stock files cannot be used: ${folder} can be changed by other users. With --no-cache, the command needs no file there.\n`;
  expect(await adminHereOn(data, ['balances'])).toEqual({ code: 1, stdout: '', stderr });
  expect(readdirSync(folder)).toEqual([]);
  expect(await adminHereOn(data, ['balances', '--no-cache'])).toMatchObject({ code: 0 });
});
