import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../admin/cli/time.ts';
import { SecretsManager } from '../../local/services/secrets-manager.ts';
import { entryOf } from '../browser/sample.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { tracesOf } from '../support/traces.ts';
import { adminAtTerminal } from './command.ts';
import { startTestConsole, testSession } from './console/test-console.ts';
import { adminHereOn, refusal } from './in-process.ts';
import { dataFolder, emptyDeployment, putBatch } from './tables.ts';

const FIRST = ' пароль: с двоеточием ';
const NEW_PASSWORD = /^[A-Za-z0-9]{32}$/;

/** The service's clock, against this machine's. */
let shiftMs = 0;
const service = new SecretsManager(undefined, () => Date.now() + shiftMs);
const secrets = await startFaultProxy(await service.open());
const deployed = { clients: ['north', 'south.1'], secrets: secrets.endpoint };
const { names, tables, data } = await emptyDeployment({ ...deployed, outputs: { SilenceHours: '6,0' } });
const console = await startTestConsole(await testSession(data));
afterAll(async () => {
  await console.stop();
  await secrets.stop();
  service.close();
});

beforeEach(() => {
  secrets.decide(() => 'through');
  shiftMs = -48 * HOUR_MS;
  const stored = { username: 'Север', password: FIRST, contact: 'Anna' };
  service.setValue('secret-of-north', JSON.stringify(stored));
  service.setValue('secret-of-south.1', '{"username": "south", pass');
  shiftMs = 0;
});

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const manager = new SecretsManagerClient({ endpoint: secrets.endpoint, region: 'eu-central-1', credentials });
const read = async (name = 'north', VersionStage = 'AWSCURRENT') => {
  const SecretId = `secret-of-${name}`;
  const { SecretString = '' } = await manager.send(new GetSecretValueCommand({ SecretId, VersionStage }));
  return JSON.parse(SecretString);
};
const previousPassword = async () => (await read('north', 'AWSPREVIOUS')).password;

const clients = (...args: string[]) => adminHereOn(data, ['clients', ...args]);
const rotate = (name = 'north', body: unknown = {}) => console.post(`/api/clients/${name}/rotate`, body);

describe('the clients', () => {
  test('are shown with their user names and the age of their passwords, but not the passwords', async () => {
    for (const args of [['list'], ['show', 'north'], ['show', 'north', '--csv']]) {
      const { code, stdout, stderr } = await clients(...args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Север/);
      expect(tracesOf(FIRST, stdout + stderr)).toEqual([]);
    }
    const { stdout } = await clients('show', 'north', '--reveal', '--json');
    expect(JSON.parse(stdout)).toEqual({
      ...{ Client: 'north', UserName: 'Север', Secret: 'secret-of-north', PasswordAge: '2 d' },
      ...{ PasswordChangedAt: expect.stringMatching(/^\d{4}-.*Z$/), Password: FIRST },
    });

    const { status, body } = await console.get('/api/clients');
    expect(status).toBe(200);
    const unknown = { previousValidUntil: null, lastSnapshotAt: null, lastChangeAt: null };
    const passwordChangedAt = expect.closeTo(Date.now() - 48 * HOUR_MS, -5);
    const common = { ...unknown, overlapHours: 24, passwordChangedAt };
    expect(body).toEqual([
      { name: 'north', username: 'Север', isDamaged: false, silenceHours: 6, ...common },
      { name: 'south.1', username: 'south.1', isDamaged: true, silenceHours: 0, ...common },
    ]);
  });

  test('are listed with their last batch, and who is late', async () => {
    const [longAgo, justNow] = ['2026-01-01T00:00:00.000Z', new Date().toISOString()];
    await putBatch(names.BalanceSnapshots, 'south.1', new Date(longAgo), [entryOf('A', 1)]);
    await putBatch(names.BalanceSnapshots, 'north', new Date(justNow), [entryOf('A', 1)]);
    const change = { Client: 'north', ReceivedAt: justNow, RequestId: 'test' };
    await tables.put('ChangeTimestamps', { ...change, Timestamp: justNow.replace('.', ',') });
    const listWith = (SilenceHours: string | undefined, ...more: string[]) =>
      adminHereOn(dataFolder(names, { ...deployed, outputs: { SilenceHours } }), [
        'clients',
        'list',
        ...more,
      ]);

    const { stdout: table } = await listWith('24,24');
    expect(table).toMatch(/^north +Север +\S+Z +\d+ s +no +\S+Z +2 d +\S+$/m);
    expect(table).toMatch(/^south\.1 +south\.1 +2026-01-01T00:00:00.000Z +\d+ d +yes /m);
    const rowsWith = async (hours: string | undefined) => {
      const { stdout, stderr } = await listWith(hours, '--json');
      return { rows: JSON.parse(stdout), stderr };
    };
    expect((await rowsWith('24,0')).rows).toMatchObject([
      { LastBatchAt: justNow, Late: 'no', SilenceHours: 24, LastChangeAt: justNow },
      { LastBatchAt: longAgo, Late: 'no', SilenceHours: 0, LastChangeAt: null },
    ]);
    expect(await rowsWith(undefined)).toMatchObject({
      rows: [{ Late: 'unknown' }, { Late: 'unknown' }],
      stderr: expect.stringContaining('has no output SilenceHours. Deploy this version to see which clients'),
    });
  });

  test('with a damaged secret are named, and a rotation repairs it', async () => {
    expect(await clients('list')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('cannot sign in. `clients rotate south.1` repairs it'),
    });
    expect((await clients('rotate', 'south.1', '--yes')).code).toBe(0);
    const repaired = { username: 'south.1', password: expect.stringMatching(NEW_PASSWORD) };
    expect(await read('south.1')).toEqual(repaired);
  });
});

describe('a rotation', () => {
  test('by the command gives a new password, and the previous one stays valid', async () => {
    const { code, stdout, stderr } = await clients('rotate', 'north', '--json');
    expect(code).toBe(0);
    const { password, ...others } = await read();
    expect(password).toMatch(NEW_PASSWORD);
    expect(others).toEqual({ username: 'Север', contact: 'Anna' });
    expect(await previousPassword()).toBe(FIRST);
    expect(tracesOf(password, stdout + stderr)).toEqual([]);
    const { PasswordChangedAt, PreviousValidUntil } = JSON.parse(stdout);
    expect(Date.parse(PreviousValidUntil) - Date.parse(PasswordChangedAt)).toBe(24 * HOUR_MS);
    expect(stderr).toContain(`The previous password stays valid until ${PreviousValidUntil}`);
  });

  test('in the console answers the new password once', async () => {
    const { status, body } = await rotate();
    expect(status).toBe(200);
    expect(body.password).toMatch(NEW_PASSWORD);
    expect(await read()).toEqual({ username: 'Север', password: body.password, contact: 'Anna' });
    expect(body.client.previousValidUntil - body.client.passwordChangedAt).toBe(24 * HOUR_MS);
    const [seenByOther] = (await console.get('/api/clients')).body;
    const times = { passwordChangedAt: expect.any(Number), previousValidUntil: expect.any(Number) };
    expect(seenByOther).toEqual({ ...body.client, ...times });
  });

  test('within the overlap has to be confirmed, because it ends the previous password', async () => {
    const { password } = (await rotate()).body;
    expect(await clients('rotate', 'north')).toEqual(
      refusal(/A change ends it at once.*add --yes\. Nothing was changed\./s, 2),
    );
    expect(await rotate()).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^The previous .* is valid until .*Z\. A change ends it at/) },
    });
    expect((await read()).password).toBe(password);

    expect((await rotate('north', { endsPrevious: true })).status).toBe(200);
    expect(await previousPassword()).toBe(password);
    const { code, stdout } = await clients('rotate', 'north', '--yes', '--reveal', '--json');
    expect(code).toBe(0);
    expect((await read()).password).toBe(JSON.parse(stdout).Password);
  });

  test('twice at once changes the password once', async () => {
    const answers = await Promise.all([rotate(), rotate()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect((await read()).password).toBe(answers[0]?.body.password);
  });

  test('answers the new password although every later call fails', async () => {
    let isChanged = false;
    secrets.decide((action) => {
      const fault = isChanged ? 'denied' : 'through';
      isChanged ||= action === 'PutSecretValue';
      return fault;
    });
    expect((await rotate()).status).toBe(200);
  });

  test('whose answer is lost says that the password may have changed', async () => {
    secrets.decide((action) => (action === 'PutSecretValue' ? 'lost' : 'through'));
    const { status, body } = await rotate();
    const { password } = await read();
    expect({ status, isChanged: password !== FIRST }).toEqual({ status: 400, isChanged: true });
    expect(body.message).toMatch(/^There was no answer .* The password may have changed anyway\. /);
    expect(body.message).not.toContain(password);
  });

  test.each([
    ['an unknown client', 'nobody', {}, / has no client nobody\. It has: north, south\.1\.$/],
    ['a confirmation that is no confirmation', 'north', { endsPrevious: 'yes' }, /request is not valid/],
    ['a field that it does not know', 'north', { password: 'mine' }, /request is not valid/],
  ])('refuses %s', async (_, name, body, words) => {
    const answer = await rotate(name, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(words) } });
    expect((await read()).password).toBe(FIRST);
  });
});

describe('clients set-password', () => {
  const line = ['clients', 'set-password', 'north'];

  test('accepts any UTF-8 from standard input, without the line end', async () => {
    const chosen = ' ещё один: пароль ';
    const { code, stdout, stderr } = await adminHereOn(data, line, { input: `${chosen}\r\n` });
    expect(code).toBe(0);
    expect((await read()).password).toBe(chosen);
    expect(tracesOf(chosen, stdout + stderr)).toEqual([]);
  });

  test.each([
    ['nothing', '', 'is empty'],
    ['two lines', 'line one\nline two\n', 'control character'],
    ['seven characters', 'seven-7', 'has 7 characters; 8 to 1,024 are accepted'],
    ['more than a header carries', 'x'.repeat(1_025), 'has 1,025 characters'],
    ['what is no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 'not UTF-8'],
    ['what is the password already', FIRST, 'north already has this password'],
  ])('refuses %s', async (_, input, reason) => {
    const refused = await adminHereOn(data, line, { input });
    expect(refused).toEqual(refusal(new RegExp(`${reason}.* Nothing was changed\\.`)));
    expect(tracesOf(FIRST, refused.stderr)).toEqual([]);
    expect((await read()).password).toBe(FIRST);
  });

  test('asks for it twice at a terminal, without echo', async () => {
    const terminal = adminAtTerminal(data, [...line, '--json']);
    const chosen = 'chosen at a terminal';
    await terminal.type(`${chosen}\r`, 'New password');
    await terminal.type(`${chosen}\r`, 'Once more');
    const { code, seen } = await terminal.exit;
    expect(code).toBe(0);
    expect(seen).not.toContain(chosen);
    expect((await read()).password).toBe(chosen);
  });

  test('refuses two that differ', async () => {
    const { code, stderr } = await adminHereOn(data, line, {
      typed: [
        ['New password', 'first-of-two-passwords\r'],
        ['Once more', 'second-of-two-passwords\r'],
      ],
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The two passwords differ. Nothing was changed.');
    expect(stderr).not.toMatch(/of-two-passwords/);
  });
});
