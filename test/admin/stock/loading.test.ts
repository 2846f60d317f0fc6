import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { jsonResponse } from '../../../local/services/proxy.ts';
import { newSnapshotId, toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import type { TableName } from '../../../shared/tables.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { temporaryFolder } from '../../support/assembly.ts';
import { entryOf, timestampOf } from '../../support/batches.ts';
import { cells, openConsole, type Parameters } from '../../support/console.ts';
import { itemsOf, startFaultyEngine, testClient } from '../../support/tables.ts';
import { adminHereOn } from '../in-process.ts';
import { deleteItem, emptyDeployment, putBatch, putItems } from '../tables.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const minutesAfter = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const DAYS = DAY_MS / MINUTE_MS;

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let tables: Record<TableName, string>;
let data: string;
/** `listed 2` where two batches were read. */
let reads: string[] = [];
const allow = () =>
  engine.decide(async (action, _, call) => {
    if (!call.body.includes(tables.BalanceSnapshots) || call.body.includes(':restore')) return 'through';
    if (action !== 'Query') return 'through';
    const response = await call.forward();
    reads.push(`listed ${JSON.parse(String(response.body)).Count}`);
    return response;
  });
/** The engine refuses what has this text. */
const deny = (action: string, text: string) =>
  engine.decide((called, _, { body }) => (called === action && body.includes(text) ? 'deny' : 'through'));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  ({ names: tables, data } = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] }));
  reads = [];
  allow();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const entriesOf = (balances: Record<string, number>) =>
  Object.entries(balances).map(([code, balance]) => entryOf(code, balance));
const send = (client: string, minutes: number, balances: Record<string, number>) =>
  putBatch(tables.BalanceSnapshots, client, minutesAfter(minutes), entriesOf(balances));

type Row = Record<string, string | number | null>;

/** A console that stays open, and reads the service at some minutes after now. */
const openReader = async () => {
  const console = await openConsole(data, { isInThreads: false });
  onTestFinished(() => console.stop());
  const at = (minutes: number) => void vi.setSystemTime(minutesAfter(minutes));
  return {
    balances: async (minutes = 0, parameters: Parameters = {}) => {
      at(minutes);
      return cells(await console.rows('balances', parameters), 'MaterialCode', 'Client', 'StockBalance');
    },
    rows: async (table: string, minutes = 0, parameters: Parameters = {}) => {
      at(minutes);
      return console.rows(table, parameters);
    },
    state: async (minutes = 0) => {
      at(minutes);
      const { failure = null, share, knownSince, version } = await console.ask('state');
      const since = knownSince && (knownSince - NOW.getTime()) / MINUTE_MS;
      return { hasFailed: failure !== null, told: [share, since], version };
    },
  };
};

/** A machine whose commands keep what they have read. */
const newMachine = () => {
  const folder = temporaryFolder();
  return async (minutes: number, ...line: string[]): Promise<Row[]> => {
    vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
    vi.setSystemTime(minutesAfter(minutes));
    const { code, stdout, stderr } = await adminHereOn(data, [...line, '--json']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  };
};
const balancesOn = async (machine: ReturnType<typeof newMachine>, minutes: number) =>
  cells(await machine(minutes, 'balances'), 'MaterialCode', 'Client', 'StockBalance');

test('a batch whose last write came late is found, although a newer batch is known', async () => {
  await send('north', -1, { A: 2 });
  const { balances } = await openReader();
  for (const minutes of [0, 1, 2]) await balances(minutes);
  await send('north', -2, { A: 1, B: 7 });
  reads = [];
  expect(await balances(3)).toEqual(['A north 2', 'B north 7']);
  expect(reads.toSorted()).toEqual(['listed 0', 'listed 2']);
});

test('a page that was asked for before another command found that the table was replaced is not kept', async () => {
  for (const minutes of [-9, -8, -7, -6]) await send('north', minutes, { OLD: minutes });
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  engine.decide(async (action, _, call) => {
    const isOfOlder = call.body.includes('north') && !call.body.includes('"Limit":2');
    if (action !== 'Query' || !isOfOlder || !call.body.includes(tables.BalanceSnapshots)) return 'through';
    const response = await call.forward();
    asked.resolve();
    await released.promise;
    return response;
  });
  const machine = newMachine();
  const first = machine(0, 'balances');
  await asked.promise;
  for (const { SnapshotId = { S: '' } } of await itemsOf(tables.BalanceSnapshots)) {
    const Key = { Client: { S: 'north' }, SnapshotId };
    await testClient().send(new DeleteItemCommand({ TableName: tables.BalanceSnapshots, Key }));
  }
  for (const minutes of [-5, -4, -3]) await send('north', minutes, { NEW: minutes });
  allow();
  await machine(0, 'balances');
  released.resolve();
  await first;
  expect(await machine(0, 'balances')).toEqual(await newMachine()(0, 'balances'));
});

test('batches and changes of the last minutes are read consistently, so that none that was confirmed is missed, and older batches for half the price', async () => {
  const queries: [from: string, isConsistent: boolean][] = [];
  engine.decide((action, _, { body }) => {
    if (action !== 'Query') return 'through';
    const { ConsistentRead, ExpressionAttributeValues } = JSON.parse(String(body));
    queries.push([ExpressionAttributeValues[':key'].S.slice(0, 16), ConsistentRead]);
    return 'through';
  });
  for (const minutes of [-30, -20, -3, -2]) await send('north', minutes, { A: minutes });
  for (const minutes of [-60, -50, -6, -1]) await send('south', minutes, { A: minutes });
  await newMachine()(0, 'balances');
  const older = [
    ['2026-11-20T11:54', false],
    ['2026-11-20T11:57', true],
  ];
  expect(queries.filter(([from]) => from.startsWith('2026')).toSorted()).toEqual(older);
  const consistent = queries.filter(([from]) => !from.startsWith('2026'));
  await newMachine()(0, 'changes', 'list');
  expect(new Set(consistent.map(([, isConsistent]) => isConsistent))).toEqual(new Set([true]));
});

test('an open console lists its newest batches again only until an earlier one can no longer appear', async () => {
  await send('north', -60, { A: 1 });
  const { balances } = await openReader();
  for (const minutes of [0, 1, 2]) await balances(minutes);
  reads = [];
  await balances(3);
  expect(reads).toContain('listed 1');
  reads = [];
  for (const minutes of [4, 5]) await balances(minutes);
  expect(new Set(reads)).toEqual(new Set(['listed 0']));
});

test('an open console finds within an hour that its newest batch is gone, and with the next batch that the table was replaced', async () => {
  const removeAll = async (client: string) => {
    for (const { Client, SnapshotId } of await itemsOf(tables.BalanceSnapshots))
      if (Client?.S === client && SnapshotId)
        await deleteItem(tables.BalanceSnapshots, { Client, SnapshotId });
  };
  for (const client of ['north', 'south'])
    for (const minutes of [-60, -30]) await send(client, minutes, { [`OLD${minutes}`]: 1 });
  const { balances } = await openReader();
  for (const minutes of [0, 1, 2, 3]) await balances(minutes);
  await removeAll('north');
  await removeAll('south');
  await send('north', 4, { NEW: 1 });
  expect(await balances(5)).toEqual(['NEW north 1', 'OLD-30 south 1', 'OLD-60 south 1']);
  expect(await balances(63)).toEqual(['NEW north 1']);
});

test('a batch that a restore has just brought back is read, although reads of older batches may miss what is new', async () => {
  for (const minutes of [-60, -30, -20, -1]) await send('north', minutes, { A: minutes });
  const machine = newMachine();
  await machine(0, 'balances');
  const { names: restored } = await emptyDeployment();
  const id = await putBatch(restored.BalanceSnapshots, 'north', minutesAfter(-50), entriesOf({ B: 7 }));
  const line = ['restore', 'BalanceSnapshots', '--from', restored.BalanceSnapshots];
  expect(await adminHereOn(data, line)).toMatchObject({ code: 0 });
  const lastWrite = new Date();
  engine.decide(async (_, __, call) => {
    if (Date.now() > lastWrite.getTime() + MINUTE_MS || !call.body.includes('"ConsistentRead":false'))
      return 'through';
    const { Items, ...page } = JSON.parse(String((await call.forward()).body));
    const items = Items.filter(({ SnapshotId }: { SnapshotId: { S: string } }) => SnapshotId.S !== id);
    return jsonResponse(200, { ...page, Items: items });
  });
  await machine(0, 'balances');
  expect(await balancesOn(machine, 60)).toEqual(['A north -1', 'B north 7']);
});

test('no batch is lost if the clock of this machine is an hour ahead, or behind', async () => {
  await send('north', -90, { A: 1 });
  const { balances } = await openReader();
  for (const [minutes, clock] of [
    [-2, 60],
    [1, -60],
    [3, 60],
    [5, 60],
  ] as const) {
    await send('north', minutes, { A: minutes });
    expect(await balances(minutes + clock)).toEqual([`A north ${minutes}`]);
  }
});

test('a batch whose id is in the future hides no other', async () => {
  await send('north', 365 * DAYS, { Future: 1 });
  const machine = newMachine();
  await machine(0, 'balances');
  await send('north', 1, { A: 1 });
  expect(await balancesOn(machine, 2)).toEqual(['A north 1', 'Future north 1']);
});

test.each(['balances', 'check'])(
  'if the newest batch that %s has read is gone from the service, all batches of its client are read again',
  async (line) => {
    const machine = newMachine();
    for (const minutes of [-100, -90, -80]) await send('north', minutes, { [`B${minutes}`]: 9 });
    const id = await send('north', -60, { A: 1 });
    await send('south', -60, { A: 2 });
    await machine(0, line);
    const Key = { Client: { S: 'north' }, SnapshotId: { S: id } };
    await testClient().send(new DeleteItemCommand({ TableName: tables.BalanceSnapshots, Key }));
    reads = [];
    expect(await newMachine()(1, 'snapshots', 'list')).toHaveLength(4);
    expect(reads.filter((read) => !read.startsWith('listed'))).toEqual([]);
    expect(await balancesOn(machine, 1)).toEqual([
      ...['A south 2', 'B-100 north 9', 'B-80 north 9', 'B-90 north 9'],
    ]);
  },
);

test('a list that was read earlier does not replace one that was read later', async () => {
  const { rows } = await openReader();
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let scans = 0;
  engine.decide(async (action, _, call) => {
    if (action !== 'Scan' || !call.body.includes(tables.MaterialCodes)) return 'through';
    scans += 1;
    if (scans > 1) return 'through';
    const response = await call.forward();
    reached.resolve();
    await released.promise;
    return response;
  });
  const earlier = rows('codes');
  await reached.promise;
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'NEW' } }]);
  const later = rows('codes');
  // If the later read did not wait for the earlier one, it would end during these calls.
  for (let call = 0; call < 20; call += 1) await itemsOf(tables.PurchaseOrders);
  released.resolve();
  await Promise.all([earlier, later]);
  engine.decide((action) => (action === 'Scan' ? 'deny' : 'through'));
  expect(cells(await rows('codes'), 'MaterialCode')).toEqual(['NEW']);
});

test('if the second list cannot be read, neither is written, and the next read writes all of both', async () => {
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'A' }, Name: { S: 'Nut' } }]);
  await putItems(tables.PurchaseOrders, [{ PurchaseOrder: { S: 'OT1' } }]);
  const { rows } = await openReader();
  deny('Scan', tables.PurchaseOrders);
  expect(await rows('codes')).toEqual([]);
  allow();
  expect(cells(await rows('codes'), 'MaterialCode', 'list.Name')).toEqual(['A Nut']);
  expect(cells(await rows('orders'), 'PurchaseOrder')).toEqual(['OT1']);
});

test('a row of a list keeps the digits of its numbers and all its values, and a search finds it until it is removed', async () => {
  await putItems(tables.MaterialCodes, [
    { MaterialCode: { S: 'B' }, Long: { N: '12345678901234567890' }, Name: { S: 'Кабель' } },
    { MaterialCode: { S: 'A' }, Size: { N: '10.5' }, Old: { BOOL: true }, Tags: { L: [{ S: 'x' }] } },
    { MaterialCode: { S: 'C' }, Name: { S: 'Kabel \'"1' }, Size: { NULL: true } },
  ]);
  // Not the order, but the material has this name.
  await putItems(tables.PurchaseOrders, [{ PurchaseOrder: { S: 'Steel-10' }, Name: { S: 'Кабель' } }]);
  await send('north', -60, { 'Steel-10': 1, B: 2 });
  const { rows, balances } = await openReader();
  expect(cells(await rows('codes'), 'list.Name', 'list.Long', 'list.Size', 'list.Old', 'list.Tags')).toEqual([
    '  10.5 true ["x"]',
    'Кабель 12345678901234567890   ',
    `Kabel '"1    `,
  ]);
  expect(await balances(0, { search: 'КАБ' })).toEqual(['B north 2']);
  expect(await balances(0, { search: 'stееl' })).toEqual(['Steel-10 north 1']);
  const Key = { MaterialCode: { S: 'B' } };
  await testClient().send(new DeleteItemCommand({ TableName: tables.MaterialCodes, Key }));
  expect(await balances(1, { search: 'КАБ' })).toEqual([]);
});

/** Minutes, balances, and the minutes until they expire. */
type Expiring = [minutes: number, balances: Record<string, number>, expiresAfter?: number];
const expiring: Record<string, Expiring[]> = {
  'oldest-first': [
    [-60, { A: 1, B: 1, C: 5 }, 60],
    [-50, { A: 2, B: 1 }, 60],
    [-40, { A: 1, B: 1 }],
    [-30, { A: 3, C: 0.5 }],
  ],
  'before-the-only-later-one': [
    [-60, { D: 1, E: 1 }, 60],
    [-30, { D: 1 }],
  ],
  'later-before-earlier': [
    [-60, { F: 1, G: 9 }],
    [-50, { F: 2 }, 60],
    [-40, { F: 3 }],
  ],
  all: [
    [-60, { H: 1 }, 59],
    [-30, { H: 2 }, 60],
  ],
};
test('batches that expire leave a machine as if they had never been there', async () => {
  const clients = Object.keys(expiring).map((Client) => ({ Client, SilenceHours: 0 }));
  ({ names: tables, data } = await emptyDeployment({ engine: engine.endpoint, clients }));
  for (const [client, sent] of Object.entries(expiring))
    for (const [minutes, balances, expiresAfter] of sent) {
      const receivedAt = minutesAfter(minutes);
      const expiry = expiresAfter === undefined ? {} : { expiresAt: minutesAfter(expiresAfter) };
      const snapshot = { client, snapshotId: newSnapshotId(receivedAt, 'id'), receivedAt, requestId: 'test' };
      const items = toSnapshotItems({ ...snapshot, ...expiry, entries: entriesOf(balances) });
      await putItems(tables.BalanceSnapshots, items);
    }
  const shownOn = async (machine: ReturnType<typeof newMachine>, minutes: number) => {
    const lines = ['balances', 'snapshots list', 'check', 'history A', 'history F', 'history H'];
    const shown: Row[][] = [];
    for (const line of lines) shown.push(await machine(minutes, ...line.split(' ')));
    return shown;
  };
  const [old, fresh] = [newMachine(), newMachine()];
  const before = await shownOn(old, 0);
  expect(await shownOn(old, 58.9)).toEqual(before);
  expect(await balancesOn(old, 60)).toEqual([
    ...['A oldest-first 3', 'B oldest-first 1', 'C oldest-first 0.5'],
    ...['D before-the-only-later-one 1', 'F later-before-earlier 3', 'G later-before-earlier 9'],
  ]);
  expect(await shownOn(old, 60)).toEqual(await shownOn(fresh, 60));
});

test('the parts of an expired batch are not read', async () => {
  const receivedAt = minutesAfter(-60);
  const header = {
    client: 'north',
    snapshotId: newSnapshotId(receivedAt, 'id'),
    receivedAt,
    requestId: 'test',
  };
  const entries = Array.from({ length: 6_000 }, (_, index) => entryOf(`A${index}`, 1));
  const items = toSnapshotItems({ ...header, expiresAt: minutesAfter(-1), entries });
  expect(items.length).toBeGreaterThan(1);
  for (const item of items) await putItems(tables.BalanceSnapshots, [item]);
  await send('north', -30, { A: 1 });
  deny('GetItem', 'north:2');
  expect(await newMachine()(0, 'snapshots', 'list')).toMatchObject([{ EntryCount: 1 }]);
  expect(await newMachine()(0, 'balances')).toHaveLength(1);
});

const damagedBatch = (minutes: number) => ({
  ...{ Client: { S: 'north' }, SnapshotId: { S: `${minutesAfter(minutes).toISOString()}-odd` } },
  ...{ ReceivedAt: { S: minutesAfter(minutes).toISOString() }, RequestId: { S: 'odd' } },
  ...{ EntryCount: { N: '2' }, Parts: { N: '1' }, Balances: { M: {} } },
});

/** Refuses the pages before the newest two batches of each client. */
const denyOlder = () => deny('Query', '#sortKey < :key');

describe('the state of the stock', () => {
  const sendAll = async () => {
    for (const minutes of [-60, -40, -20]) await send('north', minutes, { A: minutes });
    await send('south', -50, { A: 1 });
  };

  test('is complete if all batches are read, also if one is damaged, or a warehouse has none', async () => {
    const { state, rows } = await openReader();
    expect((await state()).told).toEqual([1, 0]);
    await putItems(tables.BalanceSnapshots, [damagedBatch(-70)]);
    for (const minutes of [-60, -40]) await send('north', minutes, { A: 1 });
    expect((await state()).told).toEqual([1, 0]);
    expect(cells(await rows('batches', 1), 'State')).toEqual(['loaded', 'loaded', 'damaged']);
  });

  test('is known since the newest two batches of each warehouse until older ones are read', async () => {
    await sendAll();
    denyOlder();
    const { state, balances, rows } = await openReader();
    const told = [expect.closeTo(0.5, 3), -40];
    expect(await state()).toMatchObject({ hasFailed: true, told });
    // Nobody knows whether north had sent a batch by then.
    const parameters = { at: minutesAfter(-45).toISOString(), kind: 'no-snapshot' };
    expect(cells(await rows('findings', 0, parameters), 'Client')).toEqual([]);
    allow();
    expect(await state()).toMatchObject({ hasFailed: false, told: [1, 0] });
    const before = { ...parameters, at: minutesAfter(-61).toISOString() };
    expect(cells(await rows('findings', 0, before), 'Client')).toEqual(['north', 'south']);
    await send('north', 1, { A: 7, B: 1 });
    deny('Query', '"north"');
    expect(await state(2)).toMatchObject({ hasFailed: true, told: [1, 0] });
    expect(await balances(2)).toEqual(['A north -20', 'A south 1']);
  });

  test('is not known since any time while no batch of a warehouse is read', async () => {
    await sendAll();
    deny('Query', '"south"');
    const { state } = await openReader();
    expect((await state()).told[1]).toBeNull();
  });

  test('has another version after each change, and after no other read', async () => {
    await send('north', -60, { A: 1 });
    const { state } = await openReader();
    const { version } = await state();
    expect((await state(1)).version).toBe(version);
    await send('north', 2, { A: 2 });
    expect((await state(3)).version).not.toBe(version);
  });
});

describe('changes', () => {
  /** Received at `minutes`, when the clock of the client showed `onClock`. */
  const change = (minutes: number, onClock = minutes) => ({
    ...{ Client: { S: 'north' }, Timestamp: { S: timestampOf(minutesAfter(onClock).getTime()) } },
    ...{ ReceivedAt: { S: minutesAfter(minutes).toISOString() }, RequestId: { S: `${minutes}` } },
  });
  const put = (...changes: ReturnType<typeof change>[]) => putItems(tables.ChangeTimestamps, changes);
  const openChanges = async () => {
    const { rows } = await openReader();
    return async (minutes: number) =>
      cells(await rows('changes', minutes, { sort: 'ReceivedAt' }), 'RequestId').map(Number);
  };

  test.each<[string, ReturnType<typeof change>[], ReturnType<typeof change>[], number[]]>([
    [
      'when the clock of their client was set back',
      [change(-60, 0)],
      [change(1, -59), change(2, -58)],
      [-60, 1, 2],
    ],
    [
      'beside those of a clock that is years ahead',
      [change(-60), change(-59, 5_000 * DAYS)],
      [change(1), change(2, 4_000 * DAYS)],
      [-60, -59, 1, 2],
    ],
    [
      'beside one whose receipt is years ahead',
      [change(-60), change(5_000 * DAYS, -59)],
      [change(1), change(2)],
      [-60, 1, 2, 5_000 * DAYS],
    ],
  ])('are read %s', async (_, first, second, all) => {
    await put(...first);
    const changes = await openChanges();
    await changes(0);
    await put(...second);
    expect(await changes(3)).toEqual(all);
  });

  test('of a backlog are found by the next command, and by an open console within an hour', async () => {
    await put(change(-5));
    const changes = await openChanges();
    await changes(0);
    await put(change(1, -30 * DAYS), change(2, -20 * DAYS), change(3, -2), change(4));
    expect(await changes(5)).toEqual([-5, 3, 4]);
    expect(await changes(60)).toEqual([-5, 1, 2, 3, 4]);
  });

  test('that were asked for before another command reads all again are not kept', async () => {
    await put(change(-3 * DAYS), change(-1));
    const machine = newMachine();
    const list = async (...options: string[]) =>
      cells(await machine(0, 'changes', 'list', ...options), 'RequestId');
    await list();
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let first: Promise<unknown> | undefined;
    engine.decide(async (_, __, { body }): Promise<'through'> => {
      if (body.includes(tables.ChangeTimestamps) && !first) {
        asked.resolve();
        await released.promise;
      }
      // The other command has emptied the file when it asks for the clients.
      if (body.includes(tables.Clients) && first) {
        released.resolve();
        await first;
      }
      return 'through';
    });
    const other = list();
    await asked.promise;
    first = other;
    const expected = [`${-1}`, `${-3 * DAYS}`];
    expect(await list('--fresh')).toEqual(expected);
    expect(await list()).toEqual(expected);
  });

  test('are found by the next command, also if they came hours before the newest one', async () => {
    await put(change(0));
    const machine = newMachine();
    await machine(1, 'changes', 'list');
    await put(change(-300, -30 * DAYS));
    expect(cells(await machine(2, 'changes', 'list'), 'RequestId')).toEqual(['0', '-300']);
  });
});

test('a removed or deleted client has no balances and is no client, and one whose item is damaged keeps its own', async () => {
  for (const client of ['north', 'south']) await send(client, -60, { A: 1 });
  const update = (client: string, UpdateExpression: string) =>
    testClient().send(
      new UpdateItemCommand({ TableName: tables.Clients, Key: { Client: { S: client } }, UpdateExpression }),
    );
  await update('south', 'REMOVE Slot');
  const { balances, rows } = await openReader();
  const told = async () => [await balances(), cells(await rows('clients'), 'Client')];
  expect(await told()).toEqual([['A north 1', 'A south 1'], ['north']]);
  await update('north', 'SET RemovedAt = PasswordChangedAt');
  expect(await told()).toEqual([['A south 1'], []]);
  await update('north', 'REMOVE RemovedAt');
  expect(await told()).toEqual([['A north 1', 'A south 1'], ['north']]);
  const Key = { Client: { S: 'north' } };
  await testClient().send(new DeleteItemCommand({ TableName: tables.Clients, Key }));
  expect(await told()).toEqual([['A south 1'], []]);
});

test('the findings of the last two batches are there before older batches are read', async () => {
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
  for (const [minutes, balance] of [
    [-90, 1],
    [-60, 7],
    [-30, -7],
  ] as const)
    await send('north', minutes, { A: balance });
  denyOlder();
  const { rows } = await openReader();
  const found = async (minutes: number) =>
    cells(await rows('findings', minutes, { client: 'north' }), 'Kind', 'Subject');
  expect(await found(0)).toEqual(['sign-flipped A']);
  allow();
  await send('north', 1, { A: -7, B: 1 });
  expect(await found(2)).toEqual(['unlisted-code B']);
});
