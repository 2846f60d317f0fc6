import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/http-client.ts';
import { eventually, type LocalRun, secretsOf, startLocal } from '../support/local-run.ts';
import { tracesOf } from '../support/traces.ts';
import { admin, adminLine } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { atTerminal } from './pseudo-terminal.ts';

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal({ args: ['--quiet', '--no-throttle', '--memory'] });
});
afterAll(() => run.stop());

const clients = (...args: string[]) => adminHereOn(run.data, ['clients', ...args]);
const statusWith = async (password: string) =>
  (await run.get('purchase-orders', basic('warehouse', password))).status;
const passwordInForce = () => run.outputs().Clients['warehouse'] ?? '';

/** These tests run in order, because a password has a history. */
describe('clients', () => {
  test('list and show print the user name and the age of the password, but not the password', async () => {
    for (const args of [['list'], ['show', 'warehouse'], ['show', 'warehouse', '--csv']]) {
      const { code, stdout, stderr } = await clients(...args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/warehouse/);
      expect(tracesOf(passwordInForce(), stdout + stderr)).toEqual([]);
    }
    const { stdout } = await clients('show', 'warehouse', '--json');
    expect(JSON.parse(stdout)).toEqual({
      Client: 'warehouse',
      UserName: 'warehouse',
      PasswordChangedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      PasswordAge: expect.stringMatching(/^\d+ s$/),
      Secret: run.outputs().Stack.Outputs['SecretNamewarehouse'],
    });
  });

  test('show --reveal prints the password', async () => {
    const { stdout } = await clients('show', 'warehouse', '--reveal', '--json');
    expect(JSON.parse(stdout).Password).toBe(passwordInForce());
  });

  test('rotate gives a new password that works, and the previous one stays valid', async () => {
    const before = passwordInForce();
    const { code, stdout, stderr } = await clients('rotate', 'warehouse', '--json');
    expect(code).toBe(0);
    const after = passwordInForce();
    expect(after).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(after).not.toBe(before);
    expect(tracesOf(after, stdout + stderr)).toEqual([]);
    const { PasswordChangedAt, PreviousGoodUntil } = JSON.parse(stdout);
    expect(Date.parse(PreviousGoodUntil) - Date.parse(PasswordChangedAt)).toBe(24 * 3_600_000);
    expect(stderr).toContain(`The one before it stays good until ${PreviousGoodUntil}`);
    expect(await statusWith(after)).toBe(200);
    expect(await statusWith(before)).toBe(200);
  });

  test('rotate asks before it ends a valid password, and requires --yes without a terminal', async () => {
    const before = passwordInForce();
    const refused = await clients('rotate', 'warehouse');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('a change ends it at once');
    expect(refused.stderr).toContain('add --yes. Nothing was changed.');
    expect(passwordInForce()).toBe(before);

    const { code, stdout } = await clients('rotate', 'warehouse', '--yes', '--reveal', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).Password).toBe(passwordInForce());
    expect(passwordInForce()).not.toBe(before);
  });

  test('set-password accepts any UTF-8 from standard input, without the line end', async () => {
    const chosen = ' пароль: с двоеточием ';
    const { code, stdout, stderr } = await admin(
      run.data,
      ['clients', 'set-password', 'warehouse', '--yes'],
      { input: `${chosen}\r\n` },
    );
    expect(code).toBe(0);
    expect(passwordInForce()).toBe(chosen);
    expect(tracesOf(chosen, stdout + stderr)).toEqual([]);
  });

  test.each([
    ['nothing', '', 'is empty'],
    ['two lines', 'line one\nline two\n', 'control character'],
    ['seven characters', 'seven-7', 'has 7 characters; 8 to 1,024 are taken'],
    ['more than a header carries', 'x'.repeat(1_025), 'has 1,025 characters'],
    ['what is no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 'not UTF-8'],
    ['what is the password already', ' пароль: с двоеточием ', 'is the password of warehouse already'],
  ])('set-password refuses %s', async (_, input, reason) => {
    const before = passwordInForce();
    const { code, stdout, stderr } = await admin(
      run.data,
      ['clients', 'set-password', 'warehouse', '--yes'],
      {
        input,
      },
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(tracesOf(before, stderr)).toEqual([]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('Nothing was changed.');
    expect(passwordInForce()).toBe(before);
  });

  test('set-password asks for it twice at a terminal, without echo', async () => {
    const line = adminLine(run.data, ['clients', 'set-password', 'warehouse', '--yes', '--json']);
    const typed = async (first: string, second: string) => {
      const terminal = atTerminal(line);
      await eventually(() => terminal.seen().includes('New password'));
      terminal.type(`${first}\r`);
      await eventually(() => terminal.seen().includes('Once more'));
      terminal.type(`${second}\r`);
      return terminal.exit;
    };
    const different = await typed('first-of-two-passwords', 'second-of-two-passwords');
    expect(different.code).toBe(1);
    expect(different.seen).toContain('The two are not the same. Nothing was changed.');
    expect(different.seen).not.toMatch(/of-two-passwords/);

    const chosen = 'chosen at a terminal';
    const { code, seen } = await typed(chosen, chosen);
    expect(code).toBe(0);
    expect(seen).not.toContain(chosen);
    expect(passwordInForce()).toBe(chosen);
  });

  test('Ctrl-C at a question changes nothing', async () => {
    const before = passwordInForce();
    const terminal = atTerminal(adminLine(run.data, ['clients', 'rotate', 'warehouse']));
    await eventually(() => terminal.seen().includes('Change it all the same?'));
    terminal.type('\u0003');
    const { code, seen } = await terminal.exit;
    expect(code).toBe(1);
    expect(seen).toContain('Nothing was changed.');
    expect(passwordInForce()).toBe(before);
  });

  test('list reports a damaged secret, and rotate repairs it', async () => {
    const SecretId = run.outputs().Stack.Outputs['SecretNamewarehouse'];
    const secrets = secretsOf(run);
    await secrets.send(
      new PutSecretValueCommand({ SecretId, SecretString: '{"username": "warehouse", pass' }),
    );
    const listed = await clients('list');
    expect(listed.code).toBe(0);
    expect(listed.stderr).toContain('cannot sign in; `clients rotate warehouse` repairs it');
    expect((await clients('rotate', 'warehouse', '--yes')).code).toBe(0);
    expect(passwordInForce()).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  test('rotate keeps other fields of a secret', async () => {
    const SecretId = run.outputs().Stack.Outputs['SecretNamewarehouse'];
    const secrets = secretsOf(run);
    const SecretString = JSON.stringify({ username: 'Склад', password: 'before', contact: 'Anna' });
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
    const { stdout } = await clients('rotate', 'warehouse', '--yes', '--reveal', '--json');
    expect(JSON.parse(stdout).UserName).toBe('Склад');
    const { SecretString: kept } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    expect(JSON.parse(kept ?? '')).toEqual({
      username: 'Склад',
      password: JSON.parse(stdout).Password,
      contact: 'Anna',
    });
  });

  test('an unknown client is refused, and the known ones are named', async () => {
    const { code, stdout, stderr } = await clients('rotate', 'nobody');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^the local run in .* has no client nobody\. It has: warehouse\.\n$/);
  });
});
