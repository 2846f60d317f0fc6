import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { TableName } from '../../shared/tables.ts';
import type { Fault } from '../support/fault-proxy.ts';
import { createTable, itemsOf, startFaultyEngine } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { codeOf, emptyDeployment, type Item, ODD, putItems } from './tables.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

/** A data folder as a local run leaves it, whose tables are new and empty for each test. */
let data: string;
let live: Record<TableName, string>;
/** The table that was restored beside the live one. */
let restored: string;

beforeEach(async () => {
  engine.decide(() => 'through');
  ({ names: live, data } = await emptyDeployment({ engine: engine.endpoint }));
});

const rows = async (name: TableName) => itemsOf(live[name]);

/** Decides over each PutItem by its number. The mark that tells machines of the restore does not count. */
const onPut = (decide: (puts: number) => Fault | Promise<Fault>) => {
  let puts = 0;
  engine.decide((call, _, { body }) => {
    if (call !== 'PutItem' || body.includes('":restore"')) return 'through';
    puts += 1;
    return decide(puts);
  });
};

/** Runs the command on these tables. */
const restore = async (table: string, ...args: string[]) => {
  const line = ['restore', table, '--from', restored, '--json', ...args];
  const { code, stdout, stderr } = await adminHereOn(data, line);
  return { code, record: stdout === '' ? undefined : JSON.parse(stdout), output: stderr };
};

const codes = (count: number, name: string, more: Item = {}) =>
  Array.from({ length: count }, (_, index) => codeOf(`${name}-${index}`, more));

test('an item of a list that appeared after the comparison stays, and counts as differing', async () => {
  restored = await createTable('MaterialCodes');
  // Only snapshots expire.
  const lost = codeOf('lost', { ExpiresAt: { N: '1' } });
  await putItems(restored, [lost, codeOf('odd', ODD)]);
  const newer = codeOf('lost', { Name: { S: 'newer' } });
  engine.decide(async (call, _, { body }): Promise<Fault> => {
    if (call === 'TransactWriteItems' && body.includes(live.MaterialCodes))
      await putItems(live.MaterialCodes, [newer]);
    return 'through';
  });
  const { record } = await restore('MaterialCodes');
  expect(record).toEqual({ Missing: 1, Restored: 1, Same: 0, Differing: 1, Overwritten: 0 });
  expect(await rows('MaterialCodes')).toContainEqual(newer);
});

/** A table has the status UPDATING for example while its recovery is turned on, and can be read meanwhile. */
test.each<[string, object]>([
  ['UPDATING', { code: 0, record: { Missing: 1, Restored: 1 } }],
  [
    'CREATING',
    {
      code: 1,
      record: undefined,
      output: expect.stringMatching(/its status is CREATING\. Wait until it is ACTIVE\./),
    },
  ],
])('a restored table with the status %s can be read, or is waited for', async (status, outcome) => {
  restored = await createTable('MaterialCodes');
  await putItems(restored, [codeOf('lost')]);
  engine.decide(async (action, _, call): Promise<Fault> => {
    if (action !== 'DescribeTable' || !call.body.includes(restored)) return 'through';
    const { status: httpStatus, body = '' } = await call.forward();
    return { status: httpStatus, body: String(body).replace('"ACTIVE"', `"${status}"`) };
  });
  expect(await restore('MaterialCodes')).toMatchObject(outcome);
});

test('a list that would outgrow the response of the API together with what it has is refused', async () => {
  restored = await createTable('MaterialCodes');
  const filler = { Filler: { S: 'x'.repeat(390_000) } };
  await putItems(restored, codes(9, 'old', filler));
  await putItems(live.MaterialCodes, codes(9, 'new', filler));
  const refused = await restore('MaterialCodes');
  const words = /^The list would be too long for the API: its 18 rows need .* Nothing was written\.$/m;
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(words) });
  // Without --overwrite, the rows of the list count, which are short now.
  await putItems(live.MaterialCodes, codes(9, 'old'));
  const kept = await restore('MaterialCodes', '--dry-run');
  expect(kept.output).not.toMatch(/^The list would/m);
  const dry = await restore('MaterialCodes', '--dry-run', '--overwrite');
  expect(dry).toMatchObject({ code: 0, record: { length: 9 } });
  expect(dry.output).toMatch(/^The list would be too long .* So the restore will be refused\.$/m);
  expect(engine.calls.filter((call) => call === 'PutItem')).toEqual([]);
});

describe('snapshots', () => {
  const ID = '2026-03-01T08:15:31.402Z-6c93fcb41090';
  const part = (number: number, parts: number, more: Item = {}): Item => ({
    ...{ Client: { S: number === 1 ? 'warehouse' : `warehouse:${number}` }, SnapshotId: { S: ID } },
    ...{ EntryCount: { N: '0' }, Parts: { N: String(parts) }, Balances: { M: {} } },
    ...more,
  });

  beforeEach(async () => {
    restored = await createTable('BalanceSnapshots');
  });

  const restoredItems = async () =>
    (await rows('BalanceSnapshots')).filter(({ Client }) => Client?.S !== ':restore');

  test('get part 1 back only after their other parts', async () => {
    await putItems(restored, [part(1, 3), part(2, 3), part(3, 3)]);
    // The parts may be put, and what comes after them may not.
    onPut((puts) => (puts > 2 ? 'deny' : 'through'));
    const failed = await restore('BalanceSnapshots');
    expect(failed).toMatchObject({ code: 1, record: undefined });
    expect(failed.output).toMatch(/are not allowed to .*\nResult of .* so far: 2 of 3 missing items/);
    const keys = async () => (await restoredItems()).map(({ Client }) => Client?.S).toSorted();
    expect(await keys()).toEqual(['warehouse:2', 'warehouse:3']);

    engine.decide(() => 'through');
    const again = await restore('BalanceSnapshots');
    expect(again.record).toMatchObject({ Missing: 1, Restored: 1, Same: 2 });
    expect(await keys()).toEqual(['warehouse', 'warehouse:2', 'warehouse:3']);
  });

  test('that have expired are left out, their other parts with them', async () => {
    const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600;
    await putItems(restored, [
      part(1, 2, { ExpiresAt: { N: String(anHourAgo) } }),
      part(2, 2, { ExpiresAt: { N: String(anHourAgo + 86_400) } }),
      part(1, 1, { SnapshotId: { S: 'kept' }, ExpiresAt: { N: String(anHourAgo + 7_200) } }),
    ]);
    const { record } = await restore('BalanceSnapshots');
    expect(record).toMatchObject({ Missing: 1, Restored: 1, Expired: 2 });
    expect((await restoredItems()).map(({ SnapshotId }) => SnapshotId?.S)).toEqual(['kept']);
  });

  test('and changes are compared by both attributes of their key', async () => {
    restored = await createTable('ChangeTimestamps');
    const change = (index: number, client = 'warehouse') => {
      return { Client: { S: client }, Timestamp: { S: `2026-03-01T08:15:30,10${index}Z` } };
    };
    await putItems(restored, [change(0), change(1), change(0, 'other')]);
    await putItems(live.ChangeTimestamps, [change(0)]);
    expect((await restore('ChangeTimestamps')).record).toMatchObject({ Restored: 2, Same: 1 });
  });
});

test('records get the head of a change back only after its parts, and stay away if they have expired', async () => {
  restored = await createTable('AdminRecords');
  const ID = '2026-03-01T08:15:31.402Z-6c93fcb41090';
  const record = (topic: string, id: string, inSeconds: number): Item => ({
    ...{ Topic: { S: topic }, Id: { S: id } },
    ExpiresAt: { N: String(Math.floor(Date.now() / 1_000) + inSeconds) },
  });
  const part = record(`MaterialCodes:${ID}`, '0001', 3_600);
  const head = record('MaterialCodes', ID, 3_600);
  await putItems(restored, [head, part, record('MaterialCodes', `old ${ID}`, -3_600)]);
  onPut((puts) => (puts > 1 ? 'deny' : 'through'));
  expect(await restore('AdminRecords')).toMatchObject({ code: 1 });
  expect(await rows('AdminRecords')).toEqual([part]);

  engine.decide(() => 'through');
  const { record: counts } = await restore('AdminRecords');
  expect(counts).toMatchObject({ Missing: 1, Restored: 1, Same: 1, Expired: 1 });
  expect((await rows('AdminRecords')).map(({ Id }) => Id?.S).toSorted()).toEqual(['0001', ID]);

  // In the live table, a change may have got its end since.
  await putItems(live.AdminRecords, [{ ...head, EndedAt: { S: '2026-03-01T08:15:32.000Z' } }]);
  expect((await restore('AdminRecords')).output).toMatch(/1 item differs and stays .*, because admins have /);
});

describe('a restore with injected faults', () => {
  const putChanges = async (count: number) => {
    restored = await createTable('ChangeTimestamps');
    const change = (index: number): Item => ({ Client: { S: 'warehouse' }, Timestamp: { S: `${index}` } });
    await putItems(
      restored,
      Array.from({ length: count }, (_, index) => change(index)),
    );
  };

  test('counts an item as restored after a lost response, also beyond the 100 that are compared at once', async () => {
    await putChanges(101);
    engine.decide((_, number) => (number % 17 === 2 ? 'loseResponse' : 'through'));
    const { record } = await restore('ChangeTimestamps');
    expect(record).toMatchObject({ Missing: 101, Restored: 101, Differing: 0 });
  });

  test('counts what may have been written when responses are lost', async () => {
    await putChanges(20);
    onPut((puts) => (puts > 10 ? 'loseResponse' : 'through'));
    const { code: exit, output } = await restore('ChangeTimestamps');
    expect(exit).toBe(1);
    const counts = /so far: 10 of 20 missing items restored\. Up to (\d+) more may have been/.exec(output);
    const written = (await rows('ChangeTimestamps')).length;
    expect(written).toBeGreaterThan(10);
    expect(written).toBeLessThanOrEqual(10 + Number(counts?.[1]));
  });

  test('ends on Ctrl-C once what is on its way is written, and is completed by the same command', async () => {
    await putChanges(30);
    onPut((puts) => {
      if (puts === 10) process.emit('SIGINT', 'SIGINT');
      return 'through';
    });
    const { code: exit, record, output } = await restore('ChangeTimestamps');
    expect({ exit, record }).toEqual({ exit: 130, record: undefined });
    const there = (await rows('ChangeTimestamps')).length;
    expect(output).toMatch(/^Ending after the writes that have already started\.\nEnded early\. /);
    expect(output).toContain(`so far: ${there} of 30 missing items restored. Run the same command again`);
    engine.decide(() => 'through');
    expect((await restore('ChangeTimestamps')).record).toMatchObject({ Missing: 30 - there, Same: there });
  });
});
