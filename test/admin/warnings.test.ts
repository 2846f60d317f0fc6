import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/time.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { entryOf, largeBatch, storedBatch } from '../support/batches.ts';
import { itemsOf } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import {
  clientItems,
  dataFolder,
  emptyDeployment,
  engineWithoutFaults,
  putBatch,
  putItems,
} from './tables.ts';

const folder = temporaryFolder();
const engine = await engineWithoutFaults();
let { names, data } = await emptyDeployment();
beforeEach(async () => {
  ({ names, data } = await emptyDeployment({ clients: ['north', 'south'] }));
});

const codes = (...identifiers: string[]) =>
  putItems(
    names.MaterialCodes,
    identifiers.map((S) => ({ MaterialCode: { S }, Unit: { S: 'kg' } })),
  );
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `C-${index}`);
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const send = (client: string, entries: ReturnType<typeof entryOf>[], hours = 1) =>
  putBatch(names.BalanceSnapshots, client, hoursAgo(hours), entries, { id: `of-${hours}` });

const stored = async () =>
  (await itemsOf(names.MaterialCodes)).map(({ MaterialCode }) => MaterialCode?.S ?? '').toSorted();

const run = async (...line: string[]) => {
  const { code, stderr } = await adminHereOn(data, line);
  const warnings = stderr.split('\n').flatMap((words) => words.match(/^Warning: (.*)$/)?.[1] ?? []);
  return { code, warnings, stderr };
};
const fileOf = (content: string, name = 'codes.csv') => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const importRows = (rows: readonly string[], ...options: string[]) =>
  run('codes', 'import', fileOf(rows.join('\n')), ...options);
const warningsOf = async (...rows: string[]) =>
  (await importRows(['MaterialCode,Unit', ...rows], '--dry-run')).warnings;

describe('a new code', () => {
  beforeEach(() => codes('BOLT-1', 'NUT'));

  test('that looks like one that warehouses send is shown with it and with them', async () => {
    await send(
      'north',
      [entryOf('Plate', 1), entryOf('BOLT-1', 1), entryOf('GONE', 1), entryOf('Tube', 1)],
      2,
    );
    await send('north', [entryOf('Plate', 1), entryOf('BOLT-1', 1)]);
    await send('south', [entryOf('Plate', 1), entryOf('Tube', 1), entryOf('Тube', 1)]);
    expect(await warningsOf('Рlate,', 'TUBE,', 'gone,', 'Other,')).toEqual([
      'Рlate is new and looks like Plate sent by north and south: "Р" (U+0420, Cyrillic) where the other has "P" (U+0050, Latin), at character 1. If both mean the same material, add the code that is sent.',
      'TUBE is new and differs only in letter case from Tube sent by south. If both mean the same material, add the code that is sent.',
      'TUBE is new and looks like Тube sent by south: "T" (U+0054, Latin) where the other has "Т" (U+0422, Cyrillic), at character 1; "U" (U+0055, Latin) where the other has "u" (U+0075, Latin), at character 2; "B" (U+0042, Latin) where the other has "b" (U+0062, Latin), at character 3; and 1 more difference. If both mean the same material, add the code that is sent.',
    ]);
    expect(await warningsOf('Plate,', 'Tube,')).toEqual([]);
    const { stderr } = await importRows(['MaterialCode', 'PLATE'], '--dry-run');
    expect(stderr).toContain('Compared with the latest batches of 2 warehouses, received ');
    expect(await warningsOf('ВOLT-1,')).toEqual([expect.stringMatching(/ looks like BOLT-1 in the list: /)]);
  });

  test('that differs in one character from a listed one is shown with it, unless both may be a series', async () => {
    await codes('Kabel-8/002', 'Kabel-8/003');
    expect(
      await warningsOf('Kabel8/002,', 'Kabel-8/02,', 'Kabel-8/0033,', 'Kabel-8/004,', 'Nabel-8/002,'),
    ).toEqual(['Kabel8/002 is new. Did you mean Kabel-8/002, which is in the list?']);
    expect(await warningsOf('Kabel-/8002,', 'Kabeln-8/003,')).toEqual([
      'Kabel-/8002 is new. Did you mean Kabel-8/002, which is in the list?',
      'Kabeln-8/003 is new. Did you mean Kabel-8/003, which is in the list?',
    ]);
    const { warnings } = await importRows(['MaterialCode', 'Kabel8/002', 'NUT'], '--replace', '--dry-run');
    expect(warnings).not.toContainEqual(expect.stringContaining('Did you mean'));
  });

  test('that replaces its twin is right', async () => {
    const rows = ['MaterialCode', 'ВOLT-1', 'NUT'];
    const { warnings } = await importRows(rows, '--replace', '--dry-run');
    expect(warnings).toEqual([]);
  });

  test('is one of many: the first ten are shown, and the others counted', async () => {
    await codes(...numbered(11).map((code) => `B${code}`));
    const warnings = await warningsOf(...numbered(11).map((code) => `В${code},`));
    expect(warnings).toHaveLength(11);
    expect(warnings[10]).toBe('1 more new code looks like another code.');
    expect(await warningsOf(...numbered(10).map((code) => `В${code},`))).toHaveLength(10);
  });
});

describe('a removed row', () => {
  beforeEach(() => codes('A', 'B', 'C'));

  test('that has balances is shown with them, as far as the latest batches have them', async () => {
    await send('north', [entryOf('A', 9), entryOf('C', 5)], 2);
    await send('north', [entryOf('A', 1.5, 'kg', ['OT0000001', 'OT0000002'])]);
    await send('south', [entryOf('A', -2, 'm'), entryOf('B', 0)]);
    const removed = await run('codes', 'remove', 'A', 'B', 'C', '--yes');
    expect(removed).toMatchObject({ code: 1 });
    expect(removed.warnings).toEqual([
      'A is removed, but has balances: 1.5 kg in north (for OT0000001 and OT0000002) and −2 m in south.',
      'B is removed, but has a balance: 0 kg in south.',
    ]);
    // To accept them is no yes to the removal.
    expect(await run('codes', 'remove', 'A', '--accept-warnings')).toMatchObject({ code: 2 });
    expect(await stored()).toEqual(['A', 'B', 'C']);
    expect(await run('codes', 'remove', 'C', '--yes')).toMatchObject({ code: 0, warnings: [] });
  });

  test('is compared with what has come since an earlier command', async () => {
    await send('north', [entryOf('B', 1)], 3);
    expect(await run('codes', 'remove', 'A', '--yes')).toMatchObject({ code: 0, warnings: [] });
    await send('north', [entryOf('C', 1)]);
    expect((await run('codes', 'remove', 'C', '--yes')).warnings).toHaveLength(1);
    expect(await run('codes', 'remove', 'B', '--yes', '--no-cache')).toMatchObject({ code: 0, warnings: [] });
  });

  test('is not in use by a removed client', async () => {
    await send('north', [entryOf('A', 1)]);
    expect(await run('codes', 'remove', 'B', '--yes')).toMatchObject({ code: 0, warnings: [] });
    const RemovedAt = hoursAgo(0).toISOString();
    await putItems(names.Clients, clientItems(['south', { Client: 'north', RemovedAt }]));
    expect(await run('codes', 'remove', 'A', '--yes')).toMatchObject({ code: 0, warnings: [] });
  });

  test.each([
    [110, 11, false],
    [110, 12, true],
    [12, 10, false],
    [12, 11, true],
  ])('of a list of %i is one of many if there are %i: %s', async (size, removed, isWarned) => {
    const all = numbered(size - 3);
    await codes(...all);
    const kept = ['A', 'B', 'C', ...all].slice(removed);
    const { warnings } = await importRows(['MaterialCode', ...kept], '--replace', '--dry-run');
    const words = `More than a tenth of the list is removed: ${removed} of ${size} MaterialCodes.`;
    expect(warnings).toEqual(isWarned ? [words] : []);
  });
});

describe('without permission to read balances', () => {
  beforeEach(async () => {
    await codes('A', 'C');
    await putItems(names.PurchaseOrders, [{ PurchaseOrder: { S: 'OT0000001' } }]);
    await send('north', [entryOf('A', 1, 'kg', ['OT0000001']), entryOf('ВOLT-1', 1)]);
    data = dataFolder(names, { engine: engine.endpoint });
    engine.decide((call, _, { body }) =>
      call === 'Query' && body.includes(names.BalanceSnapshots) ? 'deny' : 'through',
    );
  });

  test.each([
    ['removed or renamed material codes', 'codes', ['remove', 'A', '--yes']],
    ['removed or renamed purchase orders', 'orders', ['remove', 'OT0000001', '--yes']],
    ['new material codes', 'codes', ['import', fileOf('MaterialCode\nBOLT-1', 'new.csv')]],
    [
      'new material codes and new units',
      'codes',
      ['import', fileOf('MaterialCode,Unit\nBOLT-1,\nA,KG', 'both.csv')],
    ],
  ])('a warning says that %s are not compared', async (what, group, line) => {
    const words = `Not compared with balances: ${what}. These credentials are not allowed to do that`;
    const { code, warnings } = await run(group, ...line);
    expect({ code, warnings }).toEqual({ code: 1, warnings: [expect.stringContaining(words)] });
    expect(await run(group, ...line, '--accept-warnings')).toMatchObject({ code: 0 });
  });

  test('other changes of codes, and new orders, have no warning', async () => {
    await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'A' }, Name: { S: 'a' } }]);
    expect(await warningsOf('A,kg')).toEqual([]);
    const order = fileOf('PurchaseOrder\nOT0000002', 'orders.csv');
    expect(await run('orders', 'import', order)).toMatchObject({ code: 0, warnings: [] });
  });
});

describe('a unit', () => {
  beforeEach(async () => {
    await codes('A', 'B', 'C', 'D');
    await putItems(names.MaterialCodes, [{ MaterialCode: { S: 'E' } }]);
    await send('north', [entryOf('A', 1), entryOf('B', 1), entryOf('D', 1, 'm')]);
  });

  test.each([
    [['A,KG', 'B,KG', 'D,m', 'E,KG'], ['The unit of A and B becomes "KG", but their balances have "kg".']],
    [['A,m'], ['The unit of A becomes "m", but its balances have "kg".']],
    // A material without balances may have the unit of others.
    [['C,m'], []],
    [['C,KG'], ['The unit of C becomes "KG", but no balance has it.']],
  ])('is compared with the balances: %j', async (rows, warnings) => {
    expect(await warningsOf(...rows)).toEqual(warnings);
  });
});

test('after days away, only the first and the newest batches are read', async () => {
  data = dataFolder(names, { engine: engine.endpoint });
  await codes('A');
  await send('north', [entryOf('A', 1)], 99);
  await warningsOf('A,KG');
  const large = storedBatch(largeBatch());
  for (let hours = 10; hours > 0; hours -= 1) await send('north', large, hours);
  let furtherParts = 0;
  engine.decide((call) => {
    if (call === 'GetItem') furtherParts += 1;
    return 'through';
  });
  expect(await warningsOf('A,KG')).toEqual(['The unit of A becomes "KG", but no balance has it.']);
  expect(furtherParts).toBeLessThan(10);
});

test('no unit is unused before the first batch', async () => {
  await codes('A');
  expect(await importRows(['MaterialCode,Unit', 'A,KG'])).toMatchObject({ code: 0, warnings: [] });
});
