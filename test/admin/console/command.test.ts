import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/assembly.ts';
import { eventually } from '../../support/local-run.ts';
import { descendantsOf, isRunning } from '../../support/processes.ts';
import { startAdmin } from '../command.ts';
import { adminHereOn, refusal } from '../in-process.ts';
import { dataFolder } from '../tables.ts';
import { sendRaw } from './test-console.ts';

/** Replaces the programs that open a browser. They only write down their arguments. */
const recordBrowser = () => {
  const home = temporaryFolder();
  for (const name of ['browser', 'run-mailcap', 'open']) {
    writeFileSync(join(home, name), '#!/bin/sh\necho "$@" > "$HOME/seen"\n', { mode: 0o755 });
  }
  const seen = () => (existsSync(join(home, 'seen')) ? readFileSync(join(home, 'seen'), 'utf8') : '');
  return {
    environment: {
      HOME: home,
      BROWSER: join(home, 'browser'),
      PATH: `${home}:${process.env['PATH']}`,
      XDG_CURRENT_DESKTOP: '',
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    },
    /** What `ps` shows other users of the machine: the path of a file in the home folder, without a key. */
    openedFile: async () => {
      await eventually(() => seen().endsWith('\n'));
      const [, file = ''] = /(?:^| )(\/[^ ]+\/warehouse-console-\w{6}\/open\.html)\n$/.exec(seen()) ?? [];
      expect(dirname(dirname(file))).toBe(home);
      return file;
    },
  };
};

const start = (data: string, options: readonly string[], environment: Record<string, string>) => {
  const child = startAdmin(data, ['console', '--port', '0', ...options], environment);
  const exit = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return { child, exit, output };
};

test('the command opens a file that leads on once, and Ctrl-C closes every connection, ends its processes, and with --no-cache leaves nothing', async () => {
  const data = dataFolder({});
  const browser = recordBrowser();
  const [cache, temporary] = [temporaryFolder(), temporaryFolder()];
  const environment = { ...browser.environment, WAREHOUSE_ADMIN_CACHE: cache, TMPDIR: temporary };
  const { child, exit, output } = start(data, ['--read-only', '--no-cache'], environment);
  await eventually(() => output.stderr.includes('Ctrl-C'));
  expect(output.stderr).toMatch(/^The console of the local run in .* \(read-only\) is at\n {2}http:.*\n/);
  const { origin, port: printed, search } = new URL(/http:\S+/.exec(output.stderr)?.[0] ?? '');
  const port = Number(printed);
  const taken = await adminHereOn(data, ['console', '--no-open', '--port', printed]);
  expect(taken).toEqual(refusal(`Port ${port} is in use. Choose another port with --port.`));

  const file = await browser.openedFile();
  expect([file, dirname(file)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  const page = readFileSync(file, 'utf8');
  expect(page).not.toContain(search);
  const [, address = ''] = /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(page) ?? [];
  const asBrowser = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  const open = (headers = {}) => sendRaw(port, address.replace(origin, ''), { headers });
  const opened = await open({ ...asBrowser, 'Sec-Fetch-Dest': 'document' });
  expect(opened.status).toBe(302);
  await eventually(() => !existsSync(dirname(file)));
  expect((await open()).status).toBe(403);

  const [Cookie = ''] = String(opened.headers['set-cookie']).split(';');
  expect((await sendRaw(port, '/', { headers: { Cookie } })).text).toContain('data-read-only="true"');
  const writing = { Cookie, Origin: origin, 'Content-Type': 'application/json', 'Content-Length': '0' };
  const refused = await sendRaw(port, '/api/clients', { method: 'POST', headers: writing });
  const message = 'The console was started with --read-only, so it cannot change anything.';
  expect([refused.status, JSON.parse(refused.text)]).toEqual([403, { message }]);
  // It may read more of the service.
  const { 'Content-Length': _, ...reading } = writing;
  const more = await sendRaw(port, '/api/older', { method: 'POST', headers: reading, body: '{"since":0}' });
  expect(more.status).toBe(200);

  const kept = readdirSync(temporary).length;
  const endless = 'WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n';
  const path = `/api/downloads/tables/query?format=csv&sql=${encodeURIComponent(endless)}`;
  const download = expect(sendRaw(port, path, { headers: { Cookie } })).rejects.toThrow();
  await eventually(() => readdirSync(temporary).length > kept);
  const processes = descendantsOf(child.pid ?? 0).map(({ pid }) => pid);

  const idle = connect(port, '127.0.0.1');
  idle.on('error', () => {}).resume();
  const closed = once(idle, 'close');
  await once(idle, 'connect');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  await Promise.all([closed, download]);
  expect(output.stdout).toBe('');
  expect(output.stderr).toMatch(/The console has stopped\.\n$/);
  expect(output.stderr).not.toContain(Cookie);
  await eventually(() => !isRunning(...processes));
  expect([...readdirSync(cache), ...readdirSync(temporary)]).toEqual([]);
});

test('the end of its terminal stops the command, and leaves no file in the home folder', async () => {
  const browser = recordBrowser();
  const { child, exit } = start(dataFolder({}), [], browser.environment);
  const file = await browser.openedFile();
  // What it says has nowhere to go.
  child.stderr.destroy();
  child.kill('SIGHUP');
  expect(await exit).toEqual([0, null]);
  expect(existsSync(dirname(file))).toBe(false);
});

test('a browser that cannot be opened is reported, and the console goes on', async () => {
  const { child, exit, output } = start(dataFolder({}), [], { HOME: '/dev/null' });
  await eventually(() => output.stderr.endsWith('No browser could be opened. Open the link yourself.\n'));
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(output.stderr).toMatch(/The console has stopped\.\n$/);
});
