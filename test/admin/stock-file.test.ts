import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { eventually } from '../support/local-run.ts';
import { descendantsOf, isRunning } from '../support/processes.ts';
import { startFaultyEngine } from '../support/tables.ts';
import { admin, startAdmin } from './command.ts';
import { sendRaw } from './console/test-console.ts';
import { adminHereOn } from './in-process.ts';
import { dataFolder, deleteItem, emptyDeployment, putBatch, putItems } from './tables.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

const NOW = Date.now();
let folder: string;
let names: Awaited<ReturnType<typeof emptyDeployment>>['names'];
let data: string;
/** What was read of the snapshots, and how many. */
let reads: string[] = [];
let readBatches = 0;
beforeEach(async () => {
  folder = temporaryFolder();
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
  ({ names, data } = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] }));
  reads = [];
  readBatches = 0;
  engine.decide(async (action, _, call) => {
    if (!call.body.includes(names.BalanceSnapshots)) return 'through';
    reads.push(`${action} ${call.body}`);
    if (action !== 'Query') return 'through';
    const response = await call.forward();
    readBatches += JSON.parse(String(response.body)).Count;
    return response;
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const send = (client: string, hoursAgo: number, balance: number) =>
  putBatch(names.BalanceSnapshots, client, new Date(NOW - hoursAgo * HOUR_MS), [entryOf('A', balance)]);

const run = async (...line: string[]) => {
  const { code, stdout } = await adminHereOn(data, [...line, '--json']);
  expect(code).toBe(0);
  return JSON.parse(stdout);
};
const balances = async (...options: string[]) => {
  const rows: { Client: string; StockBalance: number }[] = await run('balances', ...options);
  return rows.map(({ Client, StockBalance }) => `${Client} ${StockBalance}`);
};
const file = () => join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? 'none');
test('a second command reads only the newest batch again, and --fresh reads all of them', async () => {
  await send('north', 2, 1);
  await send('north', 1, 2);
  expect(await balances()).toEqual(['north 2']);
  expect(readBatches).toBe(2);
  // The service never changes a batch. This change shows who keeps it again.
  await send('north', 1, 99);
  expect(await balances()).toEqual(['north 2']);
  expect(readBatches).toBe(3);
  expect(await balances('--fresh')).toEqual(['north 99']);
  expect(readBatches).toBe(5);
});

/** No process can have this id. */
const NO_PROCESS = 2 ** 22 + 1;

/** The files and folders of all stocks of a process, but not those of tests that run beside. */
const stocks = (pid: number | undefined) => {
  const places = [tmpdir(), '/dev/shm'].filter(existsSync);
  const temporary = places.flatMap((place) => readdirSync(place));
  return [...readdirSync(folder), ...temporary.filter((name) => name.startsWith(`warehouse-admin-${pid}-`))];
};

test('with --no-cache, nothing is left in any folder, also if the rows cannot be written', async () => {
  await send('north', 2, 1);
  await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'used' } }]);
  // Its review asks the stock.
  expect(await adminHereOn(data, ['codes', 'remove', 'used', '--yes', '--no-cache'])).toMatchObject({
    code: 0,
  });
  expect(stocks(process.pid)).toEqual([]);
  expect(await balances('--no-cache')).toEqual(['north 1']);
  expect(stocks(process.pid)).toEqual([]);
  const nowhere = join(data, 'nowhere', 'rows.csv');
  expect(await adminHereOn(data, ['balances', '--no-cache', '--out', nowhere])).toMatchObject({ code: 1 });
  expect(stocks(process.pid)).toEqual([]);
});

test.each([
  ['Ctrl-C leaves nothing', 'SIGINT', [130, null]],
  ['the next command removes what a kill leaves', 'SIGKILL', [null, 'SIGKILL']],
] as const)('with --no-cache, %s', async (_, signal, exit) => {
  await send('north', 2, 1);
  engine.decide((action, _, { body }) =>
    action === 'Query' && body.includes('"north"') ? 'hang' : 'through',
  );
  const child = startAdmin(data, ['balances', '--no-cache']);
  await vi.waitFor(() => expect(engine.waiting()).toBe(1), { timeout: 60_000, interval: 50 });
  expect(stocks(child.pid)).toHaveLength(1);
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual(exit);
  // After a kill, a command of tests that run beside may be the next one.
  if (signal === 'SIGINT') expect(stocks(child.pid)).toEqual([]);
  engine.decide(() => 'through');
  await balances('--no-cache');
  expect(stocks(child.pid)).toEqual([]);
});

test('without --no-cache, the next command removes it, too', async () => {
  const place = temporaryFolder();
  vi.stubEnv('TMPDIR', place);
  const [abandoned, running] = [NO_PROCESS, process.pid].map((pid) => `warehouse-admin-${pid}-abcdef`);
  for (const name of [abandoned, running]) mkdirSync(join(place, name ?? ''));
  await balances();
  expect(readdirSync(place)).toEqual([running]);
});

test('what another user left is ignored, and so is what cannot be removed', async () => {
  const place = temporaryFolder();
  vi.stubEnv('TMPDIR', place);
  const theirs = join(place, `warehouse-admin-${NO_PROCESS}-abcdef`);
  mkdirSync(theirs);
  writeFileSync(join(theirs, 'stock.sqlite'), '');
  // Only root can give the folder to another user. Other users cannot empty a folder that they may not change.
  if (process.geteuid?.() === 0) chownSync(theirs, 1, 1);
  else chmodSync(theirs, 0o500);
  expect(await balances('--no-cache')).toEqual([]);
  expect(existsSync(join(theirs, 'stock.sqlite'))).toBe(true);
  chmodSync(theirs, 0o700);
});

test('another local run with tables of the same names has a file of its own', async () => {
  await send('north', 1, 1);
  await balances();
  data = dataFolder(names, { engine: engine.endpoint });
  await balances();
  expect(readBatches).toBe(2);
});

test('only the batches of a named client are read', async () => {
  await send('north', 2, 1);
  await send('south', 1, 2);
  expect(await balances('--client', 'north')).toEqual(['north 1']);
  expect(reads.filter((read) => read.includes('south'))).toEqual([]);
  expect(await balances()).toEqual(['north 1', 'south 2']);
});

test.each([
  ['snapshots show latest', 2],
  ['snapshots diff previous latest', 2],
  ['snapshots list', 3],
  ['snapshots show latest --at 90m', 3],
])('%s reads %i of three batches', async (line, count) => {
  for (const hours of [3, 2, 1]) await send('north', hours, hours);
  await run(...line.split(' '));
  expect(readBatches).toBe(count);
  readBatches = 0;
  await balances();
  // Those that were not read, and the newest again.
  expect(readBatches).toBe(4 - count);
});

const deleteBatch = (SnapshotId: string) =>
  deleteItem(names.BalanceSnapshots, { Client: { S: 'north' }, SnapshotId: { S: SnapshotId } });

test('batches that are gone from the service leave the file, also if only the newest were known', async () => {
  const gone = await send('north', 3, 1);
  await run('snapshots', 'show', 'latest');
  await deleteBatch(gone);
  const SnapshotId = await send('north', 2, 2);
  expect(await run('snapshots', 'list')).toMatchObject([{ SnapshotId }]);
});

test('what is gone from the service is not the latest batch or a change, also if nothing older is known', async () => {
  const SnapshotId = await send('north', 2, 7);
  const gone = await send('north', 1, 8);
  const change = (hoursAgo: number) => {
    const ReceivedAt = { S: new Date(NOW - hoursAgo * HOUR_MS).toISOString() };
    const Timestamp = { S: ReceivedAt.S.replace('.', ',') };
    return { Client: { S: 'north' }, Timestamp, ReceivedAt, RequestId: { S: 'test' } };
  };
  await putItems(names.ChangeTimestamps, [2, 1].map(change));
  await run('snapshots', 'show', 'latest');
  await run('changes', 'list');
  await deleteBatch(gone);
  const { Client, Timestamp } = change(1);
  await deleteItem(names.ChangeTimestamps, { Client, Timestamp });
  expect(await run('snapshots', 'show', 'latest')).toMatchObject({ SnapshotId });
  expect(await run('changes', 'list')).toMatchObject([{ Timestamp: change(2).Timestamp.S }]);
});

test('a file that is damaged is created again', async () => {
  await send('north', 1, 1);
  await balances();
  for (const ending of ['', '-wal'])
    writeFileSync(`${file()}${ending}`, 'nothing of a database'.repeat(1_000));
  expect(await balances()).toEqual(['north 1']);
});

test('a file that cannot be opened is named, with what to do', async () => {
  await balances();
  const path = file();
  rmSync(path);
  mkdirSync(path);
  const { code, stderr } = await adminHereOn(data, ['balances']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/cannot be used: .*--no-cache/),
  });
});

/** What a command says that cannot use the folder. */
const refused = (reason: string) => ({
  code: 1,
  stdout: '',
  stderr: `The folder of the stock files cannot be used: ${reason}. With --no-cache, the command needs no file there.\n`,
});

test.each([
  ['is a sentence with what to do', adminHereOn, 'balances'],
  ['ends the command, also if it serves', admin, 'console --no-open --port 0'],
])('a folder that cannot be used %s', async (_, run, line) => {
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', join(data, 'outputs.json', 'below-a-file'));
  expect(await run(data, line.split(' '))).toEqual(refused('part of the path is a file'));
});

test('a folder that other users can change is refused', async () => {
  chmodSync(folder, 0o777);
  expect(await adminHereOn(data, ['balances'])).toEqual(refused(`${folder} can be changed by other users`));
  expect(readdirSync(folder)).toEqual([]);
  expect(await adminHereOn(data, ['balances', '--no-cache'])).toMatchObject({ code: 0 });
});

test('commands at the same time share a new file', async () => {
  for (const hours of [5, 4, 3, 2, 1]) await send('north', hours, hours);
  const line = ['balances', '--json'];
  const outcomes = await Promise.all([admin(data, line), adminHereOn(data, line)]);
  readBatches = 0;
  for (const { code, stdout, stderr } of outcomes) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject([{ StockBalance: 1 }]);
  }
  expect(await balances()).toEqual(['north 1']);
  // The newest batch is read again.
  expect(readBatches).toBe(1);
});

test('a download of a console that was killed ends, and the next command removes it', async () => {
  const place = temporaryFolder();
  vi.stubEnv('TMPDIR', place);
  const child = startAdmin(data, ['console', '--port', '0', '--no-open'], { TMPDIR: place });
  const exit = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await eventually(() => said.includes('Ctrl-C'));
  const { port, search } = new URL(/http:\S+/.exec(said)?.[0] ?? '');
  const opened = await sendRaw(Number(port), `/${search}`);
  const [Cookie = ''] = String(opened.headers['set-cookie']).split(';');
  const endless = 'WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n';
  const target = `/api/downloads/tables/query?format=csv&sql=${encodeURIComponent(endless)}`;
  const download = sendRaw(Number(port), target, { headers: { Cookie } }).catch(() => {});
  await eventually(() => readdirSync(place).length === 1);
  const processes = descendantsOf(child.pid ?? 0).map(({ pid }) => pid);
  expect(processes).not.toEqual([]);
  child.kill('SIGKILL');
  await Promise.all([exit, download]);
  expect(readdirSync(place)).toHaveLength(1);
  await adminHereOn(data, ['balances']);
  expect(readdirSync(place)).toEqual([]);
  await eventually(() => !isRunning(...processes));
});
