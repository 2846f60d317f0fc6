import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../support/local-run.ts';
import { startAdmin } from '../command.ts';
import { adminHereOn, refusal } from '../in-process.ts';
import { dataFolder } from '../tables.ts';
import { sendRaw } from './test-console.ts';

test('the command prints the address, and Ctrl-C stops it at once and closes every connection', async () => {
  const data = dataFolder({});
  const child = startAdmin(data, ['console', '--no-open', '--port', '0', '--read-only']);
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

  const taken = await adminHereOn(data, ['console', '--no-open', '--port', String(port)]);
  expect(taken).toEqual(refusal(`Port ${port} is in use. Choose another with --port.`));

  const idle = connect(port, '127.0.0.1');
  idle.on('error', () => {}).resume();
  const closed = once(idle, 'close');
  await once(idle, 'connect');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  await closed;
  expect(output.stdout).toBe('');
  expect(output.stderr).toMatch(/The console has stopped\.\n$/);
  expect(output.stderr).not.toContain(Cookie);
});
