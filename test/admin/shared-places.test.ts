import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { eventually } from '../support/local-run.ts';
import { descendantsOf, isRunning } from '../support/processes.ts';
import { projectFolder } from '../support/run-app.ts';
import { startAdmin } from './command.ts';
import { sendRaw } from './console/test-console.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment } from './tables.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

// Another user could have made the folder of a cache there first, with code in it that this user would run.
test.each(['admin/cli/main.ts', 'local/cli/start.js', 'doctor/start.js'])(
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

test('a download of a console that was killed ends, and the next command removes it', async () => {
  const { data } = await emptyDeployment();
  const place = temporaryFolder();
  vi.stubEnv('TMPDIR', place);
  const child = startAdmin(data, ['console', '--port', '0', '--no-open'], { TMPDIR: place });
  const exit = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await eventually(() => said.includes('Ctrl-C'));
  const { port, search } = new URL(/http:\S+/.exec(said)?.[0] ?? '');
  const opened = await sendRaw(Number(port), `/${search}`);
  const [Cookie = ''] = String(opened.headers['set-cookie']).split(';');
  const endless = 'WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n';
  const target = `/api/downloads/tables/query?format=csv&sql=${encodeURIComponent(endless)}`;
  const download = sendRaw(Number(port), target, { headers: { Cookie } }).catch(() => {});
  await eventually(() => readdirSync(place).length === 1);
  const processes = descendantsOf(child.pid ?? 0).map(({ pid }) => pid);
  expect(processes).not.toEqual([]);
  child.kill('SIGKILL');
  await Promise.all([exit, download]);
  expect(readdirSync(place)).toHaveLength(1);
  await adminHereOn(data, ['balances']);
  expect(readdirSync(place)).toEqual([]);
  await eventually(() => !isRunning(...processes));
});
