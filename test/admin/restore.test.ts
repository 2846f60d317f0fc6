import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TableName } from '../../shared/tables.ts';
import { createTable, rowsOf, startFaultyEngine } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { createTables, dataFolder, type Item, ODD, putItems } from './tables.ts';

let engine: Awaited<ReturnType<typeof startFaultyEngine>>;
/** A data folder as a local run leaves it, whose tables are new and empty for each test. */
let data: string;
let live: Record<TableName, string>;
/** The table that was restored beside the live one. */
let restored: string;

beforeAll(async () => {
  engine = await startFaultyEngine();
});
afterAll(() => engine.stop());

beforeEach(async () => {
  engine.decide(() => 'through');
  live = await createTables();
  data = dataFolder(live, { engine: engine.endpoint });
});

const put = putItems;
const rows = async (name: TableName) => rowsOf(live[name]);
const byKey = (items: Item[]) => new Map(items.map((item) => [item['MaterialCode']?.S, item]));

/** Runs the command on these tables. */
const restore = async (table: string, ...args: string[]) => {
  const line = ['restore', table, '--from', restored, '--json', ...args];
  const { code, stdout, stderr } = await adminHereOn(data, line);
  return { code, record: stdout === '' ? undefined : JSON.parse(stdout), said: stderr };
};

const code = (text: string, more: Item = {}): Item => ({ MaterialCode: { S: text }, ...more });
const codes = (count: number) => Array.from({ length: count }, (_, index) => code(`C-${index}`));

const odd = code('odd', ODD);

describe('a list', () => {
  beforeEach(async () => {
    restored = await createTable('MaterialCodes');
    await put(restored, [code('lost'), odd, code('changed', { Name: { S: 'before' } }), code('same')]);
    await put(live.MaterialCodes, [
      code('changed', { Name: { S: 'after' } }),
      code('same'),
      code('new', { Name: { S: 'since then' } }),
    ]);
  });

  const FOUND = { Missing: 2, Same: 1, Differing: 1 };

  test('gets missing rows back as they were, and keeps newer ones', async () => {
    const { code: exit, record, said } = await restore('MaterialCodes');
    expect({ exit, record }).toEqual({ exit: 0, record: { ...FOUND, PutBack: 2, Overwritten: 0 } });
    expect(said).toBe(
      '2 of 2 missing items put back.\n1 row differs and stays as in the deployment. --overwrite restores them as well.\n',
    );
    const after = byKey(await rows('MaterialCodes'));
    expect([...after.keys()].toSorted()).toEqual(['changed', 'lost', 'new', 'odd', 'same']);
    expect(after.get('changed')).toEqual(code('changed', { Name: { S: 'after' } }));
    const copy = byKey(await rowsOf(restored));
    expect(after.get('odd')).toEqual(copy.get('odd'));
    const again = await restore('MaterialCodes');
    expect(again.record).toEqual({ Missing: 0, PutBack: 0, Same: 3, Differing: 1, Overwritten: 0 });
    expect(again.said).toMatch(/^Nothing is missing\.\n1 row differs/);
  });

  test('is only compared in a dry run, which shows the differences and the counts', async () => {
    await put(live.MaterialCodes, [{ ...odd, Weight: { N: '1' }, Added: { S: 'since then' } }]);
    const dry = ['restore', 'MaterialCodes', '--from', restored, '--dry-run'];
    const { code: exit, stdout, stderr } = await adminHereOn(data, dry);
    expect(exit).toBe(0);
    expect(stdout.replaceAll(/ +/g, ' ')).toMatch(
      new RegExp(
        [
          '^Change MaterialCode Attribute Before After\n[- ]+\nadded lost\nchanged changed Name "after" "before"\n',
          'changed odd Added "since then"\nchanged odd Weight 1 12345678901234567890\\.\\d+\n\n',
          'Name Value\n[- ]+\nMissing 1\nPutBack 0\nSame 1\nDiffering 2\nOverwritten 0\n$',
        ].join(''),
      ),
    );
    expect(stderr).toBe(
      '1 item missing, 1 the same, 2 differing. Nothing was written.\n2 rows differ and stay as in the deployment. --overwrite restores them as well.\n',
    );
    expect(byKey(await rows('MaterialCodes')).has('lost')).toBe(false);
  });

  test('overwrites rows only after a confirmation', async () => {
    const unasked = await restore('MaterialCodes', '--overwrite');
    expect(unasked.code).toBe(2);
    expect(unasked.record).toBeUndefined();
    const question = `Overwrite 1 row of MaterialCodes with those of ${restored}?`;
    expect(unasked.said).toMatch(
      /^Change .*\n-.*\nchanged +changed +Name +"after" +"before"\nOverwrite 1 row/,
    );
    expect(unasked.said).toContain(question);
    expect(await rows('MaterialCodes')).toHaveLength(3);

    const { code: exit, record } = await restore('MaterialCodes', '--overwrite', '--yes');
    expect({ exit, record }).toEqual({ exit: 0, record: { ...FOUND, PutBack: 2, Overwritten: 1 } });
    const after = byKey(await rows('MaterialCodes'));
    expect(after.get('changed')).toEqual(code('changed', { Name: { S: 'before' } }));
    expect(after.get('new')).toEqual(code('new', { Name: { S: 'since then' } }));
  });

  test('keeps an item that appeared after the comparison, and counts it as differing', async () => {
    const newer = code('lost', { Name: { S: 'newer' } });
    let comes: 'not yet' | 'now' | 'there' = 'not yet';
    const come = async () => {
      comes = 'now';
      await put(live.MaterialCodes, [newer]);
      comes = 'there';
    };
    engine.decide((call) => {
      if (call !== 'PutItem' || comes === 'there') return 'through';
      if (comes === 'not yet') void come();
      return 'throttled';
    });
    const { record } = await restore('MaterialCodes');
    expect(record).toEqual({ Missing: 1, PutBack: 1, Same: 1, Differing: 2, Overwritten: 0 });
    expect(byKey(await rows('MaterialCodes')).get('lost')).toEqual(newer);
  });
});

describe('what is refused, with nothing written', () => {
  beforeEach(async () => {
    restored = await createTable('PurchaseOrders');
    await put(restored, [{ PurchaseOrder: { S: 'OT1234567' } }]);
  });

  test.each<[string, string, number, RegExp]>([
    ['a missing table', 'PurchaseOrders --from nowhere', 1, /^There is no table nowhere in the account and/],
    [
      'an impossible name',
      'PurchaseOrders --from .',
      1,
      /^There is no table \. in the account and region of/,
    ],
    [
      'its own table',
      'PurchaseOrders --from LIVE',
      1,
      /is the table PurchaseOrders of the deployment itself/,
    ],
    [
      'another key',
      'MaterialCodes --from COPY',
      1,
      /is not a copy of MaterialCodes: its key is PurchaseOrder/,
    ],
    [
      'overwritten snapshots',
      'BalanceSnapshots --from COPY --overwrite --yes',
      2,
      /^--overwrite is for lists/,
    ],
    ['--yes alone', 'PurchaseOrders --from COPY --yes', 2, /^--yes only confirms --overwrite/],
    ['an unknown table', 'Secrets --from COPY', 2, /Allowed choices are MaterialCodes, PurchaseOrders/],
    ['no --from', 'PurchaseOrders', 2, /required option '--from <name>'/],
  ])('%s', async (_, line, exit, words) => {
    const tables = new Map([
      ['COPY', restored],
      ['LIVE', live.PurchaseOrders],
    ]);
    const args = line.split(' ').map((word) => tables.get(word) ?? word);
    const { code, stdout, stderr } = await adminHereOn(data, ['restore', ...args]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toMatch(words);
    expect(engine.calls.filter((call) => call === 'PutItem')).toEqual([]);
  });

  test('a list that would outgrow the answer of the API together with what it has', async () => {
    restored = await createTable('MaterialCodes');
    const filler = { Filler: { S: 'x'.repeat(390_000) } };
    for (let index = 0; index < 9; index += 1) {
      await put(restored, [code(`old-${index}`, filler)]);
      await put(live.MaterialCodes, [code(`new-${index}`, filler)]);
    }
    const { code: exit, said } = await restore('MaterialCodes');
    expect(exit).toBe(1);
    expect(said).toMatch(
      /^The list would be too long for the API: its 18 rows need .* Nothing was written\.$/m,
    );
    const dry = await restore('MaterialCodes', '--dry-run', '--overwrite');
    expect(dry.code).toBe(0);
    expect(dry.record).toContainEqual(expect.objectContaining({ Change: 'added', MaterialCode: 'old-0' }));
    expect(dry.said).toMatch(
      /^9 items missing, 0 the same, 0 differing\. Nothing was written\.\nThe list would be too long for the API: its 18 rows need .* So the restore will be refused\.\n$/,
    );
    expect(engine.calls.filter((call) => call === 'PutItem')).toEqual([]);
  });
});

describe('snapshots', () => {
  const ID = '2026-03-01T08:15:31.402Z-6c93fcb41090';
  const part = (number: number, parts: number, more: Item = {}): Item => ({
    Client: { S: number === 1 ? 'warehouse' : `warehouse:${number}` },
    SnapshotId: { S: ID },
    ReceivedAt: { S: '2026-03-01T08:15:31.402Z' },
    RequestId: { S: 'request' },
    EntryCount: { N: '0' },
    Parts: { N: String(parts) },
    Balances: { M: {} },
    ...more,
  });

  beforeEach(async () => {
    restored = await createTable('BalanceSnapshots');
  });

  test('get part 1 back only after their other parts', async () => {
    await put(restored, [part(1, 3), part(2, 3), part(3, 3)]);
    // The parts may be put, and what comes after them may not.
    let puts = 0;
    engine.decide((call) => {
      if (call === 'PutItem') puts += 1;
      return call === 'PutItem' && puts > 2 ? 'denied' : 'through';
    });
    const failed = await restore('BalanceSnapshots');
    expect(failed).toMatchObject({ code: 1, record: undefined });
    expect(failed.said).toMatch(
      /are not allowed to do that: .*\nResult of the comparison so far: 2 of 3 missing items put back\. Run the same command again to restore the rest/,
    );
    const keys = async () => (await rows('BalanceSnapshots')).map(({ Client }) => Client?.S).toSorted();
    expect(await keys()).toEqual(['warehouse:2', 'warehouse:3']);

    engine.decide(() => 'through');
    const again = await restore('BalanceSnapshots');
    expect(again.record).toMatchObject({ Missing: 1, PutBack: 1, Same: 2 });
    expect(await keys()).toEqual(['warehouse', 'warehouse:2', 'warehouse:3']);
  });

  test('that have expired are left out, their other parts with them', async () => {
    const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600;
    await put(restored, [
      part(1, 2, { ExpiresAt: { N: String(anHourAgo) } }),
      part(2, 2, { ExpiresAt: { N: String(anHourAgo + 86_400) } }),
      part(1, 1, { SnapshotId: { S: 'kept' }, ExpiresAt: { N: String(anHourAgo + 7_200) } }),
    ]);
    const { record } = await restore('BalanceSnapshots');
    expect(record).toMatchObject({ Missing: 1, PutBack: 1, Expired: 2 });
    expect((await rows('BalanceSnapshots')).map(({ SnapshotId }) => SnapshotId?.S)).toEqual(['kept']);
  });

  test('and changes are compared by both attributes of their key', async () => {
    restored = await createTable('ChangeTimestamps');
    const change = (index: number, client = 'warehouse') => ({
      Client: { S: client },
      Timestamp: { S: `2026-03-01T08:15:30,10${index}Z` },
    });
    await put(restored, [change(0), change(1), change(0, 'other')]);
    await put(live.ChangeTimestamps, [change(0)]);
    expect((await restore('ChangeTimestamps')).record).toMatchObject({ PutBack: 2, Same: 1 });
  });
});

describe('a restore that is disturbed', () => {
  beforeEach(async () => {
    restored = await createTable('MaterialCodes');
    await put(restored, codes(120));
  });

  test('is repeated while calls are throttled for longer than the SDK tries', async () => {
    engine.decide((_, number) => (number % 8 < 4 && number < 20 ? 'throttled' : 'through'));
    expect((await restore('MaterialCodes')).record).toMatchObject({ Missing: 120, PutBack: 120 });
  });

  test('counts an item as put back after a lost answer', async () => {
    engine.decide((_, number) => (number % 17 === 2 ? 'lost' : 'through'));
    const { record } = await restore('MaterialCodes');
    expect(record).toMatchObject({ Missing: 120, PutBack: 120, Differing: 0 });
  });

  test('ends on Ctrl-C once what is on its way is written, and is completed by the same command', async () => {
    let puts = 0;
    engine.decide((call) => {
      if (call === 'PutItem') puts += 1;
      if (call === 'PutItem' && puts === 30) process.emit('SIGINT');
      return 'through';
    });
    const { code: exit, record, said } = await restore('MaterialCodes');
    expect({ exit, record }).toEqual({ exit: 1, record: undefined });
    expect(said).toMatch(
      /^Ending after the writes that have already started\.\nEnded early\. Result of the comparison so far: \d+ of 100 missing items put back\. Run the same command again/,
    );
    const there = (await rows('MaterialCodes')).length;
    expect(said).toContain(`so far: ${there} of 100`);
    engine.decide(() => 'through');
    expect((await restore('MaterialCodes')).record).toMatchObject({ Missing: 120 - there, Same: there });
  });
});
