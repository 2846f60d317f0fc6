import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { basic } from '../support/http-client.ts';
import { eventually, type LocalRun, secretsOf, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { tracesOf } from '../support/traces.ts';
import { admin, adminLine } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { atTerminal } from './pseudo-terminal.ts';

let run: LocalRun;
beforeAll(async () => {
  run = await startLocal();
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

  /** A folder with the outputs of the run, and these hours for warehouse and late.1, which sent its last batch long ago. */
  const folderWith = (SilenceHours: string | undefined) => {
    const { Stack, ...others } = run.outputs();
    const { SilenceHours: _, ...outputs } = Stack.Outputs;
    const Outputs = {
      ...outputs,
      ...(SilenceHours === undefined ? {} : { SilenceHours }),
      ClientNames: 'warehouse,late.1',
      SecretNamelate1: Stack.Outputs['SecretNamewarehouse'],
    };
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'outputs.json'), JSON.stringify({ ...others, Stack: { ...Stack, Outputs } }));
    return folder;
  };

  test('list shows the last batch of each client, and who is late', async () => {
    const tables = new TableReader(run.outputs());
    // A request would fill the cache of the authorizer, and the next tests change the password.
    const putBatch = (Client: string, ReceivedAt: string) =>
      tables.put('BalanceSnapshots', {
        ...{ Client, SnapshotId: `${ReceivedAt}-test`, ReceivedAt, RequestId: 'test' },
        ...{ EntryCount: 0, Parts: 1 },
      });
    const [longAgo, justNow] = ['2026-01-01T00:00:00.000Z', new Date().toISOString()];
    await putBatch('late.1', longAgo);
    await putBatch('warehouse', justNow);
    const change = { Client: 'warehouse', ReceivedAt: justNow, RequestId: 'test' };
    await tables.put('ChangeTimestamps', { ...change, Timestamp: justNow.replace('.', ',') });
    const listWith = (hours: string | undefined, ...more: string[]) =>
      adminHereOn(folderWith(hours), ['clients', 'list', ...more]);

    const { stdout: table } = await listWith('24,24');
    expect(table).toMatch(/^warehouse +warehouse +\S+Z +\d+ s +no +\S+Z +\d+ s +\S+$/m);
    expect(table).toMatch(/^late\.1 +warehouse +2026-01-01T00:00:00.000Z +\d+ d +yes /m);
    const [first, second] = JSON.parse((await listWith('24,24', '--json')).stdout);
    expect(first).toMatchObject({
      LastBatchAt: justNow,
      Late: 'no',
      SilenceHours: 24,
      LastChangeAt: justNow,
    });
    expect(second).toMatchObject({ LastBatchAt: longAgo, Late: 'yes', LastChangeAt: null });

    const lateWith = async (hours: string | undefined) => {
      const { stdout, stderr } = await listWith(hours, '--json');
      return { late: JSON.parse(stdout).map(({ Late }: { Late: string }) => Late), stderr };
    };
    expect(await lateWith('0,0')).toEqual({ late: ['no', 'no'], stderr: '' });
    expect(await lateWith(undefined)).toEqual({
      late: ['unknown', 'unknown'],
      stderr:
        'The deployment is older than this program and has no output SilenceHours. Deploy this version to see which clients are late.\n',
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
    const { PasswordChangedAt, PreviousValidUntil } = JSON.parse(stdout);
    expect(Date.parse(PreviousValidUntil) - Date.parse(PasswordChangedAt)).toBe(24 * 3_600_000);
    expect(stderr).toContain(`The previous password stays valid until ${PreviousValidUntil}`);
    expect(await statusWith(after)).toBe(200);
    expect(await statusWith(before)).toBe(200);
  });

  test('rotate asks before it ends a valid password, and requires --yes without a terminal', async () => {
    const before = passwordInForce();
    const refused = await clients('rotate', 'warehouse');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('A change ends it at once');
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
    ['seven characters', 'seven-7', 'has 7 characters; 8 to 1,024 are accepted'],
    ['more than a header carries', 'x'.repeat(1_025), 'has 1,025 characters'],
    ['what is no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 'not UTF-8'],
    ['what is the password already', ' пароль: с двоеточием ', 'warehouse already has this password'],
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
    expect(different.seen).toContain('The two passwords differ. Nothing was changed.');
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
    await eventually(() => terminal.seen().includes('Set a new password anyway?'));
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
    expect(listed.stderr).toContain('cannot sign in. `clients rotate warehouse` repairs it');
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
