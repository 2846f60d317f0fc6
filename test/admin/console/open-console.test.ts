import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startStock } from '../../../admin/console/processes/start-stock.ts';
import { newSnapshotId, toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entryOf } from '../../support/batches.ts';
import { eventually } from '../../support/local-run.ts';
import { startFaultyEngine } from '../../support/tables.ts';
import { adminHereOn } from '../in-process.ts';
import { emptyDeployment, putBatch, putItems } from '../tables.ts';
import { startTestConsole, type TestConsole, testSession } from './test-console.ts';

vi.useFakeTimers({ toFake: ['Date', 'performance'] });
/** The clock of the service is a day behind that of this machine. */
const NOW = Date.now() - DAY_MS;
const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS);
const engine = await startFaultyEngine();
const decide = (decision: Parameters<typeof engine.decide>[0]) =>
  engine.decide(async (action, number, call) => {
    const fault = await decision(action, number, call);
    if (fault !== 'through') return fault;
    const response = await call.forward();
    return { ...response, headers: { ...response.headers, date: hoursAgo(0).toUTCString() } };
  });

const { names, data } = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] });
const send = (client: string, hours: number, code: string, balance: number, table = names.BalanceSnapshots) =>
  putBatch(table, client, hoursAgo(hours), [entryOf(code, balance)]);
// It has expired by the clock of this machine, but not by that of the service.
const receivedAt = hoursAgo(3);
const expiring = { client: 'north', snapshotId: newSnapshotId(receivedAt, 'expiring'), requestId: 'test' };
const entries = [entryOf('A', 1)];
await putItems(
  names.BalanceSnapshots,
  toSnapshotItems({ ...expiring, entries, receivedAt, expiresAt: hoursAgo(-1) }),
);
await send('north', 2, 'A', 2);
decide(() => 'through');
const console = await startTestConsole(data);
afterAll(async () => {
  await console.stop();
  await engine.stop();
  vi.useRealTimers();
});
beforeEach(() => decide(() => 'through'));
afterEach(() => void vi.unstubAllEnvs());

const start = async (...options: Parameters<typeof startTestConsole>) => {
  const started = await startTestConsole(...options);
  onTestFinished(started.stop);
  return started;
};
const stateOf = async ({ get }: TestConsole = console) => (await get('/api/state')).body;
const rowsOf = async (table = 'balances', { get }: TestConsole = console) => {
  const { rows = [] } = (await get(`/api/tables/${table}`)).body;
  return rows.map((cells: unknown[]) => cells.slice(0, 3).join(' '));
};
/** Waits until a page that asks for the state again and again has these balances. */
const shows = (rows: string[], shown: TestConsole = console) =>
  eventually(async () => {
    await stateOf(shown);
    return (await rowsOf('balances', shown)).join() === rows.join();
  });
/** After a write, even of a plan that is not known, the lists are read, and with the next request for the state all else. */
const readSoon = ({ post }: TestConsole = console) => post('/api/reviews/none', {});

test('a batch that has expired only by the clock of this machine is shown', async () => {
  await console.read();
  // The first response has told the clock of the service.
  vi.advanceTimersByTime(30_000);
  await eventually(async () => {
    await stateOf();
    return (await rowsOf('batches')).length === 2;
  });
  await console.read();
  expect(await rowsOf()).toEqual(['A north 2']);
  expect(await stateOf()).toMatchObject({ share: 1, knownSince: 0 });
});

test('a new batch appears after 30 seconds, also if the clock is set back', async () => {
  await console.read();
  const { version } = await stateOf();
  await send('south', 0, 'B', 5);
  let begun = 0;
  decide((_, __, { body }) => {
    // Each read of the service begins with the mark of restores.
    if (body.includes(':restore')) begun += 1;
    return 'through';
  });
  vi.advanceTimersByTime(29_999);
  for (let round = 0; round < 20; round += 1) {
    await stateOf();
    // Its calls give a read the time to begin.
    await console.get('/api/clients');
  }
  expect(begun).toBe(0);
  vi.advanceTimersByTime(1);
  vi.setSystemTime(Date.now() - HOUR_MS);
  await shows(['A north 2', 'B south 5']);
  expect((await stateOf()).version).not.toBe(version);
});

test('an older batch that a restore brings back appears', async () => {
  await console.read();
  const { names: restored } = await emptyDeployment();
  await send('north', 9, 'B', 7, restored.BalanceSnapshots);
  const line = ['restore', 'BalanceSnapshots', '--from', restored.BalanceSnapshots];
  expect(await adminHereOn(data, line)).toMatchObject({ code: 0 });
  await readSoon();
  await eventually(async () => {
    await stateOf();
    return (await rowsOf()).includes('B north 7');
  });
});

test('a list and a client that the console has changed are shown at once, also while batches are being read, which are not read twice', async () => {
  const released = Promise.withResolvers<'through'>();
  onTestFinished(() => released.resolve('through'));
  let scans: string[] = [];
  let isReading = false;
  decide((action, _, { body }) => {
    if (action === 'Scan') scans.push(String(body));
    const isOfBatches = action === 'Query' && String(body).includes(names.BalanceSnapshots);
    isReading ||= isOfBatches;
    return isOfBatches ? released.promise : 'through';
  });
  await readSoon();
  await eventually(async () => {
    await stateOf();
    return isReading;
  });
  const { version } = await stateOf();
  scans = [];
  const plan = await console.post('/api/lists/codes/review', [
    { kind: 'added', identifier: 'NEW', cells: [] },
  ]);
  expect((await console.post(`/api/reviews/${plan.body.id}`, {})).status).toBe(200);
  expect((await stateOf()).version).not.toBe(version);
  expect(await rowsOf('codes')).toEqual(['NEW']);
  // A second read of all would begin with the clients.
  expect(scans.filter((body) => body.includes(names.Clients))).toEqual([]);
  expect((await console.post('/api/clients', { name: 'west' })).status).toBe(200);
  expect((await rowsOf('clients')).join()).toContain('west');
  released.resolve('through');
});

test('each of many moments that are asked for at once has its own response', async () => {
  await console.read();
  const told = async (path: string, hours: number, index = 0) => {
    const at = new Date(hoursAgo(hours).getTime() - index).toISOString();
    const { body } = await console.get(`/api/${path}?at=${at}`);
    return body.count ?? body.map(({ kind }: { kind: string }) => kind).join();
  };
  const [older, newer, kinds] = [
    await told('tables/batches/count', 2.5),
    await told('tables/batches/count', 1.5),
    await told('kinds', 1.5),
  ];
  expect(newer).toBe(older + 1);
  const moments = Array.from({ length: 24 }, (_, index) =>
    told(index % 2 ? 'tables/batches/count' : 'kinds', index % 4 < 2 ? 2.5 : 1.5, index),
  );
  const ownResponses = moments.map((_, index) => (index % 4 === 1 ? older : index % 2 ? newer : kinds));
  expect(await Promise.all(moments)).toEqual(ownResponses);
});

test('what AWS refuses is in the state in words until a read succeeds, and the tables stay', async () => {
  const rows = await rowsOf();
  const body = JSON.stringify({ __type: 'ExpiredTokenException', message: 'The token has expired' });
  decide(() => ({ status: 400, headers: { 'Content-Type': 'application/x-amz-json-1.0' }, body }));
  const failureAfterRead = async () => {
    await readSoon();
    return (await stateOf()).failure;
  };
  await eventually(async () => (await failureAfterRead()) !== undefined);
  expect(await failureAfterRead()).toBe('The AWS credentials have expired. Sign in again.');
  expect(await rowsOf()).toEqual(rows);
  decide(() => 'through');
  await eventually(async () => (await failureAfterRead()) === undefined);
});

test('commands that read only a part bring new balances, and no findings', async () => {
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', temporaryFolder());
  const run = async (...line: string[]) => expect(await adminHereOn(data, line)).toMatchObject({ code: 0 });
  await run('sql', 'SELECT 1');
  await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'C' } }, { MaterialCode: { S: 'D' } }]);
  await send('north', 0, 'C', 1);
  await send('south', 0, 'D', 1);
  await run('balances', '--client', 'north');
  await adminHereOn(data, ['check', '--client', 'north', '--at', hoursAgo(1.5).toISOString()]);
  await run('balances');
  decide(() => 'deny');
  const own = await start(data);
  expect(await rowsOf('balances', own)).toContain('C north 1');
  expect(await rowsOf('findings?material=A', own)).not.toEqual([]);
  for (const code of ['C', 'D']) expect(await rowsOf(`findings?material=${code}`, own)).toEqual([]);
});

test('two consoles at once have a port each and share what was read, unless one reads it again with --fresh', async () => {
  const rows = await rowsOf();
  decide(() => 'deny');
  const second = await start(data, { port: undefined });
  expect((await stateOf(second)).isFirstRead).toBe(false);
  expect(await rowsOf('balances', second)).toEqual(rows);
  const third = await start(data, { port: undefined, fresh: true });
  expect(third.port).not.toBe(second.port);
  expect((await stateOf(third)).isFirstRead).toBe(true);
  expect(await rowsOf('balances', third)).toEqual([]);
});

test.each<[string, spoil: (file: string) => unknown, message: string, isMadeAgain: boolean]>([
  ['removed', (file) => rmSync(file), 'was removed. Start the console again.', false],
  [
    'damaged',
    (file) => {
      for (const path of [file, `${file}-wal`])
        writeFileSync(path, Buffer.alloc(statSync(path).size, 'x'), { flag: 'r+' });
    },
    'was damaged, and has been removed. Start the console again.',
    false,
  ],
  [
    'removed, and made again by a command,',
    async (file) => {
      for (const name of readdirSync(dirname(file))) rmSync(join(dirname(file), name));
      expect(await adminHereOn(data, ['balances'])).toMatchObject({ code: 0 });
    },
    'was removed. Start the console again.',
    true,
  ],
])('a console whose file is %s says so and ends', async (_, spoil, message, isMadeAgain) => {
  const folder = temporaryFolder();
  vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
  const stock = startStock(await testSession(data));
  const own = await start(data, { stock });
  await own.read();
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? 'none');
  await spoil(file);
  const spoken: string[] = [];
  for (const path of ['state', 'tables/changes']) {
    const { status, body } = await own.get(`/api/${path}`);
    if (status !== 200) spoken.push(body.message);
  }
  for (const message of spoken) expect(message).toMatch(/^The file of the stock cannot be used: .*\.$/);
  expect(await stock.failed).toMatchObject({ message: `${file} ${message}` });
  expect(existsSync(file)).toBe(isMadeAgain);
});
