import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SecretsManager } from '../../local/services/secrets-manager.ts';
import { entryOf } from '../browser/sample.ts';
import type { TableReader } from '../support/table-reader.ts';
import { tracesOf } from '../support/traces.ts';
import { adminLine } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { atTerminal } from './pseudo-terminal.ts';
import { dataFolder, emptyDeployment, putBatch } from './tables.ts';

const SECRET = 'secret-of-warehouse';
const service = new SecretsManager(undefined);
let secrets: SecretsManagerClient;
let endpoint: string;
let tables: TableReader;
let data: string;

beforeAll(async () => {
  endpoint = await service.open();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  secrets = new SecretsManagerClient({ endpoint, region: 'eu-central-1', credentials });
  service.setValue(SECRET, JSON.stringify({ username: 'warehouse', password: 'the first password' }));
  ({ tables, data } = await emptyDeployment({ secrets: endpoint }));
});
afterAll(() => service.close());

const clients = (...args: string[]) => adminHereOn(data, ['clients', ...args]);
const passwordIn = async (VersionStage = 'AWSCURRENT'): Promise<string> => {
  const value = await secrets.send(new GetSecretValueCommand({ SecretId: SECRET, VersionStage }));
  return JSON.parse(value.SecretString ?? '').password;
};
const setPassword = (input: string | Buffer) =>
  adminHereOn(data, ['clients', 'set-password', 'warehouse', '--yes'], { input });

/** These tests run in order, because a password has a history. */
describe('clients', () => {
  test('list and show print the user name and the age of the password, but not the password', async () => {
    for (const args of [['list'], ['show', 'warehouse'], ['show', 'warehouse', '--csv']]) {
      const { code, stdout, stderr } = await clients(...args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/warehouse/);
      expect(tracesOf(await passwordIn(), stdout + stderr)).toEqual([]);
    }
    const { stdout } = await clients('show', 'warehouse', '--json');
    expect(JSON.parse(stdout)).toEqual({
      Client: 'warehouse',
      UserName: 'warehouse',
      PasswordChangedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      PasswordAge: expect.stringMatching(/^\d+ s$/),
      Secret: SECRET,
    });
  });

  test('list shows the last batch of each client, and who is late', async () => {
    const [longAgo, justNow] = ['2026-01-01T00:00:00.000Z', new Date().toISOString()];
    await putBatch(tables.names['BalanceSnapshots'], 'late.1', new Date(longAgo), [entryOf('A', 1)]);
    await putBatch(tables.names['BalanceSnapshots'], 'warehouse', new Date(justNow), [entryOf('A', 1)]);
    const change = { Client: 'warehouse', ReceivedAt: justNow, RequestId: 'test' };
    await tables.put('ChangeTimestamps', { ...change, Timestamp: justNow.replace('.', ',') });
    const listWith = (SilenceHours: string | undefined, ...more: string[]) => {
      const outputs = { SecretNamelate1: SECRET, SilenceHours };
      const folder = dataFolder(tables.names, {
        clients: ['warehouse', 'late.1'],
        secrets: endpoint,
        outputs,
      });
      return adminHereOn(folder, ['clients', 'list', ...more]);
    };

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
    expect(JSON.parse(stdout).Password).toBe(await passwordIn());
  });

  test('rotate gives a new password that works, and the previous one stays valid', async () => {
    const before = await passwordIn();
    const { code, stdout, stderr } = await clients('rotate', 'warehouse', '--json');
    expect(code).toBe(0);
    const after = await passwordIn();
    expect(after).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(after).not.toBe(before);
    expect(tracesOf(after, stdout + stderr)).toEqual([]);
    const { PasswordChangedAt, PreviousValidUntil } = JSON.parse(stdout);
    expect(Date.parse(PreviousValidUntil) - Date.parse(PasswordChangedAt)).toBe(24 * 3_600_000);
    expect(stderr).toContain(`The previous password stays valid until ${PreviousValidUntil}`);
    expect(await passwordIn('AWSPREVIOUS')).toBe(before);
  });

  test('rotate asks before it ends a valid password, and requires --yes without a terminal', async () => {
    const before = await passwordIn();
    const refused = await clients('rotate', 'warehouse');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('A change ends it at once');
    expect(refused.stderr).toContain('add --yes. Nothing was changed.');
    expect(await passwordIn()).toBe(before);

    const { code, stdout } = await clients('rotate', 'warehouse', '--yes', '--reveal', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).Password).toBe(await passwordIn());
    expect(await passwordIn()).not.toBe(before);
  });

  test('set-password accepts any UTF-8 from standard input, without the line end', async () => {
    const chosen = ' пароль: с двоеточием ';
    const { code, stdout, stderr } = await setPassword(`${chosen}\r\n`);
    expect(code).toBe(0);
    expect(await passwordIn()).toBe(chosen);
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
    const before = await passwordIn();
    const { code, stdout, stderr } = await setPassword(input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(tracesOf(before, stderr)).toEqual([]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('Nothing was changed.');
    expect(await passwordIn()).toBe(before);
  });

  test('set-password asks for it twice at a terminal, without echo', async () => {
    const terminal = atTerminal(adminLine(data, ['clients', 'set-password', 'warehouse', '--yes', '--json']));
    const chosen = 'chosen at a terminal';
    await terminal.type(`${chosen}\r`, 'New password');
    await terminal.type(`${chosen}\r`, 'Once more');
    const { code, seen } = await terminal.exit;
    expect(code).toBe(0);
    expect(seen).not.toContain(chosen);
    expect(await passwordIn()).toBe(chosen);
  });

  test('set-password refuses two that differ', async () => {
    const { code, stderr } = await adminHereOn(data, ['clients', 'set-password', 'warehouse', '--yes'], {
      typed: [
        ['New password', 'first-of-two-passwords\r'],
        ['Once more', 'second-of-two-passwords\r'],
      ],
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The two passwords differ. Nothing was changed.');
    expect(stderr).not.toMatch(/of-two-passwords/);
  });

  test('list reports a damaged secret, and rotate repairs it', async () => {
    service.setValue(SECRET, '{"username": "warehouse", pass');
    const listed = await clients('list');
    expect(listed.code).toBe(0);
    expect(listed.stderr).toContain('cannot sign in. `clients rotate warehouse` repairs it');
    expect((await clients('rotate', 'warehouse', '--yes')).code).toBe(0);
    expect(await passwordIn()).toMatch(/^[A-Za-z0-9]{32}$/);
  });
});
