import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { temporaryFolder } from '../support/assembly.ts';
import { entryOf } from '../support/batches.ts';
import { openConsole } from '../support/console.ts';
import { itemsOf } from '../support/tables.ts';
import { startTestConsole } from './console/test-console.ts';
import { adminHereOn, refusal } from './in-process.ts';
import {
  codeOf,
  deleteItem,
  emptyDeployment,
  engineWithoutFaults,
  type Item,
  ODD,
  putBatch,
  putItems,
} from './tables.ts';

const folder = temporaryFolder();
const engine = await engineWithoutFaults();
let { names, data } = await emptyDeployment();
beforeEach(async () => {
  ({ names, data } = await emptyDeployment({ engine: engine.endpoint }));
});

const run = (...line: string[]) => adminHereOn(data, line);
const codes = async (...line: string[]) => {
  const { code, stdout, stderr } = await run('codes', ...line, '--json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout);
};
/** Writes rows as a file `name`, and returns the id of the change. */
const importRows = async (rows: unknown, name = 'codes.json', ...options: string[]) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(rows));
  const done = await run('codes', 'import', file, '--yes', '--accept-warnings', ...options);
  expect(done).toMatchObject({ code: 0 });
  const [{ Change, ChangedAt }] = await codes('history', '--last', '1');
  return { id: String(Change), at: String(ChangedAt) };
};
const LONG = '12345678901234567890.123456789012345678';

describe('the history of a list', () => {
  test('says who changed it, when and with what, and each attribute before and after', async () => {
    const first = await importRows([{ MaterialCode: 'A', Weight: 1.5 }, { MaterialCode: 'B' }]);
    const second = await importRows([{ MaterialCode: 'A', Weight: '1.5' }], 'second.json', '--replace');
    expect((await codes('history'))[0]).toMatchObject({
      ...{
        By: 'local',
        What: 'import',
        Source: 'second.json',
        Added: 0,
        Changed: 1,
        Removed: 1,
        NotWritten: 0,
      },
    });
    expect(await codes('history', '--change', second.id)).toMatchObject([
      { Row: 'A', Kind: 'changed', Attribute: 'Weight', Before: '1.5', After: '"1.5"' },
      { Row: 'B', Kind: 'removed', Attribute: '', Before: null, After: null },
    ]);
    expect(await codes('history', '--by', 'LOC', '--since', second.at)).toHaveLength(1);
    expect(await codes('history', '--by', 'anna')).toEqual([]);
    expect(await codes('history', '--at', first.at)).toHaveLength(1);
  });

  test('names what somebody changed past these tools, and between which times, but not who', async () => {
    const first = await importRows([{ MaterialCode: 'A', Name: 'a' }]);
    await putItems(names.MaterialCodes, [codeOf('A', { Name: { S: 'outside' } })]);
    await importRows([{ MaterialCode: 'B' }]);
    const [, outside] = await codes('history');
    expect(outside).toMatchObject({ What: 'outside', By: null, Changed: 1, Since: first.at });
    expect(await codes('history', 'A')).toMatchObject([
      { Before: 'a', After: 'outside', What: 'outside', By: null },
      { Kind: 'added' },
    ]);
  });

  test.each<[string, (part: Item) => Promise<unknown>]>([
    ['removed', ({ Topic = { S: '' }, Id = { S: '' } }) => deleteItem(names.AdminRecords, { Topic, Id })],
    ['damaged', (part) => putItems(names.AdminRecords, [{ ...part, Rows: { B: new Uint8Array(9) } }])],
  ])('names a change with a part that is %s, keeps the others, and begins anew', async (_, damage) => {
    const first = await importRows([{ MaterialCode: 'A' }]);
    const second = await importRows([{ MaterialCode: 'B' }], 'codes.json', '--replace');
    const part = (await itemsOf(names.AdminRecords)).find(({ Topic }) => Topic?.S?.endsWith(second.id));
    await damage(part ?? {});
    const stderr = `The change "${second.id}" of material codes cannot be read, because records in AdminRecords are missing or damaged: restore them from a backup.\n`;
    // This machine has read it before. Another one has not.
    vi.stubEnv('WAREHOUSE_ADMIN_CACHE', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const listed = await run('codes', 'history', '--json');
    expect(listed.stderr).toMatch(stderr);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { Change: second.id, Added: null, NotWritten: null },
      { Change: first.id, Added: 1 },
    ]);
    expect(await codes('history', 'A')).toHaveLength(1);
    expect(await codes('history', '--change', second.id)).toEqual([]);
    expect(await run('codes', 'undo', second.id)).toMatchObject(refusal(stderr));
    expect(await run('codes', 'list', '--at', second.at)).toMatchObject(refusal(stderr));
    const count = 'select count(*) as count from material_code';
    const asOfNow = /The material codes are as of now, because they have no known past\./;
    expect((await run('sql', count, '--at', second.at)).stderr).toMatch(asOfNow);

    await putItems(names.MaterialCodes, [codeOf('outside')]);
    const third = await importRows([{ MaterialCode: 'C' }]);
    await importRows([{ MaterialCode: 'D' }]);
    expect((await run('codes', 'history', '--change', second.id)).stderr).not.toMatch('no such change');
    const rows = await codes('list', '--at', third.at);
    expect(rows.map(({ MaterialCode }: { MaterialCode: string }) => MaterialCode)).toEqual([
      ...['B', 'C', 'outside'],
    ]);
    const { stdout } = await run('sql', count, '--at', third.at, '--json');
    expect(JSON.parse(stdout)).toEqual([{ count: 3 }]);
    expect(await codes('history')).toHaveLength(4);
    const console = await openConsole(data, { isInThreads: false });
    onTestFinished(console.stop);
    expect((await console.ask('state')).damage).toEqual([stderr.trim()]);

    await putItems(names.AdminRecords, [part ?? {}]);
    expect(await codes('history', '--change', second.id)).toHaveLength(2);
    expect(await codes('list', '--at', second.at)).toHaveLength(1);
  });

  test('says that it has no change of a row, with an id or by a person', async () => {
    const { id } = await importRows([{ MaterialCode: 'A' }]);
    const said = async (...line: string[]) =>
      (await run('codes', 'history', ...line)).stderr.match(/The history has no .*/)?.[0];
    expect(await said('NoSuch')).toBe('The history has no such change of "NoSuch".');
    for (const line of [
      ['--change', 'nope'],
      ['--by', 'anna'],
      ['--since', new Date().toISOString()],
    ])
      expect(await said(...line)).toBe('The history has no such change.');
    for (const line of [[], ['A'], ['--change', id]]) expect(await said(...line)).toBeUndefined();
  });

  test('has not begun before the first change, and cannot be read without the permission', async () => {
    const { stderr } = await run('codes', 'history', 'A');
    expect(stderr).toMatch(/^The material codes have no known past\. .*\n$/);
    const { at } = await importRows([{ MaterialCode: 'A' }]);
    engine.decide((operation, _, { body }) =>
      operation === 'Query' && String(body).includes(names.AdminRecords) ? 'deny' : 'through',
    );
    expect(await run('codes', 'history')).toMatchObject(refusal('history of the lists cannot be read'));
    expect(await run('check', '--at', at)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching('The material codes are as of now, because their history cannot be read'),
    });
  });
});

describe('a list at a past moment', () => {
  const sql = async (query: string, at: string) => {
    const { code, stdout } = await run('sql', query, '--at', at, '--json');
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const listed = 'select material, attributes from material_code order by material';

  test('is as it was, with each kind of value, in the commands and in sql', async () => {
    const found = [codeOf('A', { ...ODD, Weight: { N: '1' } }), codeOf('B', { Long: { N: LONG } })];
    await putItems(names.MaterialCodes, found);
    const { at } = await importRows([{ MaterialCode: 'C', Name: 'c' }]);
    const then = async (...moment: string[]) => [
      (await run('codes', 'export', ...moment, '--json')).stdout,
      (await run('codes', 'list', ...moment, '--json')).stdout,
    ];
    const asWritten = await then();
    await importRows([{ MaterialCode: 'A', New: 'x' }], 'second.json', '--replace');
    expect(await then('--at', at)).toEqual(asWritten);
    const long = `select attributes -> 'Long' as long from material_code where material = 'B'`;
    expect(await sql(long, at)).toEqual([{ long: LONG }]);
    const rows: { material: string; attributes: string }[] = await sql(listed, at);
    expect(
      rows.map(({ material, attributes }) => ({ MaterialCode: material, ...JSON.parse(attributes) })),
    ).toEqual(JSON.parse(asWritten[1] ?? ''));
  });

  test('before the history begins is refused, and the other commands say that they have the list as of now', async () => {
    const { at } = await importRows([{ MaterialCode: 'A' }]);
    const before = new Date(Date.parse(at) - 3_600_000).toISOString();
    const refused = refusal(/The history of the material codes begins at .* UTC, so nobody can tell/);
    expect(await run('codes', 'list', '--at', before)).toMatchObject(refused);
    expect(await run('codes', 'export', '--at', before)).toMatchObject(refused);
    const { stdout, stderr } = await run('sql', listed, '--at', before, '--json');
    expect(stderr).toMatch(/The material codes are as of now, because their history begins at /);
    expect(stderr).toMatch(/The purchase orders are as of now, because they have no known past/);
    expect(JSON.parse(stdout)).toMatchObject([{ material: 'A' }]);
  });

  test('of a change that was killed has the rows that it wrote', async () => {
    await importRows([{ MaterialCode: 'A' }, { MaterialCode: 'B' }]);
    // Rows of each kind are written, one kind after the other.
    engine.decide((operation) => (operation === 'UpdateItem' ? 'error' : 'through'));
    const file = join(folder, 'killed.json');
    writeFileSync(file, JSON.stringify([{ MaterialCode: 'A', Name: 'a' }, { MaterialCode: 'new' }]));
    expect((await run('codes', 'import', file, '--replace', '--yes')).code).toBe(1);
    engine.decide(() => 'through');
    const [{ Change, ChangedAt, ...counts }] = await codes('history', '--last', '1');
    expect(await codes('list', '--at', ChangedAt)).toEqual(await codes('list'));
    const rowsAt = async (...at: string[]) =>
      JSON.parse((await run('sql', 'select * from material_code order by 1', '--json', ...at)).stdout);
    expect(await rowsAt('--at', ChangedAt)).toEqual(await rowsAt());
    const unknown = { Added: null, Changed: null, Renamed: null, Removed: null, NotWritten: null };
    expect(counts).toMatchObject({ What: 'import, has no end', EndedAt: null, ...unknown });
    const rows = [{ Kind: 'planned: changed' }, { Kind: 'planned: removed' }, { Kind: 'planned: added' }];
    expect(await codes('history', '--change', Change)).toMatchObject(rows);
    const query = 'select distinct is_written from list_change where kind = ';
    const { stdout } = await run('sql', `${query}'import' order by 1`, '--json');
    expect(JSON.parse(stdout)).toEqual([{ is_written: null }, { is_written: 1 }]);
  });
});

describe('a finding', () => {
  test.each<[kind: string, rows: object[], then: object[]]>([
    ['unlisted-code', [{ MaterialCode: 'A' }], []],
    ['unit-differs', [{ MaterialCode: 'A', Unit: 'kg' }], [{ MaterialCode: 'A', Unit: 't' }]],
    ['no-balance', [{ MaterialCode: 'A' }], [{ MaterialCode: 'A' }, { MaterialCode: 'gone' }]],
    ['case-differs', [{ MaterialCode: 'a' }], [{ MaterialCode: 'A' }]],
  ])('%s is not older than the change of the list that made it', async (kind, rows, then) => {
    const sent = async (minutesAgo: number, ...names_: string[]) =>
      putBatch(
        names.BalanceSnapshots,
        'warehouse',
        new Date(Date.now() - minutesAgo * 60_000),
        names_.map((name) => entryOf(name, 1)),
      );
    await sent(20, 'A', 'gone');
    await sent(10, 'A', ...(kind === 'case-differs' ? ['a'] : []));
    await importRows(rows, 'codes.json', '--replace');
    const { at } = await importRows(then, 'codes.json', '--replace');
    const { stdout } = await run('check', '--kind', kind, '--json');
    const found = JSON.parse(stdout).filter(({ Subject }: { Subject: string }) => Subject !== 'warehouse');
    expect(found.map(({ SinceAtLeast }: { SinceAtLeast: string }) => SinceAtLeast)).toContain(at);
  });

  const sinceOf = async (kind: string) => {
    const { stdout } = await run('check', '--kind', kind, '--json');
    const found: { SinceAtLeast: string }[] = JSON.parse(stdout);
    return found.map(({ SinceAtLeast }) => SinceAtLeast);
  };

  test('is not younger because of a change that was not written', async () => {
    await putBatch(names.BalanceSnapshots, 'warehouse', new Date(Date.now() - 60_000), [entryOf('A', 1)]);
    await importRows([{ MaterialCode: 'A', Unit: 'kg' }]);
    const { at } = await importRows([{ MaterialCode: 'A', Unit: 't' }]);
    engine.decide((_, __, { body }) => (body.includes('"g"') ? 'deny' : 'through'));
    const file = join(folder, 'denied.json');
    writeFileSync(
      file,
      JSON.stringify([
        { MaterialCode: 'A', Unit: 'g' },
        { MaterialCode: 'B', Unit: 'g' },
      ]),
    );
    expect((await run('codes', 'import', file, '--accept-warnings')).code).toBe(1);
    expect(await codes('history', '--last', '1')).toMatchObject([{ Added: 0, Changed: 0, NotWritten: 2 }]);
    expect(await sinceOf('unit-differs')).toEqual([at]);
  });

  test('about an order is not older than the removal of the order, and has no time if only the list has the order', async () => {
    const sent = new Date(Date.now() - 60_000);
    await putBatch(names.BalanceSnapshots, 'warehouse', sent, [
      { ...entryOf('A', 1), PurchaseOrders: ['OT0000001'] },
    ]);
    const file = join(folder, 'orders.json');
    writeFileSync(file, '[{"PurchaseOrder":"OT0000001"},{"PurchaseOrder":"OT0000002"}]');
    for (const line of [
      ['import', file],
      ['remove', 'OT0000001', '--yes', '--accept-warnings'],
    ])
      expect(await run('orders', ...line)).toMatchObject({ code: 0 });
    const { stdout } = await run('orders', 'history', '--last', '1', '--json');
    expect(await sinceOf('unlisted-order')).toEqual([JSON.parse(stdout)[0].ChangedAt]);
    expect(await sinceOf('unused-order')).toEqual([null]);
  });
});

test('a check of now has the list with what was changed past these tools', async () => {
  await putBatch(names.BalanceSnapshots, 'warehouse', new Date(), [entryOf('A', 1)]);
  await importRows([{ MaterialCode: 'A' }]);
  await putItems(names.MaterialCodes, [codeOf('outside')]);
  const { stdout } = await run('check', '--kind', 'no-balance', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ Subject: 'outside' }]);
});

describe('undoing a change', () => {
  test('is two requests of the console: the review, and the write', async () => {
    const console = await startTestConsole(data);
    onTestFinished(() => console.stop());
    await console.read();
    const file = 'MaterialCode,Name\nA,a\n';
    const { body: plan } = await console.postAs(
      ...(['octet-stream', '/api/lists/codes/review?file=codes.csv', file] as const),
    );
    const { body: written } = await console.post(`/api/reviews/${plan.id}`, {});
    const { body: undo } = await console.post('/api/lists/codes/undo', { change: written.change });
    expect(undo).toMatchObject({ added: 0, removed: 1, changes: [{ kind: 'removed', identifier: 'A' }] });
    const { body: result } = await console.post(`/api/reviews/${undo.id}`, { acceptsWarnings: true });
    expect(result).toMatchObject({ removed: 1 });
    const { columns, rows } = (await console.get('/api/tables/listChanges')).body;
    const indexOf = (name: string) => columns.findIndex((column: { name: string }) => column.name === name);
    const cells = (name: string) => rows.map((row: unknown[]) => row[indexOf(name)]);
    expect([cells('What'), cells('Source'), cells('Undoes')]).toEqual([
      ['undo', 'import'],
      [null, 'codes.csv'],
      [written.change, null],
    ]);
    const download = (at: string) => console.send(`/api/downloads/lists/codes?format=csv&at=${at}`);
    const [after, before] = cells('ChangedAt').map((time: number) => new Date(time).toISOString());
    expect((await download(before)).text).toMatch(/MaterialCode,Name\r\nA,a\r\n$/);
    expect((await download(after)).text).not.toMatch('A,a');
    for (const edit of [{ kind: 'added' }, { kind: 'renamed', to: 'S' }]) {
      const made = [{ identifier: 'R', cells: [], ...edit }];
      const { id } = (await console.post('/api/lists/codes/review', made)).body;
      await console.post(`/api/reviews/${id}`, { acceptsWarnings: true });
    }
    expect(await codes('history', 'S')).toMatchObject([
      { Row: 'R', Kind: 'renamed', Attribute: 'MaterialCode', Before: 'R', After: 'S' },
    ]);
    const [{ Change }] = await codes('history', '--last', '1');
    expect(await codes('undo', Change)).toMatchObject({ Changed: 0, Renamed: 1 });
    expect((await run('codes', 'history', '--last', '1')).stdout).toContain(` ${Change} `);
    expect((await console.get('/api/state')).body.lists).toEqual([
      { list: 'MaterialCodes', since: expect.any(Number) },
      { list: 'PurchaseOrders', since: null },
    ]);
  });
});
