import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { toModel } from '../../../admin/console/page/model.ts';
import { createStockReader } from '../../../admin/console/stock/collect-stock.ts';
import type { StockData } from '../../../admin/console/stock/stock-data.ts';
import type { Session } from '../../../admin/deployment/session.ts';
import type { TableName } from '../../../shared/tables.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { entryOf } from '../../browser/sample.ts';
import { timestampOf } from '../../support/batches.ts';
import type { Call } from '../../support/fault-proxy.ts';
import { startFaultyEngine } from '../../support/tables.ts';
import { clientItems, emptyDeployment, putBatch, putItems } from '../tables.ts';
import { startTestConsole, type TestConsole, testSession } from './test-console.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const minutesAfter = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let calls: Call[] = [];
let tables: Record<TableName, string>;
let session: Session;
beforeEach(async () => {
  const SilenceFrom = minutesAfter(-9_999).toISOString();
  const clients = [
    { Client: 'north', SilenceHours: 6, SilenceFrom },
    { Client: 'south', SilenceHours: 0, SilenceFrom },
  ];
  const deployed = await emptyDeployment({ engine: engine.endpoint, clients });
  tables = deployed.names;
  session = { ...(await testSession(deployed.data)), now: NOW };
  calls = [];
  engine.decide((_action, _number, call) => {
    calls.push(call);
    return 'through';
  });
});

/** A batch received so many minutes after now. */
const sendBatch = (client: string, minutes: number, balances: Record<string, number>) => {
  const entries = Object.entries(balances).map(([code, balance]) => entryOf(code, balance));
  return putBatch(tables.BalanceSnapshots, client, minutesAfter(minutes), entries);
};

const sendChange = (client: string, minutes: number, onClock = minutes) => {
  const Timestamp = { S: timestampOf(minutesAfter(onClock).getTime()) };
  const ReceivedAt = { S: minutesAfter(minutes).toISOString() };
  return putItems(tables.ChangeTimestamps, [{ Client: { S: client }, Timestamp, ReceivedAt }]);
};

/** The client, the code and the balances of each series. */
const histories = (data: StockData) => {
  const { rowCount, rowAt } = toModel(data);
  return Array.from({ length: rowCount }, (_, index) => {
    const { client, code, points } = rowAt(index);
    return [client, code, ...points.map(({ balance }) => balance)].join(' ');
  });
};

/** The calls that read entries. The others read headers alone. */
const readsOfEntries = () => {
  const requests = calls.splice(0).map(({ body }) => JSON.parse(body.toString()));
  return requests
    .filter(({ TableName }) => TableName === tables.BalanceSnapshots)
    .filter(({ ProjectionExpression }) => !ProjectionExpression);
};

describe('what has been read', () => {
  test('is not read again, and the same version says so', async () => {
    await sendBatch('north', -120, { A: 1, B: 1 });
    await sendBatch('north', -60, { A: 2, B: 1 });
    await sendBatch('south', -60, { A: 5 });
    await sendChange('south', -30);
    const reader = createStockReader(session, {});
    const first = await reader.read(NOW);
    expect(histories(first.data)).toEqual(['north A 1 2', 'north B 1 1', 'south A 5']);
    expect(first.data.changes.count).toEqual([1]);
    expect(readsOfEntries()).toHaveLength(2);
    expect(await reader.read(minutesAfter(1))).toBe(first);
    expect(readsOfEntries()).toEqual([]);
  });

  test('is joined by a new batch, which alone is read', async () => {
    await sendBatch('north', -120, { A: 1 });
    await sendBatch('north', -60, { A: 2 });
    const reader = createStockReader(session, {});
    const first = await reader.read(NOW);
    await sendBatch('north', 0.5, { A: -3 });
    await sendChange('north', 0.5);
    calls = [];
    const second = await reader.read(minutesAfter(1));
    expect(second.version).not.toBe(first.version);
    expect(histories(second.data)).toEqual(['north A 1 2 -3']);
    expect(second.data.findings.map(({ kind }) => kind)).toContain('sign-flipped');
    expect(second.data.lastSnapshotAt).toEqual([minutesAfter(0.5).getTime(), null]);
    expect(second.data.lastChangeAt).toEqual([minutesAfter(0.5).getTime(), null]);
    expect(readsOfEntries()).toHaveLength(1);
    expect(await reader.read(minutesAfter(1.5))).toBe(second);
  });

  test('is read anew when a batch becomes visible after a later one', async () => {
    await sendBatch('north', -1, { A: 1 });
    const reader = createStockReader(session, {});
    await reader.read(NOW);
    await sendBatch('north', -1.5, { A: 7 });
    expect(histories((await reader.read(minutesAfter(0.5))).data)).toEqual(['north A 7 1']);
  });

  test('stays complete after a call that failed', async () => {
    await sendBatch('north', -60, { A: 1 });
    await sendChange('north', -60);
    const reader = createStockReader(session, {});
    const failing = ['Query', 'Scan'];
    for (const action of failing) {
      let number = 0;
      engine.decide((called) => {
        number += called === action ? 1 : 0;
        return called === action && number > 3 - failing.indexOf(action) * 2 ? 'denied' : 'through';
      });
      await expect(reader.read(NOW)).rejects.toThrow('not authorized');
    }
    engine.decide(() => 'through');
    const { data } = await reader.read(NOW);
    expect(histories(data)).toEqual(['north A 1']);
    expect(data.changes.count).toEqual([1]);
    expect(data.findings.map(({ kind }) => kind)).toContain('unlisted-code');
  });
});

test('a list is read again after five minutes, or when something was written', async () => {
  const nameCode = (Name: string) =>
    putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'A' }, Name: { S: Name } }]);
  await sendBatch('north', -60, { A: 1 });
  await nameCode('Bolt');
  const reader = createStockReader(session, {});
  const names = async (minutes: number) =>
    (await reader.read(minutesAfter(minutes))).data.materials.attributes.map(({ value }) => value);
  expect(await names(0)).toEqual([['Bolt']]);
  await nameCode('Nut');
  expect(await names(4)).toEqual([['Bolt']]);
  expect(await names(6)).toEqual([['Nut']]);
  await nameCode('Pin');
  reader.expireLists();
  expect(await names(7)).toEqual([['Pin']]);
});

test('a client that becomes late makes a new version, although nothing was received', async () => {
  await sendBatch('north', -330, { A: 1 });
  await sendBatch('south', -330, { A: 1 });
  const reader = createStockReader(session, {});
  const first = await reader.read(NOW);
  expect(first.data.lateFrom).toEqual([minutesAfter(30).getTime(), null]);
  expect(await reader.read(minutesAfter(29))).toBe(first);
  const late = await reader.read(minutesAfter(31));
  expect(late.version).not.toBe(first.version);
  expect(late.data.asOf).toBe(minutesAfter(31).getTime());
});

test('an added client appears, and a removed one is no warehouse any more', async () => {
  await sendBatch('east', -60, { A: 1 });
  const reader = createStockReader(session, {});
  const clientsAt = async (minutes: number) => (await reader.read(minutesAfter(minutes))).data.clients;
  expect(await clientsAt(0)).toEqual(['north', 'south']);
  await putItems(tables.Clients, clientItems(['east', { Client: 'north', RemovedAt: NOW.toISOString() }]));
  expect(await clientsAt(1)).toEqual(['east', 'south']);
  expect(histories((await reader.read(minutesAfter(2))).data)).toEqual(['east A 1']);
});

test('of snapshots past the budget, the latest are read and the others are listed', async () => {
  for (const hour of [5, 4, 3, 2, 1]) await sendBatch('north', -60 * hour, { A: hour, B: 1 });
  await sendBatch('south', -60, { A: 1 });
  const { data } = await createStockReader(session, { maxEntries: 2 * 6 }).read(NOW);
  expect(histories(data)).toEqual(['north A 3 2 1', 'north B 1 1', 'south A 1']);
  expect(data.snapshots.entries.toSorted()).toEqual([1, 2, 2, 2, 2, 2]);
  expect(data.historySince).toEqual([minutesAfter(-180).getTime(), data.since]);
  const smallest = await createStockReader(session, { maxEntries: 0 }).read(NOW);
  expect(histories(smallest.data)).toEqual(['north A 2 1', 'north B 1 1', 'south A 1']);
});

test('a new change is found whatever the clock of its client says', async () => {
  await sendChange('north', -60, -60);
  await sendChange('north', -50, 9_999_999);
  const reader = createStockReader(session, {});
  const countAt = async (minutes: number) =>
    (await reader.read(minutesAfter(minutes))).data.changes.count.reduce((sum, count) => sum + count, 0);
  expect(await countAt(0)).toBe(2);
  await sendChange('north', 1, 9_999_999 - 60);
  expect(await countAt(1)).toBe(3);
  await sendChange('north', 1.5, 9_999_999 + 1);
  expect(await countAt(2)).toBe(4);
  expect(await countAt(9)).toBe(4);
});

describe('GET api/stock', () => {
  let console: TestConsole;
  beforeEach(async () => {
    console = await startTestConsole(session);
    return console.stop;
  });

  test('answers 304 until something changes', async () => {
    await sendBatch('north', -60, { A: 1 });
    const path = '/api/stock?at=2026-11-20T12:00:00Z';
    const { status, headers, body } = await console.get(path);
    expect({ status, asOf: body.asOf }).toEqual({ status: 200, asOf: NOW.getTime() });
    const known = { 'If-None-Match': String(headers.etag) };
    expect(await console.get(path, known)).toMatchObject({ status: 304, body: undefined });
    expect((await console.get('/api/stock', known)).status).toBe(200);
  });

  test('shows all as of an earlier time', async () => {
    await sendBatch('north', -120, { A: 10 });
    await sendBatch('north', -60, { A: 1 });
    await sendBatch('north', 60, { A: 99 });
    await sendChange('north', 60, -60);
    const { body } = await console.get('/api/stock?at=2026-11-20T12:00:00.000Z');
    expect(histories(body)).toEqual(['north A 10 1']);
    expect(body.changes.count).toEqual([]);
    expect(body.findings.map(({ kind }: { kind: string }) => kind)).toContain('power-of-ten');
    const before = await console.get('/api/stock?at=2026-11-20T10:30:00Z');
    expect(histories(before.body)).toEqual(['north A 10']);
  });

  test('refuses what is no time, in words', async () => {
    for (const at of ['yesterday', '', '2026-02-30T00:00:00Z', '9999-01-01T00:00:00Z', '2026-11-20']) {
      const message = expect.stringMatching(/^The time in the address /);
      expect(await console.get(`/api/stock?at=${at}`)).toMatchObject({ status: 400, body: { message } });
    }
  });

  test('explains what AWS refuses, and answers again when it no longer does', async () => {
    const denied = JSON.stringify({ __type: 'ExpiredTokenException', message: 'The token has expired' });
    const reply = { status: 400, headers: { 'Content-Type': 'application/x-amz-json-1.0' }, body: denied };
    engine.decide(() => reply);
    const body = { message: 'The AWS credentials have expired. Sign in again.' };
    expect(await console.get('/api/stock')).toMatchObject({ status: 502, body });
    engine.decide(() => 'through');
    expect((await console.get('/api/stock')).status).toBe(200);
  });
});
