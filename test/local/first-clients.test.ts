import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addClients } from '../../local/clients/add-clients.ts';
import { openPasswords } from '../../local/clients/passwords.ts';
import { passwordAttributes } from '../../shared/clients/new-client.ts';
import { hashPassword } from '../../shared/clients/password.ts';
import { writeClient } from '../../shared/clients/write-client.ts';
import { adminHereOn } from '../admin/in-process.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { storedClient } from '../support/clients.ts';
import { basic } from '../support/http-client.ts';
import { changePassword, type LocalRun, postControl, rowsOf, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { createTable, startFaultyEngine, testClient } from '../support/tables.ts';
import { runLocal } from './in-process-command.ts';

const statusWith = async (run: LocalRun, userName: string, password: string) =>
  (await run.get('material-codes', basic(userName, password))).status;

const startIn = (data: string) => startLocal({ data, isOnDisk: true });

describe('a first start', () => {
  test('adds the client warehouse in the first slot, and keeps its password for the owner of the folder', async () => {
    const run = await startIn(temporaryFolder());
    expect(await rowsOf(run, 'Clients')).toMatchObject([
      { Client: 'warehouse', UserName: 'warehouse', Plan: 'standard', Slot: 1, ChangedBy: 'local run' },
    ]);
    const { warehouse = '' } = run.outputs().Clients;
    expect(await statusWith(run, 'warehouse', warehouse)).toBe(200);
    expect(JSON.stringify(await rowsOf(run, 'Clients'))).not.toContain(warehouse);
    expect(statSync(join(run.data, 'passwords.json')).mode & 0o777).toBe(0o600);
    await run.stop();
  });

  test('uses the password of the folder if it was killed before it added the client', async () => {
    const data = temporaryFolder();
    writeFileSync(join(data, 'passwords.json'), '[{"userName":"warehouse","password":"kept"}]');
    const run = await startIn(data);
    expect(await statusWith(run, 'warehouse', 'kept')).toBe(200);
    await run.stop();
  });
});

describe('outputs.json', () => {
  test('follows the changes of clients, also after the next start, which adds no client', async () => {
    const run = await startIn(temporaryFolder());
    const passwordsOf = () => run.outputs().Clients;
    const clients = async (line: string) => {
      const { code, stdout } = await adminHereOn(run.data, ['clients', ...line.split(' ')]);
      expect(code).toBe(0);
      return stdout;
    };
    const { warehouse = '' } = passwordsOf();
    await clients('set warehouse --user-name DOMAIN\\кладовщик');
    expect(passwordsOf()).toEqual({ 'DOMAIN\\кладовщик': warehouse });
    const [{ Password }] = JSON.parse(await clients('rotate warehouse --json'));
    const [added] = JSON.parse(await clients('add east --user-name warehouse --json'));
    const both = { 'DOMAIN\\кладовщик': Password, warehouse: added.Password };
    expect(passwordsOf()).toEqual(both);
    for (const [userName, password] of Object.entries(both))
      expect(await statusWith(run, userName, password)).toBe(200);
    await clients('remove east --yes');
    expect(passwordsOf()).toEqual({ 'DOMAIN\\кладовщик': Password });
    const tables = new TableReader(run.outputs());
    await tables.clear('Clients');
    await tables.put('Clients', { Client: 'other', Damaged: true });
    await run.stop();

    const next = await startIn(run.data);
    expect(next.outputs().Clients).toEqual({ 'DOMAIN\\кладовщик': Password });
    expect(await rowsOf(next, 'Clients')).toEqual([{ Client: 'other', Damaged: true }]);
    await next.stop();
  });

  test('has what the table has, in whatever order the messages about two changes come', async () => {
    const run = await startLocal();
    const { DynamoDbEndpoint, Tables } = run.outputs();
    const [dynamodb, table] = [testClient(DynamoDbEndpoint), Tables['Clients'] ?? ''];
    const write = async (changes: object) => {
      const before = await storedClient(dynamodb, table, 'warehouse');
      expect(await writeClient(dynamodb, table, { Client: 'warehouse', ...changes }, before)).toBe(true);
    };
    const tell = async (password?: string) =>
      expect((await postControl(run, '/passwords', { client: 'warehouse', password })).status).toBe(200);
    const now = new Date();

    await write(passwordAttributes('first', now));
    await write(passwordAttributes('second', now));
    await Promise.all([tell('second'), tell('first')]);
    expect(run.outputs().Clients).toEqual({ warehouse: 'second' });

    await write(passwordAttributes('third', now));
    await write({ UserName: 'Склад' });
    await tell();
    // Only the message about the rotation, which is still to come, has this password.
    expect(run.outputs().Clients).toEqual({});
    await tell('third');
    expect(run.outputs().Clients).toEqual({ Склад: 'third' });

    await write({ Salt: undefined, Hash: undefined, RemovedAt: now.toISOString() });
    await write({ ...passwordAttributes('fourth', now), RemovedAt: undefined });
    await tell('fourth');
    await tell();
    expect(run.outputs().Clients).toEqual({ Склад: 'fourth' });
    await run.stop();
  });

  test('has what the table had last, although an earlier read of it takes longer', async () => {
    const passwords = openPasswords(undefined);
    const stored = (password: string) => ({
      client: { Client: 'east', UserName: 'east', ...hashPassword(password) },
      item: {},
    });
    const slow = Promise.withResolvers<ReturnType<typeof stored>>();
    const following = [
      passwords.follow({ client: 'east', password: 'first' }, () => slow.promise),
      passwords.follow({ client: 'east', password: 'second' }, async () => stored('second')),
    ];
    await new Promise(setImmediate);
    slow.resolve(stored('first'));
    await Promise.all(following);
    expect(passwords.byUserName()).toEqual({ east: 'second' });
  });

  test('of a run in memory leaves the passwords of the folder as they are', async () => {
    const data = temporaryFolder();
    const file = join(data, 'passwords.json');
    writeFileSync(file, 'kept');
    const run = await startLocal({ data });
    await changePassword(run, 'warehouse', 'changed');
    expect(run.outputs().Clients).toEqual({ warehouse: 'changed' });
    await run.stop();
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });
});

test.each([[[]], [['--memory']]])(
  'a start with %j in a folder of version 0.2 says what the folder holds and what to do, and changes nothing',
  async (args) => {
    const data = temporaryFolder();
    const files = { 'secrets.json': '[]', 'outputs.json': '{"Stack":{}}', 'functions.log': 'a line\n' };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(data, name), text);
    const { code, stderr } = await runLocal([`--data=${data}`, '--port=0', ...args]).exit;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^\S+ is of version 0\.2\. Its secrets\.json holds .+ To start anew, .+ To keep .+, move secrets\.json away and start again\. .+ docs\/local\.md\.\n$/,
    );
    const contents = readdirSync(data).map((name) => [name, readFileSync(join(data, name), 'utf8')]);
    expect(Object.fromEntries(contents)).toEqual(files);
  },
);

test('a start that ends before it has written its client keeps the password for the next start', async () => {
  const engine = await startFaultyEngine();
  onTestFinished(() => engine.stop());
  engine.decide((action) => (action === 'PutItem' ? 'deny' : 'through'));
  const open = () => openPasswords(file);
  const file = join(temporaryFolder(), 'passwords.json');
  const outputs = { ClientsTableName: await createTable('Clients'), Plans: 'standard:20' };
  const table = { dynamodb: testClient(engine.endpoint), outputs, passwords: open() };
  await expect(addClients(table, ['warehouse'], new Date())).rejects.toThrow('not authorized');
  const kept = open().byUserName();
  expect(Object.keys(kept)).toEqual(['warehouse']);
  engine.decide(() => 'through');
  const next = { ...table, passwords: open() };
  await addClients(next, ['warehouse'], new Date());
  expect(next.passwords.byUserName()).toEqual(kept);
});
