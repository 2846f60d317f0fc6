import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBrowser } from '../../../admin/console/open-browser.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { eventually } from '../../support/local-run.ts';
import { admin, startAdmin } from '../command.ts';
import { refusal } from '../in-process.ts';
import { dataFolder } from '../tables.ts';
import { sendRaw, startTestConsole, testSession } from './test-console.ts';

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

test('the command prints the link, and Ctrl-C stops it at once and closes every connection', async () => {
  const data = dataFolder({});
  const browser = recordBrowser();
  const child = startAdmin(data, ['console', '--port', '0', '--read-only'], browser.environment);
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
  await eventually(() => output.stderr.includes('Ctrl-C'));
  const { port: printed, search } = new URL(/http:\S+/.exec(output.stderr)?.[0] ?? '');
  const port = Number(printed);
  expect(output.stderr).toMatch(/^The console of the local run in .* \(read-only\) is at\n {2}http:.*\n/);
  const opened = await sendRaw(port, `/${search}`);
  const [Cookie = ''] = String(opened.headers['set-cookie']).split(';');
  expect((await sendRaw(port, '/', { headers: { Cookie } })).text).toContain('data-read-only="true"');

  const taken = await admin(data, ['console', '--no-open', '--port', String(port)]);
  expect(taken).toEqual(refusal(`Port ${port} is in use. Choose another port with --port.`));

  const file = await browser.openedFile();
  expect(readFileSync(file, 'utf8')).not.toContain(search);
  const idle = connect(port, '127.0.0.1');
  idle.on('error', () => {}).resume();
  const closed = once(idle, 'close');
  await once(idle, 'connect');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  expect(existsSync(dirname(file))).toBe(false);
  await closed;
  expect(output.stdout).toBe('');
  expect(output.stderr).toMatch(/The console has stopped\.\n$/);
  expect(output.stderr).not.toContain(Cookie);
});

test('without --port, two consoles at once have a port each', async () => {
  const session = await testSession(dataFolder({}));
  const start = async () => {
    const console = await startTestConsole(session, { port: undefined });
    onTestFinished(() => console.stop());
    return console;
  };
  const [first, second] = [await start(), await start()];
  expect([first, second].map(({ opened }) => opened.status)).toEqual([302, 302]);
  expect(first.port).not.toBe(second.port);
});

test('the end of its terminal stops the command, and leaves no file in the home folder', async () => {
  const browser = recordBrowser();
  const child = startAdmin(dataFolder({}), ['console', '--port', '0'], browser.environment);
  const exit = once(child, 'close');
  const file = await browser.openedFile();
  // What it says has nowhere to go.
  child.stderr.destroy();
  child.kill('SIGHUP');
  expect(await exit).toEqual([0, null]);
  expect(existsSync(dirname(file))).toBe(false);
});

test('the file that the browser opens is for its owner only, leads on once, and is then removed', async () => {
  const { environment, openedFile } = recordBrowser();
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port, browserLink, stop } = await startTestConsole(await testSession(dataFolder({})));
  onTestFinished(stop);
  const opening = openBrowser(browserLink, new Promise(() => {}));
  const file = await openedFile();
  expect([file, dirname(file)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  const page = readFileSync(file, 'utf8');
  const [, address = ''] = /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(page) ?? [];
  const open = async (headers = {}) =>
    (await sendRaw(port, address.replace(`http://127.0.0.1:${port}`, ''), { headers })).status;
  const asBrowser = {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Dest': 'document',
  };
  expect(await open(asBrowser)).toBe(302);
  await opening;
  expect(existsSync(dirname(file))).toBe(false);
  expect(await open()).toBe(403);
});

test('a browser that cannot be opened is reported, and the console goes on', async () => {
  const child = startAdmin(dataFolder({}), ['console', '--port', '0'], { HOME: '/dev/null' });
  const exit = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await eventually(() => said.endsWith('No browser could be opened. Open the link yourself.\n'));
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  expect(said).toMatch(/The console has stopped\.\n$/);
});
