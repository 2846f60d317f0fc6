import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addFirstClients } from '../../local/clients/first-clients.ts';
import { openPasswords } from '../../local/clients/passwords.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { basic } from '../support/http-client.ts';
import { type LocalRun, postControl, rowsOf, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { createTable, startFaultyEngine, testClient } from '../support/tables.ts';

const statusWith = async (run: LocalRun, userName: string, password: string) =>
  (await run.get('material-codes', basic(userName, password))).status;

const change = async (run: LocalRun, userName: string, password: string | null | undefined, others = {}) =>
  expect((await postControl(run, '/passwords', { userName, password, ...others })).status).toBe(200);

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

test('outputs.json follows the changes of passwords, also after the next start, which adds no client', async () => {
  const run = await startIn(temporaryFolder());
  await change(run, 'formerly', 'новый:1');
  await change(run, 'DOMAIN\\кладовщик', undefined, { formerUserName: 'formerly' });
  await change(run, 'warehouse', 'changed');
  await change(run, 'warehouse', null);
  const clients = { 'DOMAIN\\кладовщик': 'новый:1' };
  expect(run.outputs().Clients).toEqual(clients);
  const tables = new TableReader(run.outputs());
  await tables.clear('Clients');
  await tables.put('Clients', { Client: 'other', Damaged: true });
  await run.stop();

  const next = await startIn(run.data);
  expect(next.outputs().Clients).toEqual(clients);
  expect(await rowsOf(next, 'Clients')).toEqual([{ Client: 'other', Damaged: true }]);
  await next.stop();
});

test('a run in memory leaves the passwords and the secrets of the folder as they are', async () => {
  const data = temporaryFolder();
  const files = ['passwords.json', 'secrets.json'].map((name) => join(data, name));
  for (const file of files) writeFileSync(file, 'kept');
  const run = await startLocal({ data });
  await change(run, 'warehouse', 'changed');
  expect(run.outputs().Clients).toEqual({ warehouse: 'changed' });
  await run.stop();
  for (const file of files) expect(readFileSync(file, 'utf8')).toBe('kept');
});

describe('a data folder of version 0.2', () => {
  const secret = (name: string, username: string, password: string) => ({
    arn: `arn:aws:secretsmanager:eu-central-1:000000000000:secret:${name}-7mQxcu`,
    versions: ['previous', password].map((text) => {
      return { id: text, value: JSON.stringify({ username, password: text }), createdAt: 1 };
    }),
  });
  const secrets = [
    secret('Clientae1fd358c7-Vx1ls2lHgWj8', 'warehouse', 'first'),
    secret('Clientdc365e79d4-wJxxp84UvntW', 'DOMAIN\\кладовщик', 'второй'),
    secret('Client6bdb262b02-ytxWmz3JGGSt', 'formerly', 'third'),
  ];
  const OUTPUTS = {
    SecretNamewarehouse: 'Clientae1fd358c7-Vx1ls2lHgWj8',
    SecretNamewms1: 'Clientdc365e79d4-wJxxp84UvntW',
    ClientNames: 'warehouse,wms.1',
  };
  const startEarlier = (Outputs: object, data = temporaryFolder()) => {
    writeFileSync(join(data, 'secrets.json'), JSON.stringify(secrets));
    writeFileSync(join(data, 'outputs.json'), JSON.stringify({ Stack: { Outputs } }));
    return startIn(data);
  };
  const slotsOf = async (run: LocalRun) =>
    (await rowsOf(run, 'Clients')).map(({ Client, Slot }) => `${Client} ${Slot}`).toSorted();

  test('keeps the user names and passwords of its clients, says so, and loses its secrets', async () => {
    const run = await startEarlier(OUTPUTS);
    const sentence =
      'The clients of the earlier version keep their user names and passwords: warehouse, wms.1.';
    expect(run.output.notices).toBe(`${sentence}\n`);
    expect(run.outputs().Clients).toEqual({ warehouse: 'first', 'DOMAIN\\кладовщик': 'второй' });
    expect(await statusWith(run, 'DOMAIN\\кладовщик', 'второй')).toBe(200);
    expect(await slotsOf(run)).toEqual(['warehouse 1', 'wms.1 2']);
    expect(existsSync(join(run.data, 'secrets.json'))).toBe(false);
    await change(run, 'warehouse', 'changed');
    await run.stop();
    // As after a kill before the secrets were lost.
    const again = await startEarlier(OUTPUTS, run.data);
    expect(await slotsOf(again)).toEqual(['warehouse 1', 'wms.1 2']);
    expect(again.outputs().Clients).toMatchObject({ warehouse: 'changed' });
    await again.stop();
  });

  test('that a run in memory has used since names its clients after their user names, if they can be names', async () => {
    const run = await startEarlier({ Plans: 'standard:20' });
    expect(await slotsOf(run)).toEqual(['formerly 2', 'warehouse 1']);
    await run.stop();
  });

  test('whose start ends before it has written a client keeps its secrets, and the passwords for the next start', async () => {
    const engine = await startFaultyEngine();
    onTestFinished(() => engine.stop());
    engine.decide((action) => (action === 'PutItem' ? 'deny' : 'through'));
    const data = temporaryFolder();
    const secretsFile = join(data, 'secrets.json');
    writeFileSync(secretsFile, '[]');
    const open = () => openPasswords(join(data, 'passwords.json'));
    const outputs = { ClientsTableName: await createTable('Clients'), Plans: 'standard:20' };
    const table = { dynamodb: testClient(engine.endpoint), outputs, passwords: open() };
    const earlier = [{ name: 'north', userName: 'Север', password: 'first' }];
    const adding = addFirstClients(table, earlier, secretsFile, () => {});
    await expect(adding).rejects.toThrow('not authorized');
    expect(open().byUserName()).toEqual({ Север: 'first' });
    expect(existsSync(secretsFile)).toBe(true);
  });
});
