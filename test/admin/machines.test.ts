import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AwsCall } from '../../local/services/proxy.ts';
import { newSnapshotId, toSnapshotItems } from '../../shared/storage/snapshot.ts';
import type { TableName } from '../../shared/tables.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { openConsole } from '../support/console.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { itemsOf, startFaultyEngine } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { deleteItem, emptyDeployment, putBatch, putItems } from './tables.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let names: Record<TableName, string>;
let data: string;
beforeEach(async () => {
  engine.decide(() => 'through');
  ({ names, data } = await emptyDeployment({ engine: engine.endpoint, clients: ['north', 'south'] }));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const NOW = Date.now();
const ago = (hours: number) => new Date(NOW - hours * HOUR_MS);
type Balances = Record<string, number>;
const sendTo = (table: string, hours: number, balances: Balances, client = 'north') => {
  const entries = Object.entries(balances).map(([code, balance]) => entryOf(code, balance));
  return putBatch(table, client, ago(hours), entries);
};
const send = (hours: number, balances: Balances, client?: string) =>
  sendTo(names.BalanceSnapshots, hours, balances, client);

/** A machine of an admin, which keeps what its commands have read. */
const newMachine = () => {
  const folder = temporaryFolder();
  const outcome = (...line: string[]) => {
    vi.stubEnv('WAREHOUSE_ADMIN_CACHE', folder);
    return adminHereOn(data, [...line, '--json']);
  };
  const run = async (...line: string[]) => {
    const { code, stdout, stderr } = await outcome(...line);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout);
  };
  return { outcome, run, balances: async () => describeBalances(await run('balances')) };
};
type Machine = ReturnType<typeof newMachine>;

const describeBalances = (rows: { MaterialCode?: unknown; StockBalance?: unknown }[]) =>
  rows.map(({ MaterialCode, StockBalance }) => `${MaterialCode} ${StockBalance}`);

/** A console that stays open. */
const openReader = async () => {
  const { rows, stop } = await openConsole(data, { isInThreads: false });
  onTestFinished(stop);
  return { balances: async () => describeBalances(await rows('balances')) };
};

const isOfNorth = ({ body }: AwsCall) => body.includes(names.BalanceSnapshots) && body.includes('"north"');

describe('a restore', () => {
  /** The tables that AWS made from backups. */
  let restored: Record<TableName, string>;
  beforeEach(async () => {
    ({ names: restored } = await emptyDeployment());
  });
  const sendRestored = (hours: number, balances: Balances) =>
    sendTo(restored.BalanceSnapshots, hours, balances);
  const change = (hours: number) => ({
    Client: { S: 'north' },
    Timestamp: { S: ago(hours).toISOString().replace('.', ',') },
    ReceivedAt: { S: ago(hours).toISOString() },
    RequestId: { S: `${hours} hours ago` },
  });
  const restoreLine = (table: TableName = 'BalanceSnapshots') => [
    'restore',
    table,
    '--from',
    restored[table],
  ];
  const restore = (table?: TableName) => newMachine().outcome(...restoreLine(table));

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

  test('of batches is seen by all machines and consoles, which then read only what is new', async () => {
    await send(1, { A: 1 });
    const readers = [newMachine(), newMachine(), await openReader()];
    for (const reader of readers) expect(await reader.balances()).toEqual(['A 1']);
    await sendRestored(9, { B: 7 });
    await restore();
    let reads: string[] = [];
    engine.decide((action, _, call) => {
      if (isOfNorth(call)) reads.push(`${action} ${call.body}`);
      return 'through';
    });
    for (const reader of readers) expect(await reader.balances()).toEqual(['A 1', 'B 7']);
    reads = [];
    for (const reader of readers) expect(await reader.balances()).toEqual(['A 1', 'B 7']);
    const starts = reads.map((read) => /":key":\{"S":"([^"]*)/.exec(read)?.[1] ?? '');
    expect(starts).toHaveLength(3);
    for (const start of starts) expect(start > ago(2).toISOString()).toBe(true);
  });

  test('of changes is seen by other machines, however old the changes are', async () => {
    const other = newMachine();
    await putItems(names.ChangeTimestamps, [change(1)]);
    expect(await other.run('changes', 'list')).toHaveLength(1);
    await putItems(restored.ChangeTimestamps, [change(99), change(1)]);
    await restore('ChangeTimestamps');
    expect(await other.run('changes', 'list')).toHaveLength(2);
  });

  test('of records is seen by other machines, however old the changes of the lists are', async () => {
    const file = join(temporaryFolder(), 'codes.csv');
    const other = newMachine();
    const add = async (code: string) => {
      writeFileSync(file, `MaterialCode\n${code}\n`);
      expect(await newMachine().outcome('codes', 'import', file)).toMatchObject({ code: 0 });
    };
    await add('A');
    const older = await itemsOf(names.AdminRecords);
    await putItems(restored.AdminRecords, older);
    for (const { Topic = { S: '' }, Id = { S: '' } } of older)
      await deleteItem(names.AdminRecords, { Topic, Id });
    await add('B');
    const history = async () => (await other.run('codes', 'history')).length;
    expect(await history()).toBe(1);
    await restore('AdminRecords');
    expect(await history()).toBe(2);
  });

  test('of the parts of a batch makes a machine read it again, on which it was damaged', async () => {
    const snapshot = { client: 'north', snapshotId: newSnapshotId(ago(2), 'x'), receivedAt: ago(2) };
    const partWith = (code: string) =>
      toSnapshotItems({ ...snapshot, requestId: 'x', entries: [entryOf(code, 1)] }).map((item) => {
        return { ...item, EntryCount: { N: '2' }, Parts: { N: '2' } };
      });
    const later = partWith('B').map((item) => ({ ...item, Client: { S: 'north:2' } }));
    await putItems(names.BalanceSnapshots, partWith('A'));
    await putItems(restored.BalanceSnapshots, [...partWith('A'), ...later]);
    const other = newMachine();
    expect(await other.balances()).toEqual([]);
    await restore();
    expect(await other.balances()).toEqual(['A 1', 'B 1']);
  });

  const ALL = ['A 1', 'M7 7', 'M8 8', 'M9 9'];
  const sendAndRestoreLater = async () => {
    await send(1, { A: 1 });
    for (const hours of [9, 8, 7]) await sendRestored(hours, { [`M${hours}`]: hours });
  };

  test.each<[string, Fault, Fault, seen: number, words: RegExp]>([
    ['succeeds', 'through', 'through', 4, /^3 of 3 missing items restored\.$/m],
    [
      'fails at the third batch',
      'deny',
      'through',
      3,
      /not allowed to .*\nResult of .* so far: 2 of 3 missing/,
    ],
    ['cannot tell its end', 'through', 'deny', 1, /not allowed to .*\nResult of .* so far: 3 of 3 missing/],
  ])(
    'that %s is seen, as far as it told, by a console that read meanwhile, and the next one tells all',
    async (_, third, end, seen, words) => {
      await sendAndRestoreLater();
      const reader = await openReader();
      await reader.balances();
      let reading: Promise<string[]> | undefined;
      // The console reads after the first mark and before any batch is written.
      onPut(async (batches, isOfBatch) => {
        if (!isOfBatch) return batches === 3 ? end : 'through';
        reading ??= reader.balances();
        expect(await reading).toEqual(['A 1']);
        return batches === 3 ? third : 'through';
      });
      const { code, stderr } = await restore();
      expect({ code, stderr }).toEqual({ code: seen === 4 ? 0 : 1, stderr: expect.stringMatching(words) });
      expect(await reader.balances()).toHaveLength(seen);
      engine.decide(() => 'through');
      expect(await restore()).toMatchObject({ code: 0 });
      expect(await reader.balances()).toEqual(ALL);
    },
  );

  test('that cannot leave its mark restores nothing', async () => {
    await sendRestored(9, { A: 1 });
    onPut((_, isOfBatch) => (isOfBatch ? 'through' : 'deny'));
    const words = expect.stringContaining('so far: 0 of 1 missing item restored.');
    expect(await restore()).toMatchObject({ code: 1, stderr: words });
    expect(await itemsOf(names.BalanceSnapshots)).toEqual([]);
  });

  test('that was killed is seen as far as it went', async () => {
    for (const hours of [9, 8]) await sendRestored(hours, { A: hours });
    const other = newMachine();
    expect(await other.balances()).toEqual([]);
    onPut((batches) => (batches > 1 ? 'deny' : 'through'));
    expect(await restore()).toMatchObject({ code: 1 });
    engine.decide(() => 'through');
    expect(await other.balances()).toHaveLength(1);
  });

  test('that one command notices while another one reads into the same file is missed by neither', async () => {
    const machine = newMachine();
    await sendAndRestoreLater();
    const [listed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const onFirstList = (act: (call: AwsCall) => Promise<Fault>) => {
      let hasListed = false;
      engine.decide((action, _, call) => {
        if (hasListed || action !== 'Query' || !isOfNorth(call)) return 'through';
        hasListed = true;
        return act(call);
      });
    };
    await machine.balances();
    onFirstList(async (call) => {
      const response = await call.forward();
      listed.resolve();
      await released.promise;
      return response;
    });
    const reading = machine.balances();
    await listed.promise;
    await restore();
    onFirstList(async () => {
      released.resolve();
      await reading;
      return 'through';
    });
    for (let time = 0; time < 2; time += 1) expect(await machine.balances()).toEqual(ALL);
  });

  const marks = async () =>
    (await itemsOf(names.BalanceSnapshots)).filter(({ Client }) => Client?.S === ':restore');

  test('writes no mark if nothing is missing, in a dry run, or for a list', async () => {
    for (const table of [names, restored]) await sendTo(table.BalanceSnapshots, 9, { A: 1 });
    await putItems(restored.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
    await putItems(restored.ChangeTimestamps, [change(1)]);
    const { run } = newMachine();
    for (const table of ['BalanceSnapshots', 'MaterialCodes'] as const) await run(...restoreLine(table));
    await run(...restoreLine('ChangeTimestamps'), '--dry-run');
    expect(await marks()).toEqual([]);
  });

  test('leaves one mark, which is no batch, and which neither a sweep nor another restore touches', async () => {
    const { run } = newMachine();
    await sendRestored(9, { A: 1 });
    await run(...restoreLine());
    const [mark, ...others] = await marks();
    expect(others).toEqual([]);
    const key = { Client: { S: 'north:2' }, SnapshotId: { S: newSnapshotId(ago(9), 'orphan') } };
    const part = { ReceivedAt: { S: ago(9).toISOString() }, RequestId: { S: 'x' }, EntryCount: { N: '1' } };
    await putItems(names.BalanceSnapshots, [{ ...key, ...part, Parts: { N: '2' }, Balances: { M: {} } }]);
    expect(await run('snapshots', 'sweep')).toHaveLength(1);
    expect(await newMachine().run('snapshots', 'list')).toHaveLength(1);
    // The backup of a table that had a restore has a mark, too.
    const keyOfMark = { Client: { S: ':restore' }, SnapshotId: { S: ':restore' } };
    await putItems(restored.BalanceSnapshots, [keyOfMark]);
    for (const more of [['--dry-run'], []])
      expect(await run(...restoreLine(), ...more)).toMatchObject({ Missing: 0, Same: 1, Differing: 0 });
    expect(await marks()).toEqual([mark]);
    // The live table may have no mark.
    await deleteItem(names.BalanceSnapshots, keyOfMark);
    expect(await run(...restoreLine())).toMatchObject({ Missing: 0, Same: 1 });
    expect(await marks()).toEqual([]);
  });
});

/** All of them show the same. */
const expectSame = async ([first, ...others]: [Machine, ...Machine[]], material: string) => {
  for (const line of [['balances'], ['snapshots', 'export'], ['history', material]]) {
    const shown = await first.run(...line);
    for (const other of others) expect(await other.run(...line)).toEqual(shown);
  }
};

describe('the clock of a machine', () => {
  // A batch expires 20 steps after its receipt. The clock is 15 steps ahead.
  test.each([15 * 24, 2])(
    'that was %i hours ahead once, after it has read all, listed all, or nothing, leaves no batch out afterwards',
    async (hours) => {
      const step = hours / 15;
      for (const age of [10, 9, 1]) {
        const [entries, expiresAt] = [[entryOf(`${age} old`, 1)], ago((age - 20) * step)];
        await putBatch(names.BalanceSnapshots, 'north', ago(age * step), entries, { expiresAt });
      }
      const [machine, listing, fresh, other] = [newMachine(), newMachine(), newMachine(), newMachine()];
      expect(await machine.balances()).toHaveLength(3);
      expect(await listing.run('snapshots', 'list')).toHaveLength(3);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_MS });
      onTestFinished(() => void vi.useRealTimers());
      for (const ahead of [machine, listing, fresh]) expect(await ahead.balances()).toEqual(['1 old 1']);
      vi.useRealTimers();
      await expectSame([other, machine, listing, fresh], '9 old');
      expect(await machine.balances()).toHaveLength(3);
    },
  );
});

describe('batches of one millisecond', () => {
  const receivedAt = ago(1);
  const put = (id: string, balance: number, client = 'north') =>
    putBatch(names.BalanceSnapshots, client, receivedAt, [entryOf('A', balance), entryOf(id, 1)], { id });

  test('have the order of their ids on each machine, in whatever order they appeared', async () => {
    const orders = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba'];
    ({ names, data } = await emptyDeployment({ clients: orders }));
    const machine = newMachine();
    for (const place of [0, 1, 2]) {
      for (const order of orders) await put(order.charAt(place), place, order);
      await machine.balances();
    }
    for (const client of ['abc', 'acb', 'cba']) {
      const latest = await machine.run('snapshots', 'show', 'latest', '--client', client);
      expect(latest).toMatchObject({ SnapshotId: newSnapshotId(receivedAt, 'c') });
    }
    await expectSame([machine, newMachine()], 'A');
  });

  test('keep their balances if one appears while two commands read into the same file', async () => {
    await put('b', 2);
    const machine = newMachine();
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    engine.decide(async (action, _, call): Promise<Fault> => {
      if (action !== 'Query' || !isOfNorth(call)) return 'through';
      const response = await call.forward();
      reads += 1;
      if (reads > 1) return response;
      reached.resolve();
      await released.promise;
      return response;
    });
    const reading = machine.balances();
    await reached.promise;
    await put('a', 1);
    expect(await machine.balances()).toEqual(['A 2', 'a 1', 'b 1']);
    released.resolve();
    expect(await reading).toEqual(['A 2', 'a 1', 'b 1']);
  });
});

describe('a check in a file says since when a finding is there at least', () => {
  const sinceOn = async (machine: Machine, subject: string) => {
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

  test('but not from before a batch without it, which a machine does not know, knows, or has read', async () => {
    const machines = [[], ['snapshots', 'list'], ['balances']].map((line) => ({
      line,
      machine: newMachine(),
    }));
    for (const hours of [9, 8]) await send(hours, { A: 1 });
    for (const { machine } of machines) expect(await sinceOn(machine, 'A')).toBe(time(9));
    await send(7, { B: 1 });
    for (const hours of [6, 5]) await send(hours, { A: 1 });
    for (const { line, machine } of machines) {
      if (line.length > 0) await machine.run(...line);
      expect(await sinceOn(machine, 'A')).toBe(time(6));
    }
    expect(await sinceOn(newMachine(), 'A')).toBe(time(6));
  });

  test('of a code that all have left out, but not from before a batch that may have it', async () => {
    await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'A' } }]);
    await send(9, { A: 1 });
    await send(8, { B: 1 });
    await send(7, { A: 1 }, 'south');
    for (const hours of [6, 5]) await send(hours, { B: 1 }, 'south');
    const machine = newMachine();
    await machine.run('balances', '--client', 'north');
    expect(await sinceOn(machine, 'A')).toBe(time(6));
    await send(4, { B: 1 }, 'south');
    expect(await sinceOn(machine, 'A')).toBe(time(6));
  });
});
