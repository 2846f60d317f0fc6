import { join } from 'node:path';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openStock } from '../../admin/stock/database/open-stock.ts';
import { createLoader } from '../../admin/stock/loading/load-stock.ts';
import { tableQueries } from '../../admin/stock/tables/tables.ts';
import type { AwsCall } from '../../local/services/proxy.ts';
import { newSnapshotId, toSnapshotItems } from '../../shared/storage/snapshot.ts';
import type { TableName } from '../../shared/tables.ts';
import { DAY_MS, HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf, largeBatch, storedBatch } from '../support/batches.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { itemsOf, startFaultyEngine, testClient } from '../support/tables.ts';
import { testSession } from './console/test-console.ts';
import { adminHereOn } from './in-process.ts';
import { cellsOf } from './stock/make-stock.ts';
import { emptyDeployment, putBatch, putItems } from './tables.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let names: Record<TableName, string>;
let data: string;
let restored: Record<TableName, string>;
beforeEach(async () => {
  engine.decide(() => 'through');
  ({ names, data } = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] }));
  ({ names: restored } = await emptyDeployment());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const NOW = Date.now();
const ago = (hours: number) => new Date(NOW - hours * HOUR_MS);
const entriesOf = (balances: Record<string, number>) =>
  Object.entries(balances).map(([code, balance]) => entryOf(code, balance));
const send = (hours: number, balances: Record<string, number>, table = names.BalanceSnapshots) =>
  putBatch(table, 'north', ago(hours), entriesOf(balances));
const sendFromSouth = (hours: number, balances: Record<string, number>) =>
  putBatch(names.BalanceSnapshots, 'south', ago(hours), entriesOf(balances));
const change = (hours: number) => ({
  Client: { S: 'north' },
  Timestamp: { S: ago(hours).toISOString().replace('.', ',') },
  ReceivedAt: { S: ago(hours).toISOString() },
  RequestId: { S: `${hours} hours ago` },
});

const run = async (...line: string[]) => {
  const { code, stdout, stderr } = await adminHereOn(data, [...line, '--json']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
};

/** A machine of an admin, which keeps what its commands have read. */
const newMachine = () => {
  const folder = temporaryFolder();
  const runHere = (...line: string[]) => {
    vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
    return run(...line);
  };
  return {
    run: runHere,
    balances: async () => {
      const rows: { MaterialCode: string; StockBalance: number }[] = await runHere('balances');
      return rows.map(({ MaterialCode, StockBalance }) => `${MaterialCode} ${StockBalance}`);
    },
    latest: async (): Promise<string> => (await runHere('snapshots', 'show', 'latest')).SnapshotId,
  };
};

/** A console that stays open. */
const openConsole = async (file = ':memory:') => {
  const stock = openStock(file);
  const load = createLoader(stock);
  const session = await testSession(data);
  return {
    read: async () => {
      await load({ ...session, now: new Date() });
      return cellsOf(stock.db, tableQueries.balances(stock.db, {}), ['MaterialCode', 'StockBalance']);
    },
  };
};

/** Decides over each put of a restore by the number of batches so far. The other puts are of the mark. */
const onPut = (decide: (batches: number, isOfBatch: boolean) => Fault | Promise<Fault>) => {
  let batches = 0;
  engine.decide((action, _, { body }) => {
    if (action !== 'PutItem') return 'through';
    const isOfBatch = !body.includes('":restore"');
    if (isOfBatch) batches += 1;
    return decide(batches, isOfBatch);
  });
};

const restoreLine = (table: TableName = 'BalanceSnapshots') => ['restore', table, '--from', restored[table]];
const restore = (table?: TableName) => adminHereOn(data, restoreLine(table));
describe('a restore', () => {
  test('of batches is seen by all machines and consoles, which read no batch twice, and then only what is new', async () => {
    await send(1, { A: 1 });
    const [own, other, openedConsole] = [newMachine(), newMachine(), await openConsole()];
    for (const machine of [own, other]) expect(await machine.balances()).toEqual(['A 1']);
    expect(await openedConsole.read()).toEqual(['A 1']);
    await send(9, { B: 7 }, restored.BalanceSnapshots);
    await own.run(...restoreLine());
    let reads: string[] = [];
    engine.decide((action, _, { body }) => {
      if (body.includes(names.BalanceSnapshots) && body.includes('"north"')) reads.push(`${action} ${body}`);
      return 'through';
    });
    const readAll = async () => {
      for (const machine of [own, other]) expect(await machine.balances()).toEqual(['A 1', 'B 7']);
      expect(await openedConsole.read()).toEqual(['A 1', 'B 7']);
    };
    await readAll();
    expect(reads.filter((read) => read.startsWith('GetItem'))).toHaveLength(3);
    reads = [];
    await readAll();
    const starts = reads.map((read) => /":since":\{"S":"([^"]*)/.exec(read)?.[1] ?? '');
    expect(starts).toHaveLength(3);
    for (const start of starts) expect(start > ago(2).toISOString()).toBe(true);
  });

  test('of changes is seen by other machines, however old the changes are', async () => {
    const other = newMachine();
    await putItems(names.ChangeTimestamps, [change(1)]);
    expect(await other.run('changes', 'list')).toHaveLength(1);
    await putItems(restored.ChangeTimestamps, [change(99), change(1)]);
    await newMachine().run(...restoreLine('ChangeTimestamps'));
    expect(await other.run('changes', 'list')).toHaveLength(2);
  });

  test('of the parts of a batch makes a machine read it again, on which it was damaged', async () => {
    const large = toSnapshotItems({
      ...{ client: 'north', snapshotId: newSnapshotId(ago(2), 'x'), receivedAt: ago(2), requestId: 'x' },
      entries: storedBatch(largeBatch()),
    });
    expect(large.length).toBeGreaterThan(1);
    await putItems(names.BalanceSnapshots, large.slice(0, 1));
    await putItems(restored.BalanceSnapshots, large);
    const other = newMachine();
    expect(await other.balances()).toEqual([]);
    await newMachine().run(...restoreLine());
    expect(await other.balances()).toHaveLength(storedBatch(largeBatch()).length);
  });

  /** Restores three batches. An open console reads after the first mark and before any batch is written. */
  const restoreWhileReading = async ({ third = 'through', end = 'through' }: Record<string, Fault> = {}) => {
    await send(1, { A: 1 });
    for (const hours of [9, 8, 7]) await send(hours, { [`M${hours}`]: hours }, restored.BalanceSnapshots);
    const reader = await openConsole();
    await reader.read();
    let reading: Promise<string[]> | undefined;
    onPut(async (batches, isOfBatch) => {
      if (!isOfBatch) return batches === 3 ? end : 'through';
      reading ??= reader.read();
      expect(await reading).toEqual(['A 1']);
      return batches === 3 ? third : 'through';
    });
    return { reader, outcome: await restore() };
  };
  const ALL = ['A 1', 'M7 7', 'M8 8', 'M9 9'];

  test('is also seen by a console that read before its end', async () => {
    const { reader, outcome } = await restoreWhileReading();
    expect(outcome).toMatchObject({ code: 0 });
    expect(await reader.read()).toEqual(ALL);
  });

  test('that fails is also seen by such a console, as far as it went', async () => {
    const { reader, outcome } = await restoreWhileReading({ third: 'deny' });
    expect(outcome).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('2 of 3 missing items restored'),
    });
    expect(await reader.read()).toHaveLength(3);
  });

  test('whose end no console was told is run again, which tells all', async () => {
    const { reader, outcome } = await restoreWhileReading({ end: 'deny' });
    const words = /not allowed to .*\nResult of .* so far: 3 of 3 missing items restored\. Run the same/;
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(words) });
    expect(await reader.read()).toEqual(['A 1']);
    engine.decide(() => 'through');
    expect(await restore()).toMatchObject({ code: 0, stderr: 'Nothing is missing.\n' });
    expect(await reader.read()).toEqual(ALL);
  });

  test('that cannot leave its mark restores nothing', async () => {
    await send(9, { A: 1 }, restored.BalanceSnapshots);
    onPut((_, isOfBatch) => (isOfBatch ? 'through' : 'deny'));
    const words = expect.stringContaining('so far: 0 of 1 missing item restored.');
    expect(await restore()).toMatchObject({ code: 1, stderr: words });
    expect(await itemsOf(names.BalanceSnapshots)).toEqual([]);
  });

  test('that was killed is seen as far as it went', async () => {
    for (const hours of [9, 8]) await send(hours, { A: hours }, restored.BalanceSnapshots);
    const other = newMachine();
    expect(await other.balances()).toEqual([]);
    onPut((batches) => (batches > 1 ? 'deny' : 'through'));
    expect(await restore()).toMatchObject({ code: 1 });
    engine.decide(() => 'through');
    expect(await other.balances()).toHaveLength(1);
  });

  test('that one process notices while another one reads into the same file is missed by neither', async () => {
    await send(1, { A: 1 });
    const file = join(temporaryFolder(), 'stock.sqlite');
    const [first, second] = [await openConsole(file), await openConsole(file)];
    await first.read();
    for (const hours of [9, 8, 7]) await send(hours, { [`M${hours}`]: hours }, restored.BalanceSnapshots);
    const [listed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const isList = ({ body }: AwsCall) => body.includes(names.BalanceSnapshots) && body.includes('"north"');
    const onFirstList = (act: (call: AwsCall) => Promise<Fault>) => {
      let hasListed = false;
      engine.decide((action, _, call) => {
        if (hasListed || action !== 'Query' || !isList(call)) return 'through';
        hasListed = true;
        return act(call);
      });
    };
    onFirstList(async (call) => {
      const response = await call.forward();
      listed.resolve();
      await released.promise;
      return response;
    });
    const reading = first.read();
    await listed.promise;
    await run(...restoreLine());
    onFirstList(async () => {
      released.resolve();
      await reading;
      return 'through';
    });
    for (const reader of [second, first]) expect(await reader.read()).toEqual(ALL);
  });

  const marks = async () =>
    (await itemsOf(names.BalanceSnapshots)).filter(({ Client }) => Client?.S === ':restore');

  test('writes no mark if nothing is missing, in a dry run, or for a list', async () => {
    for (const table of [names, restored]) await send(9, { A: 1 }, table.BalanceSnapshots);
    await putItems(restored.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
    await putItems(restored.ChangeTimestamps, [change(1)]);
    for (const table of ['BalanceSnapshots', 'MaterialCodes'] as const) await run(...restoreLine(table));
    await run(...restoreLine('ChangeTimestamps'), '--dry-run');
    expect(await marks()).toEqual([]);
  });

  test('leaves one mark, which is no batch, and which neither a sweep nor another restore touches', async () => {
    await send(9, { A: 1 }, restored.BalanceSnapshots);
    await run(...restoreLine());
    const [mark, ...others] = await marks();
    expect(others).toEqual([]);
    const key = { Client: { S: 'north:2' }, SnapshotId: { S: newSnapshotId(ago(9), 'orphan') } };
    const part = { ReceivedAt: { S: ago(9).toISOString() }, RequestId: { S: 'x' }, EntryCount: { N: '1' } };
    await putItems(names.BalanceSnapshots, [{ ...key, ...part, Parts: { N: '2' }, Balances: { M: {} } }]);
    expect(await run('snapshots', 'sweep')).toHaveLength(1);
    expect(await newMachine().run('snapshots', 'list')).toHaveLength(1);
    // The backup of a table that had a restore has a mark, too.
    await putItems(restored.BalanceSnapshots, [
      { ...key, Client: { S: ':restore' }, SnapshotId: { S: ':restore' } },
    ]);
    for (const more of [['--dry-run'], []])
      expect(await run(...restoreLine(), ...more)).toMatchObject({ Missing: 0, Same: 1, Differing: 0 });
    expect(await marks()).toEqual([mark]);
    // The live table may have no mark.
    await testClient().send(
      new DeleteItemCommand({
        TableName: names.BalanceSnapshots,
        Key: { Client: { S: ':restore' }, SnapshotId: { S: ':restore' } },
      }),
    );
    expect(await run(...restoreLine())).toMatchObject({ Missing: 0, Same: 1 });
    expect(await marks()).toEqual([]);
  });
});

describe('the clock of a machine', () => {
  const sendExpiring = (hours: number, code: string) => {
    const receivedAt = ago(hours);
    const expiresAt = new Date(receivedAt.getTime() + 20 * DAY_MS);
    const snapshot = { client: 'north', snapshotId: newSnapshotId(receivedAt, 'x'), receivedAt, expiresAt };
    const items = toSnapshotItems({ ...snapshot, requestId: 'x', entries: [entryOf(code, 1)] });
    return putItems(names.BalanceSnapshots, items);
  };

  test.each([
    ['after it has read all', true],
    ['from the start', false],
  ])('that was 15 days ahead once, %s, leaves no batch out afterwards', async (_, hasRead) => {
    for (const days of [10, 9, 1]) await sendExpiring(days * 24, `${days} days old`);
    const [machine, other] = [newMachine(), newMachine()];
    if (hasRead) expect(await machine.balances()).toHaveLength(3);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    expect(await machine.balances()).toEqual(['1 days old 1']);
    vi.useRealTimers();
    for (const line of [
      ['balances'],
      ['snapshots', 'list'],
      ['snapshots', 'export'],
      ['history', '9 days old'],
    ])
      expect(await machine.run(...line)).toEqual(await other.run(...line));
    expect(await machine.balances()).toHaveLength(3);
  });
});

describe('batches of one millisecond', () => {
  const receivedAt = ago(1);
  const idOf = (suffix: string) => newSnapshotId(receivedAt, suffix);
  const put = (suffix: string, balance: number) => {
    const snapshot = { client: 'north', snapshotId: idOf(suffix), receivedAt, requestId: 'x' };
    const entries = [entryOf('A', balance), entryOf(suffix, 1)];
    return putItems(names.BalanceSnapshots, toSnapshotItems({ ...snapshot, entries }));
  };

  test.each([
    ['a', 'b', 'c'],
    ['a', 'c', 'b'],
    ['b', 'a', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['c', 'b', 'a'],
  ])('that appear as %s, %s and %s have the same order on each machine', async (...suffixes) => {
    const machine = newMachine();
    for (const [place, suffix] of suffixes.entries()) {
      await put(suffix, place);
      await machine.balances();
    }
    const other = newMachine();
    expect(await machine.latest()).toBe(idOf('c'));
    for (const line of [['balances'], ['snapshots', 'list'], ['snapshots', 'export'], ['history', 'A']])
      expect(await machine.run(...line)).toEqual(await other.run(...line));
  });

  test('keep their balances if one appears while a process reads another one into the same file', async () => {
    await put('b', 2);
    const file = join(temporaryFolder(), 'stock.sqlite');
    const [first, second] = [await openConsole(file), await openConsole(file)];
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    engine.decide(async (action): Promise<Fault> => {
      if (action !== 'GetItem') return 'through';
      reached.resolve();
      await released.promise;
      return 'through';
    });
    const reading = first.read();
    await reached.promise;
    await put('a', 1);
    engine.decide((action) => (action === 'GetItem' ? 'deny' : 'through'));
    await expect(second.read()).rejects.toThrow('not authorized');
    engine.decide(() => 'through');
    released.resolve();
    await reading;
    for (const reader of [first, second]) expect(await reader.read()).toEqual(['A 2', 'a 1', 'b 1']);
  });
});

describe('a check in a file says since when a finding is there at least', () => {
  const sinceOn = async (machine: ReturnType<typeof newMachine>, subject: string) => {
    const found: { Subject: string; SinceAtLeast: string | null }[] = await machine.run('check');
    return found.find(({ Subject }) => Subject === subject)?.SinceAtLeast;
  };
  const time = (hours: number) => ago(hours).toISOString();

  test('which a machine that has read all says more exactly', async () => {
    for (const hours of [9, 8, 7]) await send(hours, { A: 1 });
    const machine = newMachine();
    expect(await sinceOn(machine, 'A')).toBe(time(8));
    await machine.balances();
    expect(await sinceOn(machine, 'A')).toBe(time(9));
  });

  test.each([
    ['does not know', []],
    ['knows, but has not read', ['snapshots', 'list']],
    ['has read', ['balances']],
  ])('but not from before a batch without it, which a machine %s', async (_, line) => {
    const machine = newMachine();
    for (const hours of [9, 8]) await send(hours, { A: 1 });
    expect(await sinceOn(machine, 'A')).toBe(time(9));
    await send(7, { B: 1 });
    for (const hours of [6, 5]) await send(hours, { A: 1 });
    if (line.length > 0) await machine.run(...line);
    expect(await sinceOn(machine, 'A')).toBe(time(6));
    expect(await sinceOn(newMachine(), 'A')).toBe(time(6));
  });

  test('of a code that all have left out, but not from before a batch that may have it', async () => {
    await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
    await send(9, { A: 1 });
    await send(8, { B: 1 });
    await sendFromSouth(7, { A: 1 });
    for (const hours of [6, 5]) await sendFromSouth(hours, { B: 1 });
    const machine = newMachine();
    await machine.run('balances', '--client', 'north');
    expect(await sinceOn(machine, 'A')).toBe(time(6));
    await sendFromSouth(4, { B: 1 });
    expect(await sinceOn(machine, 'A')).toBe(time(5));
    await machine.balances();
    expect(await sinceOn(machine, 'A')).toBe(time(6));
  });
});
