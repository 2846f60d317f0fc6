import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { addClients } from '../../local/clients/add-clients.ts';
import { openPasswords } from '../../local/clients/passwords.ts';
import { hashPassword } from '../../shared/clients/password.ts';
import { adminHereOn } from '../admin/in-process.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { basic } from '../support/http-client.ts';
import {
  changePassword,
  forgetClients,
  type LocalRun,
  postControl,
  rowsOf,
  startLocal,
} from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { createTable, startFaultyEngine, testClient } from '../support/tables.ts';

describe('a run', () => {
  let run: LocalRun;
  let file: string;
  beforeAll(async () => {
    const data = temporaryFolder();
    file = join(data, 'passwords.json');
    // As a start leaves it that was killed before it added the client.
    writeFileSync(file, '[{"userName":"warehouse","password":"kept"}]');
    run = await startLocal({ data, isOnDisk: true });
  });

  const passwords = () => run.outputs().Clients;
  const clients = async (line: string) => {
    const { code, stdout } = await adminHereOn(run.data, ['clients', ...line.split(' ')]);
    expect(code).toBe(0);
    return stdout;
  };
  const expectAccess = async () => {
    await forgetClients(run);
    for (const [userName, password] of Object.entries(passwords()))
      expect((await run.get('material-codes', basic(userName, password))).status).toBe(200);
  };

  test('adds the client warehouse in the first slot, with the password of the folder, which only its owner can read', async () => {
    const stored = await rowsOf(run, 'Clients');
    expect(stored).toMatchObject([
      { Client: 'warehouse', UserName: 'warehouse', Plan: 'standard', Slot: 1, ChangedBy: 'local run' },
    ]);
    expect(JSON.stringify(stored)).not.toContain('kept');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(passwords()).toEqual({ warehouse: 'kept' });
    await expectAccess();
  });

  test('says that a new password cannot be written, and keeps it once it can be', async () => {
    const files = readdirSync(run.data);
    const rotate = () => adminHereOn(run.data, ['clients', 'rotate', 'warehouse', '--yes', '--json']);
    rmSync(file);
    mkdirSync(file);
    expect((await rotate()).stderr).toContain(
      'outputs.json was not updated: The local run responded with status 500.',
    );
    const response = await postControl(run, '/passwords', { client: 'warehouse' });
    const message = expect.stringContaining('passwords.json cannot be written (EISDIR)');
    expect([response.status, response.json()]).toEqual([500, { message }]);
    expect(passwords()).toEqual({ warehouse: 'kept' });
    expect(readdirSync(run.data)).toEqual(files);
    rmdirSync(file);
    const [{ Password }] = JSON.parse((await rotate()).stdout);
    expect(passwords()).toEqual({ warehouse: Password });
  });

  test('follows the changes of clients in outputs.json', async () => {
    const { warehouse = '' } = passwords();
    await clients('set warehouse --user-name DOMAIN\\кладовщик');
    expect(passwords()).toEqual({ 'DOMAIN\\кладовщик': warehouse });
    const [{ Password }] = JSON.parse(await clients('rotate warehouse --yes --json'));
    const [added] = JSON.parse(await clients('add east --user-name warehouse --json'));
    expect(passwords()).toEqual({ 'DOMAIN\\кладовщик': Password, warehouse: added.Password });
    await expectAccess();
    await clients('remove east --yes');
    expect(passwords()).toEqual({ 'DOMAIN\\кладовщик': Password });
  });

  test('that starts again keeps the passwords, and adds no client to a table with a damaged one', async () => {
    const before = passwords();
    const damaged = { Client: 'other', Damaged: true };
    const tables = new TableReader(run.outputs());
    await tables.clear('Clients');
    await tables.put('Clients', damaged);
    await run.stop();
    run = await startLocal({ data: run.data, isOnDisk: true });
    expect(passwords()).toEqual(before);
    expect(await rowsOf(run, 'Clients')).toEqual([damaged]);
  });
});

test('a run in memory leaves the passwords of the folder as they are', async () => {
  const data = temporaryFolder();
  const file = join(data, 'passwords.json');
  writeFileSync(file, 'kept');
  const run = await startLocal({ data });
  await changePassword(run, 'warehouse', 'changed');
  expect(run.outputs().Clients).toEqual({ warehouse: 'changed' });
  expect(readFileSync(file, 'utf8')).toBe('kept');
});

describe('the passwords of outputs.json', () => {
  const storedAs = (UserName: string, password: string) => ({
    client: { Client: 'east', UserName, ...hashPassword(password) },
    item: {},
  });

  test('are those of the table, in whatever order the messages about two changes come', async () => {
    const passwords = openPasswords(undefined);
    let stored: ReturnType<typeof storedAs> | undefined = storedAs('east', 'second');
    const tell = (password?: string) =>
      passwords.follow({ client: 'east', ...(password ? { password } : {}) }, async () => stored);
    await Promise.all([tell('second'), tell('first')]);
    expect(passwords.byUserName()).toEqual({ east: 'second' });

    stored = storedAs('Склад', 'third');
    await tell();
    // Only the message about the rotation, which is still to come, has this password.
    expect(passwords.byUserName()).toEqual({});
    for (const password of ['third', undefined]) {
      await tell(password);
      expect(passwords.byUserName()).toEqual({ Склад: 'third' });
    }
    stored = undefined;
    await tell('third');
    expect(passwords.byUserName()).toEqual({});
  });

  test('are those that the table had last, although an earlier read of it takes longer', async () => {
    const passwords = openPasswords(undefined);
    const slow = Promise.withResolvers<ReturnType<typeof storedAs>>();
    const following = [
      passwords.follow({ client: 'east', password: 'first' }, () => slow.promise),
      passwords.follow({ client: 'east', password: 'second' }, async () => storedAs('east', 'second')),
    ];
    await new Promise(setImmediate);
    slow.resolve(storedAs('east', 'first'));
    await Promise.all(following);
    expect(passwords.byUserName()).toEqual({ east: 'second' });
  });

  test('are kept for the next start by one that ends before it has written its client', async () => {
    const engine = await startFaultyEngine();
    onTestFinished(() => engine.stop());
    engine.decide((action) => (action === 'PutItem' ? 'deny' : 'through'));
    const file = join(temporaryFolder(), 'passwords.json');
    const outputs = { ClientsTableName: await createTable('Clients'), Plans: 'standard:20' };
    const table = { dynamodb: testClient(engine.endpoint), outputs, passwords: openPasswords(file) };
    await expect(addClients(table, ['warehouse'], new Date())).rejects.toThrow('not authorized');
    expect(Object.keys(openPasswords(file).byUserName())).toEqual(['warehouse']);
  });
});
