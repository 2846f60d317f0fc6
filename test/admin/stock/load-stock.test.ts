import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStockState } from '../../../admin/console/queries/read-state.ts';
import type { Session } from '../../../admin/deployment/session.ts';
import { readVersion } from '../../../admin/stock/database/meta.ts';
import { openStock, type Stock } from '../../../admin/stock/database/open-stock.ts';
import { rowsOf } from '../../../admin/stock/database/rows.ts';
import { loadLists } from '../../../admin/stock/loading/load-lists.ts';
import { createLoader } from '../../../admin/stock/loading/load-stock.ts';
import { iterateTable } from '../../../admin/stock/queries/table-query.ts';
import { type TableFilter, tableQueries } from '../../../admin/stock/tables/tables.ts';
import { type AwsCall, actionOf } from '../../../local/services/proxy.ts';
import { newSnapshotId, toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import type { TableName } from '../../../shared/tables.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { entryOf } from '../../support/batches.ts';
import { startFaultyEngine } from '../../support/tables.ts';
import { testSession } from '../console/test-console.ts';
import { emptyDeployment, putBatch, putItems } from '../tables.ts';
import { cellsOf } from './make-stock.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const minutesAfter = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let tables: Record<TableName, string>;
let session: Session;
let calls: AwsCall[] = [];
beforeEach(async () => {
  const deployed = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] });
  tables = deployed.names;
  session = { ...(await testSession(deployed.data)), now: NOW };
  calls = [];
  engine.decide((_action, _number, call) => {
    calls.push(call);
    return 'through';
  });
});

const send = (client: string, minutes: number, balances: Record<string, number>) => {
  const entries = Object.entries(balances).map(([code, balance]) => entryOf(code, balance));
  return putBatch(tables.BalanceSnapshots, client, minutesAfter(minutes), entries);
};

/** The code, the warehouse and the balance of each row. */
const balancesIn = ({ db }: Stock, filter: TableFilter = {}) =>
  [...iterateTable(db, tableQueries.balances(db, filter))].map((cells) => cells.slice(0, 3).join(' '));

/** A loader of a machine, which reads at `minutes` after now. */
const startLoader = (stock = openStock(':memory:')) => {
  const load = createLoader(stock);
  return { stock, load: (minutes = 0) => load({ ...session, now: minutesAfter(minutes) }) };
};

/** What was read of batches, and how often. */
const batchReads = () =>
  calls
    .filter(({ body }) => body.includes(tables.BalanceSnapshots))
    .map(({ incoming }) => actionOf(incoming));

test('the latest stock has the last balance of each material, and a moment has that of the moment', async () => {
  await send('north', -60, { A: 1, B: 2 });
  await send('north', -30, { A: 3 });
  await send('south', -45, { A: 5 });
  const { stock, load } = startLoader();
  await load();
  expect(balancesIn(stock)).toEqual(['A north 3', 'A south 5', 'B north 2']);
  const at = minutesAfter(-46).toISOString();
  expect(balancesIn(stock, { at })).toEqual(['A north 1', 'B north 2']);
});

test('a batch is read once, also by the next start on the same file, and later reads ask for what is new only', async () => {
  await send('north', -60, { A: 1 });
  await send('north', -30, { A: 2 });
  const { stock, load } = startLoader();
  await load();
  calls = [];
  await load(10);
  await send('north', 11, { A: 4 });
  await load(12);
  expect(batchReads().filter((action) => action === 'GetItem')).toHaveLength(1);
  expect(balancesIn(stock)).toEqual(['A north 4']);
  calls = [];
  await startLoader(stock).load(60);
  expect(batchReads()).not.toContain('GetItem');
});

test('of two batches of one millisecond, the one with the later id is the latest, on each machine', async () => {
  const [receivedAt, client, requestId] = [minutesAfter(-1), 'north', 'test'];
  for (const id of ['a', 'b']) {
    const snapshotId = newSnapshotId(receivedAt, id);
    const snapshot = { client, snapshotId, receivedAt, requestId, entries: [entryOf(id, 1)] };
    await putItems(tables.BalanceSnapshots, toSnapshotItems(snapshot));
  }
  const { stock, load } = startLoader();
  await load();
  expect(findingsIn(stock)).toEqual(['no-snapshot south', 'unlisted-code b']);
});

test('a batch whose last write came late is found and read alone, although a newer batch is known', async () => {
  await send('north', -1, { A: 2 });
  const { stock, load } = startLoader();
  for (const minutes of [0, 1, 2]) await load(minutes);
  await send('north', -2, { A: 1, B: 7 });
  calls = [];
  await load(3);
  expect(balancesIn(stock)).toEqual(['A north 2', 'B north 7']);
  expect(batchReads().filter((action) => action === 'GetItem')).toHaveLength(1);
});

test('an open console lists its newest batches again only until an earlier one can no longer appear', async () => {
  await send('north', -60, { A: 1 });
  const { load } = startLoader();
  const listed: number[] = [];
  engine.decide(async (action, _number, call) => {
    if (action !== 'Query' || !call.body.includes(tables.BalanceSnapshots)) return 'through';
    const response = await call.forward();
    listed.push(JSON.parse(String(response.body)).Count);
    return response;
  });
  for (const minutes of [0, 1, 2, 3]) await load(minutes);
  expect(listed).toContain(1);
  listed.length = 0;
  for (const minutes of [4, 5]) await load(minutes);
  expect(Math.max(...listed)).toBe(0);
});

test('no batch is lost if the clock of this machine is an hour ahead, or behind', async () => {
  await send('north', -90, { A: 1 });
  const { stock, load } = startLoader();
  for (const [minutes, clock] of [
    [-2, 60],
    [1, -60],
    [3, 60],
    [5, 60],
  ] as const) {
    await send('north', minutes, { A: minutes });
    await load(minutes + clock);
    expect(balancesIn(stock)).toEqual([`A north ${minutes}`]);
  }
});

test('a batch whose id is in the future hides no other', async () => {
  await send('north', 60 * 24 * 365, { Future: 1 });
  const { stock, load } = startLoader();
  await load();
  await send('north', 1, { A: 1 });
  await load(2);
  expect(balancesIn(stock)).toEqual(['A north 1', 'Future north 1']);
});

test('if the newest known batch is gone from the service, all batches of its client are read again', async () => {
  await send('north', -60, { A: 1 });
  const { stock, load } = startLoader();
  await load();
  const { names } = await emptyDeployment({ engine: engine.endpoint });
  const deployment = { ...session.deployment, tables: { ...names, Clients: tables.Clients } };
  session = { ...session, deployment };
  await putBatch(names.BalanceSnapshots, 'north', minutesAfter(-90), [entryOf('B', 9)]);
  await startLoader(stock).load(1);
  expect(balancesIn(stock)).toEqual(['B north 9']);
});

test('after a failure midway, the next read completes the stock', async () => {
  await send('north', -60, { A: 1, B: 2 });
  await send('north', -30, { A: 3, C: 4 });
  const { stock, load } = startLoader();
  const refused = minutesAfter(-60).toISOString();
  engine.decide((action, _number, { body }) =>
    action === 'GetItem' && body.includes(refused) ? 'deny' : 'through',
  );
  await expect(load()).rejects.toThrow();
  engine.decide(() => 'through');
  await load(1);
  expect(balancesIn(stock)).toEqual(['A north 3', 'B north 2', 'C north 4']);
});

test('a list that was read earlier does not replace one that was read later', async () => {
  const { stock } = startLoader();
  const released = Promise.withResolvers<void>();
  let scans = 0;
  // The first response arrives late.
  session.deployment.dynamodb.middlewareStack.add(
    (next) => async (given) => {
      const response = await next(given);
      scans += 1;
      if (scans === 1) await released.promise;
      return response;
    },
    { step: 'initialize' },
  );
  const earlier = loadLists(stock, session);
  await vi.waitFor(() => expect(scans).toBeGreaterThan(0));
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'NEW' } }]);
  const later = loadLists(stock, session);
  setTimeout(released.resolve, 50);
  await Promise.all([earlier, later]);
  expect(stock.db.prepare('SELECT identifier FROM list_row').all()).toEqual([{ identifier: 'NEW' }]);
});

test('if the second list cannot be read, neither is written, and the next read writes all of both', async () => {
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'A' }, Name: { S: 'Nut' } }]);
  await putItems(tables.PurchaseOrders, [{ PurchaseOrder: { S: 'OT1' } }]);
  const { stock, load } = startLoader();
  engine.decide((_action, _number, { body }) => (body.includes(tables.PurchaseOrders) ? 'deny' : 'through'));
  await expect(load()).rejects.toThrow();
  expect(stock.db.prepare('SELECT identifier FROM list_row').all()).toEqual([]);
  engine.decide(() => 'through');
  await load(1);
  expect(cellsOf(stock.db, tableQueries.codes(stock.db, {}))).toEqual(['A Nut']);
  expect(cellsOf(stock.db, tableQueries.orders(stock.db, {}))).toEqual(['OT1']);
});

type Expiring = [minutes: number, balances: Record<string, number>, expiresAfter?: number];
test.each<[title: string, sent: Expiring[], known: string[]]>([
  [
    'from the oldest on',
    [
      [-60, { A: 1, B: 1, C: 5 }, 60],
      [-50, { A: 2, B: 1 }, 60],
      [-40, { A: 1, B: 1 }],
      [-30, { A: 3, C: 0.5 }],
    ],
    ['A north 3', 'B north 1', 'C north 0.5'],
  ],
  [
    'before the only later one',
    [
      [-60, { A: 1, B: 1 }, 60],
      [-30, { A: 1 }],
    ],
    ['A north 1'],
  ],
  [
    'a later one before an earlier one',
    [
      [-60, { A: 1, B: 9 }],
      [-50, { A: 2 }, 60],
      [-40, { A: 3 }],
    ],
    ['A north 3', 'B north 9'],
  ],
  [
    'all of them',
    [
      [-60, { A: 1 }, 59],
      [-30, { A: 2 }, 60],
    ],
    [],
  ],
])('batches that expire, %s, leave the stock as if they had never been there', async (_, sent, known) => {
  for (const [minutes, balances, expiresAfter] of sent) {
    const [receivedAt, client, requestId] = [minutesAfter(minutes), 'north', 'test'];
    const entries = Object.entries(balances).map(([code, balance]) => entryOf(code, balance));
    const snapshot = { client, snapshotId: newSnapshotId(receivedAt, 'id'), receivedAt, requestId, entries };
    const expiry = expiresAfter === undefined ? {} : { expiresAt: minutesAfter(expiresAfter) };
    await putItems(tables.BalanceSnapshots, toSnapshotItems({ ...snapshot, ...expiry }));
  }
  const shown = ({ db }: Stock) => [
    ...cellsOf(db, tableQueries.balances(db, {})),
    ...cellsOf(db, tableQueries.totals(db, {})),
    ...['A', 'B', 'C'].flatMap((material) => cellsOf(db, tableQueries.history(db, { material }))),
    ...cellsOf(db, tableQueries.batches(db, {})),
  ];
  const [old, fresh] = [startLoader(), startLoader()];
  await old.load();
  const before = shown(old.stock);
  await old.load(58.9);
  expect(shown(old.stock)).toEqual(before);
  await old.load(60);
  await fresh.load(60);
  expect(balancesIn(old.stock)).toEqual(known);
  expect(shown(old.stock)).toEqual(shown(fresh.stock));
});

test('any number of codes that come between two others are sorted, with the right balances and totals', async () => {
  // Batches are read from the newest on, so each code comes right after A.
  const codes = Array.from({ length: 60 }, (_, index) => `M${100 + index}`);
  await send('north', 0, { A: -1, Z: -2 });
  await send('south', 0, { Z: 0.5 });
  for (const [index, code] of codes.entries()) await send('north', index - 100, { [code]: index });
  const { stock, load } = startLoader();
  await load();
  const rows = codes.map((code, index) => `${code} north ${index}`);
  expect(balancesIn(stock)).toEqual(['A north -1', ...rows, 'Z north -2', 'Z south 0.5']);
  const totals = tableQueries.totals(stock.db, {});
  expect(cellsOf(stock.db, totals, ['MaterialCode', 'StockBalance']).slice(-2)).toEqual([
    'M159 59',
    'Z -1.5',
  ]);
});

describe('the state of the stock', () => {
  const stateOf = ({ db }: Stock) => {
    const { unread, batches, completeSince } = readStockState(db);
    return [unread, batches, completeSince && (completeSince - NOW.getTime()) / MINUTE_MS];
  };
  const sendAll = async () => {
    for (const minutes of [-60, -40, -20]) await send('north', minutes, { A: minutes });
    await send('south', -50, { A: 1 });
  };
  /** The engine refuses what has this text. */
  const deny = (action: string, text: string) =>
    engine.decide((called, _, { body }) => (called === action && body.includes(text) ? 'deny' : 'through'));
  const A_MILLISECOND = 1 / MINUTE_MS;

  test('is complete since the first batch if all are read, also if one is damaged or a warehouse has none', async () => {
    const { stock, load } = startLoader();
    await load();
    expect(stateOf(stock)).toEqual([0, 0, null]);
    await putItems(tables.BalanceSnapshots, [damagedBatch(-70)]);
    for (const minutes of [-60, -40]) await send('north', minutes, { A: 1 });
    await load();
    expect(stateOf(stock)).toEqual([0, 3, -70]);
  });

  test('has a gap before an older batch that is not read, and none before a new one', async () => {
    await sendAll();
    deny('GetItem', minutesAfter(-60).toISOString());
    const { stock, load } = startLoader();
    await expect(load()).rejects.toThrow();
    expect(stateOf(stock)).toEqual([1, 4, expect.closeTo(-60 + A_MILLISECOND, 6)]);
    engine.decide(() => 'through');
    await load();
    expect(stateOf(stock)).toEqual([0, 4, -60]);
    const id = await send('north', 1, { A: 7, B: 1 });
    deny('GetItem', id);
    await expect(load(2)).rejects.toThrow();
    expect(stateOf(stock)).toEqual([1, 5, -60]);
    expect(balancesIn(stock)).toEqual(['A north -20', 'A south 1']);
    expect(cellsOf(stock.db, tableQueries.batches(stock.db, { id }), ['Difference', 'State'])).toEqual([
      '1 unread',
    ]);
    expect(cellsOf(stock.db, tableQueries.entries(stock.db, { client: 'north', id }))).toEqual([]);
  });

  test('is not complete while the batches of a warehouse are listed in part, or none of them is read', async () => {
    await sendAll();
    // The newest two are listed first. The mark of a restore is read before them.
    engine.decide((_action, _number, { body }) =>
      body.includes('"ScanIndexForward":true') && !body.includes(':restore') ? 'deny' : 'through',
    );
    const { stock, load } = startLoader();
    await expect(load()).rejects.toThrow();
    expect(stateOf(stock)).toEqual([0, 3, -40]);
    engine.decide(() => 'through');
    const other = startLoader();
    deny('GetItem', `"south"`);
    await expect(other.load()).rejects.toThrow();
    expect(stateOf(other.stock)[2]).toBeNull();
  });
});

const damagedBatch = (minutes: number) => ({
  Client: { S: 'north' },
  SnapshotId: { S: `${minutesAfter(minutes).toISOString()}-odd` },
  ReceivedAt: { S: minutesAfter(minutes).toISOString() },
  RequestId: { S: 'odd' },
  EntryCount: { N: '2' },
  Parts: { N: '1' },
  Balances: { M: {} },
});

test('a damaged batch is kept with its message and not read again, and the others are read', async () => {
  const id = await send('north', -60, { A: 1 });
  await putItems(tables.BalanceSnapshots, [damagedBatch(-30)]);
  const { stock, load } = startLoader();
  await load();
  expect(balancesIn(stock)).toEqual(['A north 1']);
  expect(stock.db.prepare('SELECT snapshot_id, state, damage FROM batch ORDER BY instant').all()).toEqual([
    { snapshot_id: id, state: 'loaded', damage: null },
    expect.objectContaining({ state: 'damaged', damage: expect.stringContaining('has only 0 of 2 entries') }),
  ]);
  calls = [];
  await load(10);
  expect(batchReads()).not.toContain('GetItem');
});

describe('changes', () => {
  /** Received at `minutes`, when the clock of the client showed `onClock`. */
  const change = (minutes: number, onClock = minutes) => ({
    Client: { S: 'north' },
    Timestamp: { S: minutesAfter(onClock).toISOString().replace('.', ',') },
    ReceivedAt: { S: minutesAfter(minutes).toISOString() },
    RequestId: { S: `received ${minutes}` },
  });
  const putChanges = (...changes: ReturnType<typeof change>[]) => putItems(tables.ChangeTimestamps, changes);
  const changesIn = ({ db }: Stock) => cellsOf(db, tableQueries.changes(db, {}), ['RequestId'], 'ReceivedAt');
  const DAYS = DAY_MS / MINUTE_MS;

  test('are read once, also when the clock of their client was set back', async () => {
    await putChanges(change(-60, 0));
    const { stock, load } = startLoader();
    await load();
    await putChanges(change(1, -59), change(2, -58));
    await load(3);
    expect(changesIn(stock)).toEqual(['received -60', 'received 1', 'received 2']);
  });

  test('of a clock that is years ahead hide none that are received later', async () => {
    await putChanges(change(-60), change(-59, 5_000 * DAYS));
    const { stock, load } = startLoader();
    await load();
    await putChanges(change(1), change(2, 4_000 * DAYS));
    await load(3);
    expect(changesIn(stock)).toEqual(['received -60', 'received -59', 'received 1', 'received 2']);
  });

  test('of a backlog are found by the next command, and by an open console within an hour', async () => {
    await putChanges(change(-5));
    const { stock, load } = startLoader();
    await load();
    await putChanges(change(1, -30 * DAYS), change(2, -20 * DAYS), change(3, -2), change(4));
    await load(5);
    expect(changesIn(stock)).toEqual(['received -5', 'received 3', 'received 4']);
    await load(60);
    const all = [-5, 1, 2, 3, 4].map((minutes) => `received ${minutes}`);
    expect(changesIn(stock)).toEqual(all);
    await putChanges(change(70, -25 * DAYS));
    await startLoader(stock).load(71);
    expect(changesIn(stock)).toEqual([...all, 'received 70']);
  });
});

test('a removed or deleted client has no balances and is no client, and one whose item is damaged keeps its own', async () => {
  for (const client of ['north', 'south']) await send(client, -60, { A: 1 });
  const update = (client: string, UpdateExpression: string) =>
    session.deployment.dynamodb.send(
      new UpdateItemCommand({ TableName: tables.Clients, Key: { Client: { S: client } }, UpdateExpression }),
    );
  await update('south', 'REMOVE Slot');
  const { stock, load } = startLoader();
  await load();
  const clients = () => cellsOf(stock.db, tableQueries.clients(stock.db, {}), ['Client']);
  expect([balancesIn(stock), clients()]).toEqual([['A north 1', 'A south 1'], ['north']]);
  await update('north', 'SET RemovedAt = PasswordChangedAt');
  await load(1);
  expect([balancesIn(stock), clients()]).toEqual([['A south 1'], []]);
  await update('north', 'REMOVE RemovedAt');
  await load(2);
  expect(clients()).toEqual(['north']);
  const Key = { Client: { S: 'north' } };
  await session.deployment.dynamodb.send(new DeleteItemCommand({ TableName: tables.Clients, Key }));
  await load(3);
  expect([balancesIn(stock), clients()]).toEqual([['A south 1'], []]);
});

test('a search finds texts of the list, until their row is removed', async () => {
  await send('north', -60, { 'Steel-10': 1, B: 2 });
  const codes = ['B', 'C'].map((code) => ({ MaterialCode: { S: code }, Name: { S: 'Кабель' } }));
  await putItems(tables.MaterialCodes, codes);
  await putItems(tables.PurchaseOrders, [{ PurchaseOrder: { S: 'Steel-10' }, Name: { S: 'Кабель' } }]);
  const { stock, load } = startLoader();
  await load();
  expect(balancesIn(stock, { search: 'КАБ' })).toEqual(['B Кабель north']);
  expect(balancesIn(stock, { search: 'stееl' })).toEqual(['Steel-10  north']);
  const Key = { MaterialCode: { S: 'B' } };
  await session.deployment.dynamodb.send(new DeleteItemCommand({ TableName: tables.MaterialCodes, Key }));
  await load(1);
  expect(balancesIn(stock, { search: 'КАБ' })).toEqual([]);
});

test('what a day brought is added to a file of yesterday, also of a client that had sent nothing', async () => {
  await send('north', -60, { A: 1 });
  const { stock, load } = startLoader();
  await load();
  await send('north', DAY_MS / MINUTE_MS - 5, { A: 2 });
  for (const minutes of [1, 2, 3]) await send('south', minutes, { [`B${minutes}`]: minutes });
  await startLoader(stock).load(DAY_MS / MINUTE_MS);
  expect(balancesIn(stock)).toEqual(['A north 2', 'B1 south 1', 'B2 south 2', 'B3 south 3']);
});

test('lists have their attributes as columns, and a number keeps its digits', async () => {
  await putItems(tables.MaterialCodes, [
    {
      MaterialCode: { S: 'B' },
      Size: { N: '9' },
      Long: { N: '12345678901234567890' },
      Name: { S: 'Кабель' },
    },
    { MaterialCode: { S: 'A' }, Size: { N: '10.5' }, Old: { BOOL: true }, Tags: { L: [{ S: 'x' }] } },
    { MaterialCode: { S: 'C' }, Name: { S: 'Kabel \'"1' }, Size: { NULL: true }, Old: { NULL: true } },
  ]);
  await putItems(tables.PurchaseOrders, [
    { PurchaseOrder: { S: 'OT1' }, Name: { S: 'Bolts' }, 'Buyer\'s "name"': { S: 'Ann' } },
  ]);
  await send('north', -1, { A: 1, B: 1, C: 1 });
  const { stock, load } = startLoader();
  await load();
  const codes = (search = '') => tableQueries.codes(stock.db, { search });
  expect(codes().columns.map(({ name, attribute = name, kind }) => `${attribute} ${kind}`)).toEqual([
    'MaterialCode text',
    'Name text',
    'Long text',
    'Old text',
    'Size number',
    'Tags text',
  ]);
  expect(cellsOf(stock.db, codes())).toEqual([
    'A   true 10.5 ["x"]',
    'B Кабель 12345678901234567890  9 ',
    `C Kabel '"1    `,
  ]);
  for (const query of [codes(), tableQueries.balances(stock.db, {})])
    expect(cellsOf(stock.db, query, ['MaterialCode'], '-list.Size')).toEqual(['A', 'B', 'C']);
  expect(cellsOf(stock.db, codes('Kабель'), ['MaterialCode'])).toEqual(['B']);
  expect(cellsOf(stock.db, tableQueries.orders(stock.db, { search: 'ann' }))).toEqual(['OT1 Bolts Ann']);
});

const findingsIn = ({ db }: Stock) =>
  rowsOf<{ kind: string; subject: string }>(db.prepare('SELECT kind, subject FROM finding ORDER BY id')).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );

test('the findings of the last two batches are there with the latest balances, and those of a next batch later', async () => {
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
  await send('north', -90, { A: 1 });
  await send('north', -60, { A: 7 });
  await send('north', -30, { A: -7 });
  await send('south', -30, { A: 1 });
  const { stock, load } = startLoader();
  const found: string[][] = [];
  const oldest = minutesAfter(-90).toISOString();
  engine.decide((action, _number, { body }) => {
    if (action === 'GetItem' && body.includes(oldest)) found.push(findingsIn(stock));
    return 'through';
  });
  await load();
  expect(found).toEqual([['sign-flipped A']]);
  expect(findingsIn(stock)).toEqual(['sign-flipped A']);
  await send('north', 1, { A: -7, B: 1 });
  const before = readVersion(stock.db);
  await load(2);
  const after = readVersion(stock.db);
  expect(after).not.toBe(before);
  expect(findingsIn(stock)).toEqual(['unlisted-code B']);
  await load(3);
  expect(readVersion(stock.db)).toBe(after);
});

test('what is written without a new version, because the process was killed, is not there', async () => {
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
  await send('north', -60, { A: 1 });
  const { stock, load } = startLoader();
  await load();
  await send('north', 1, { B: 1 });
  await putItems(tables.MaterialCodes, [{ MaterialCode: { S: 'B' } }]);
  stock.db.exec(
    `CREATE TEMP TRIGGER killed BEFORE UPDATE ON main.meta BEGIN SELECT RAISE(ABORT, 'killed'); END`,
  );
  await expect(load(2)).rejects.toThrow('killed');
  await expect(loadLists(stock, session)).rejects.toThrow('killed');
  stock.db.exec('DROP TRIGGER killed');
  expect(balancesIn(stock)).toEqual(['A north 1']);
  expect(cellsOf(stock.db, tableQueries.codes(stock.db, {}))).toEqual(['A']);
  const before = readVersion(stock.db);
  await load(3);
  expect(readVersion(stock.db)).not.toBe(before);
  expect(findingsIn(stock)).toEqual(['no-snapshot south', 'no-balance A']);
});

test('a read of one warehouse alone, or without the lists, keeps the findings of all', async () => {
  await send('north', -60, { A: 1 });
  const { stock, load } = startLoader();
  await load();
  const before = findingsIn(stock);
  await send('north', 1, { B: 1 });
  await createLoader(stock)({ ...session, now: minutesAfter(2) }, { client: 'north' });
  await createLoader(stock)({ ...session, now: minutesAfter(2) }, { needs: { batches: 'all' } });
  expect(findingsIn(stock)).toEqual(before);
  await load(3);
  expect(findingsIn(stock)).toEqual(['no-snapshot south', 'unlisted-code B']);
});
