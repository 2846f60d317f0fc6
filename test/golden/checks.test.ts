import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Work } from '../../admin/console/api.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import { adminHereOn } from '../admin/in-process.ts';
import { emptyDeployment, type NamedClient, putBatch } from '../admin/tables.ts';
import { entryOf } from '../support/batches.ts';
import { openConsole } from '../support/console.ts';
import { expectGolden, testEachIsCompared } from './expect-golden.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterAll(() => void vi.useRealTimers());

/** A balance in kg, or with its unit and its orders. */
type Balance = number | readonly [balance: number, unit: string, ...orders: string[]];
type Batch = Record<string, Balance>;
type World = {
  /** A code alone is a row without attributes. */
  codes?: readonly (string | Record<string, unknown>)[];
  orders?: readonly string[];
  /** The batches of each warehouse, an hour apart. The last one comes at 11:00, or a minute earlier for each warehouse before it. */
  batches?: Record<string, readonly Batch[]>;
  clients?: readonly NamedClient[];
};

/** The entries of batches that are `damaged`, such as the second one of `north 1`, are lost. */
const write = async (
  { codes = [], orders = [], batches = {}, clients = [] }: World,
  damaged: readonly string[] = [],
) => {
  const others = Object.keys(batches).filter((name) => !clients.some(({ Client }) => Client === name));
  const deployed = await emptyDeployment({ clients: [...others, ...clients] });
  const rows = codes.map((row) => (typeof row === 'string' ? { MaterialCode: row } : row));
  const ofWarehouses = Object.entries(batches).map(async ([warehouse, sent], place) => {
    for (const [index, batch] of sent.entries()) {
      const hoursAgo = sent.length - index;
      const at = new Date(NOW.getTime() - hoursAgo * HOUR_MS - place * MINUTE_MS);
      const entries = Object.entries(batch).map(([code, balance]) =>
        typeof balance === 'number'
          ? entryOf(code, balance)
          : entryOf(code, balance[0], balance[1], balance.slice(2).map(String)),
      );
      const SnapshotId = await putBatch(deployed.names.BalanceSnapshots, warehouse, at, entries);
      if (!damaged.includes(`${warehouse} ${index}`)) continue;
      const key = { Client: warehouse, SnapshotId, ReceivedAt: at.toISOString(), RequestId: 'test' };
      await deployed.tables.put('BalanceSnapshots', { ...key, EntryCount: 7, Parts: 1, Balances: {} });
    }
  });
  await Promise.all([
    ...rows.map((row) => deployed.tables.put('MaterialCodes', row)),
    ...orders.map((order) => deployed.tables.put('PurchaseOrders', { PurchaseOrder: order })),
    ...ofWarehouses,
  ]);
  return deployed.data;
};

type Finding = Record<'Severity' | 'Kind' | 'Client' | 'Subject' | 'Detail' | 'Advice', string> &
  Record<'SinceAtLeast' | 'SnapshotId', string | null>;

/** With `--at`, all batches are read first, so SinceAtLeast is exact. */
const find = async (data: string): Promise<Finding[]> =>
  JSON.parse((await adminHereOn(data, ['check', '--json', '--at', NOW.toISOString()])).stdout);

const timeOf = (text: string | null) => text?.slice(11, 16) ?? '-';
const show = (finding: Finding) => {
  const { Severity, Kind, Client, Subject, SinceAtLeast, SnapshotId, Detail, Advice } = finding;
  const batch = `since ${timeOf(SinceAtLeast)}, batch ${timeOf(SnapshotId)}`;
  return `${Client || '(all)'}: ${Severity} ${Kind} "${Subject}", ${batch}\n  ${Detail}\n  ${Advice}\n`;
};

type Shown = World & { leavesOut?: string; damaged?: readonly string[] };
const expectFindings = async (name: string, { leavesOut = '', damaged = [], ...world }: Shown) => {
  const data = await write(world, damaged);
  const found = (await find(data)).filter(({ Kind }) => Kind !== leavesOut);
  const quiet = Object.keys(world.batches ?? {}).filter(
    (name) => !found.some(({ Client }) => Client === name),
  );
  const shown = [`No finding of its own: ${quiet.join(', ')}\n`, ...found.map(show)].join('\n');
  await expectGolden(shown, `checks/${name}.txt`);
  return data;
};

const sends = (...batches: Batch[]) => batches;
const many = (count: number, balanceOf: (index: number) => number): Batch =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`M-${1_000 + index}`, balanceOf(index)]));

test('the last two batches of each warehouse are compared', async () => {
  const data = await expectFindings('differences', {
    leavesOut: 'unlisted-code',
    batches: {
      'fewer-than-half': sends({ A: 1, B: 2, C: 3 }, { A: 1 }),
      half: sends({ A: 1, B: 2 }, { A: 1 }),
      'all-0': sends({ A: 1, B: 0, C: 5 }, { A: 1, B: 0 }, { A: 0, B: -0 }),
      'all-0-as-before': sends({ A: 0, B: 0 }, { A: 0, B: 0 }),
      'single-0': sends({ A: 1 }, { A: 0 }),
      multiplied: sends({ A: 81.597, B: 5 }, { A: 81_597, B: 6 }),
      divided: sends({ A: -0.325 }, { A: -3.25e-8 }),
      'of-15-digits': sends(
        { A: 123456789.012345, B: 123456789.012345 },
        { A: 123456789012345, B: 123456789012346 },
      ),
      'of-two-digits': sends({ A: 1, B: 250, C: -7 }, { A: 10, B: 25, C: -70_000 }),
      'two-of-a-factor': sends({ A: 1, B: 2 }, { A: 10, B: 20 }),
      'three-of-two-factors': sends({ A: 1, B: 2, C: 3 }, { A: 10, B: 20, C: 300 }),
      'three-of-a-factor': sends({ A: 1, B: 2, C: 40 }, { A: 10, B: 20, C: 400 }),
      sign: sends({ A: 7.5, B: -2, C: 0, D: 1 }, { A: -7.5, B: 3, C: -1, D: 0 }),
      'sign-of-little': sends({ A: 0.3, B: -500 }, { A: -400, B: 0.3 }),
      'sign-of-a-tenth': sends({ A: 50, B: -9.9 }, { A: -5, B: 100 }),
      unit: sends({ U: 5000 }, { U: [5, 't'] }),
      'unit-and-sign': sends({ V: 5000 }, { V: [-5, 't'] }),
      'many-equal': sends(
        { ...many(12, (index) => index + 1.5), other: 2.13 },
        { ...many(12, (index) => 10 * (index + 1.5)), other: 213 },
      ),
      'five-equal': sends(
        many(5, () => 7),
        many(5, () => -7),
      ),
      'six-equal': sends(
        many(6, () => 7),
        many(6, () => -7),
      ),
      'comes-and-goes': sends({ A: 1, B: 2, C: 0 }, { A: 2, C: 10, D: 20 }),
      noise: sends({ A: 730 }, { A: 20 }, { A: -15 }),
      'noise-of-another-unit': sends({ W: [730, 't'] }, { W: 20 }, { W: -15 }),
      'left-out-between': sends({ A: 81.597, B: 1 }, { B: 1 }, { A: 81_597, B: 1 }),
      'flipped-before': sends({ A: 7 }, { A: -7 }, { A: -7 }),
    },
  });
  const console = await openConsole(data, { isInThreads: false });
  onTestFinished(() => console.stop());
  const ofMaterial = async (material: string) =>
    (await console.rows('findings', { material, kind: 'sign-flipped' })).map(({ Client }) => Client);
  expect(await ofMaterial('M-1004')).toEqual(['six-equal', 'five-equal']);
  expect(await ofMaterial('M-1005')).toEqual(['six-equal']);
});

const sent = (...codes: string[]) => sends(Object.fromEntries(codes.map((code) => [code, 1])));

const K_40 = 'K'.repeat(40);
test('a damaged batch is found, and what is left is checked', () =>
  expectFindings('damaged', {
    orders: ['OT0000001'],
    batches: {
      'latest-one': sends({ A: 1 }, { A: -1 }),
      'previous-one': sends({ A: 1 }, { A: -1 }),
      'one-before': sends({ A: 1 }, { A: 1 }, { A: -1 }),
    },
    damaged: ['latest-one 1', 'previous-one 0', 'one-before 0'],
  }));

test('codes that the list lacks are named, with the code that was meant', () =>
  expectFindings('codes', {
    codes: [
      ...'ABC-1 toString Болт-1 Болт-2 ab Kabel-8/002 Rohr-4/014 Сталь-10/А XY DB-1 DC-1 EB-1'.split(' '),
      ...[K_40, 'Fass-1', 'Fass-2', 'Gurt-1', 'Gurt-2', 'Holz-1'],
    ],
    batches: {
      south: sent('NEW-1', 'ABC-1', 'toString'),
      north: sent('NEW-1'),
      // The first letter is Cyrillic.
      'same-look': sent('АBC-1'),
      'other-case': sent('БОЛТ-1'),
      'like-a-sent-one-too': sent('AB', 'АB'),
      'a-character-less': sent('Kabel-8/02'),
      'a-character-more': sent('Kabel-8/0022'),
      'another-character': sent('Kabel-8/0O2'),
      'another-first-character': sent('Cabel-8/002'),
      'another-last-character': sent('Сталь-10/Б'),
      'two-swapped': sent('Kable-8/002'),
      'one-character-left': sent('X'),
      'one-of-40': sent(`${'K'.repeat(39)}2`),
      'a-letter-with-its-accent': sent('Kabel-8/00\u0438\u03062'),
      'two-edits': sent('Kabl-8/02'),
      'no-neighbours-swapped': sent('Kebal-8/002'),
      'more-than-40': sent(`${K_40}2`),
      'not-sent-is-meant': sent('D-1'),
      'sends-the-other': sent('DB-1'),
      'sent-is-meant': sent('E-1', 'EB-1'),
      series: sent('Fass-1', 'Fass-2', 'Fass-3'),
      'gap-in-a-series': sent('Gurt-1', 'Gurt-3'),
      'series-of-another': sent('Holz-3'),
      'sends-the-series': sent('Holz-1'),
    },
  }));

test('codes of the list that look alike are found, and no others', () =>
  expectFindings('look-alikes-in-the-list', {
    codes: [
      // Letters of two scripts, accents, other forms of a letter, dashes, invisible characters and blanks.
      ...'A-1 \u0410-1 BO B\u039F \u0393 \u0413 Cafe\u0301 Caf\u00E9 \u00CB \u0401 PQ P\uFF31'.split(' '),
      ...'fit \uFB01t D-1 D\u20131 M-1 M\u22121 E1 E\u034F1 F1'.split(' '),
      'F1 ',
      // Each letter that looks like a letter of another script.
      ...'ABCEGHIIJKMOPQSTVWXYY АВСЕԌНІӀЈКМОРԚЅТѴԜХУҮ acdehijlopqsvwxy асԁеһіјӏорԛѕѵԝху'.split(' '),
      ...'ABEHIJKMNOPTXYZjov ΑΒΕΗΙͿΚΜΝΟΡΤΧΥΖϳον ГПФ ΓΠΦ'.split(' '),
      // All but the first.
      ...['KT', '\u041AT', 'K\u0422', '\u041A\u0422'],
      // Also in another case.
      ...['сталь-\u0430', 'СТАЛЬ-A'],
      ...'Болт-M8 Bolt-M8 Болт-8 болт-в болт-b O1 01 I-1 l-1 1-1 Ель Ёль abc-1 ABC-2 Maß MASS'.split(' '),
    ],
    clients: [{ Client: 'sends-nothing', SilenceHours: 0 }],
  }));

const letters = Object.fromEntries([...'abcdefg'].map((name) => [name, sent('O-1')]));
test('codes that are sent are compared with those of the list and of other warehouses', () =>
  expectFindings('look-alikes', {
    codes: ['\u0421-1', 'HOP-1', 'PEN-1', '\u0420EN-1', 'abc-1', 'БОЛТ-В', 'ψυξισ', 'OLD-1'],
    batches: {
      ...letters,
      'west-1': sent('\u041E-1'),
      'west-2': sent('\u041E-1'),
      north: sent('C-1', '\u041DOP-1', '\u0420EN-1', 'Гайка'),
      'other-case': sent('ABC-1', 'болт-в', 'ΨΥΞΙΣ'),
      'left-out': sends({ 'T-1': 1 }, { '\u0422-1': 1 }),
    },
  }));

test('orders that only a batch or only the list has are found', () =>
  expectFindings('orders', {
    leavesOut: 'unlisted-code',
    orders: ['OT0000001', 'OT0000003', 'OT0000004'],
    batches: {
      south: sends({ A: [1, 'kg', 'OT0000001', 'OT0000002'], B: [1, 'kg', 'OT0000002', 'OT0000002'] }),
      // Somebody edited the stored batch by hand.
      north: [{ A: [1, 'kg', '"\\', 'OT0000001'] }],
      east: [{ A: [1, 'kg', 'OT0000003'] }],
    },
  }));

const [KG, T, L, ODD_L] = [
  [1, 'KG'],
  [1, 't'],
  [1, 'l'],
  [1, 'l.'],
] as const;
const ONE = [1, 'kg', 'OT0000001'] as const;
/** A material for each unit. */
const inUnits = (name: string, ...units: string[]) =>
  sends(Object.fromEntries(units.map((unit, index) => [`${name}${index + 1}`, [1, unit] as const])));
const listed = (MaterialCode: string, units: object) => ({ MaterialCode, ...units });
test('units that differ between warehouses, from the list, or in their spelling are found', () =>
  expectFindings('units', {
    leavesOut: 'unlisted-code',
    codes: [
      listed('L1', { StockBalanceUnit: 7, Unit: 't' }),
      listed('L2', { StockBalanceUnit: 't', Unit: 'kg' }),
      listed('L3', { StockBalanceUnit: 7, Unit: 'kg' }),
      listed('both', { Unit: 'kg' }),
    ],
    batches: {
      north: sends({ L1: 1, L2: 1, L3: 1, A: 1, B: [1, 'pair'], both: [1, 'l'] }),
      south: sends({ A: T, B: [1, 'pair'], both: 1 }, { A: T, B: [1, 'pair'], both: [1, 'st'] }),
      west: sent('A'),
      odd: inUnits('K', 'KG', 'кг', 'kg ', 'kg.', 'ｋg'),
      odder: inUnits('M', 'м', 'м²', 'см', 'Шт.', '\u00B5m'),
      oddest: inUnits('N', 'м', 'м²', 'см', 'Шт.', '\u00B5m'),
      ...Object.fromEntries(
        [...'OPQ'].map((name) => [name, inUnits(name, 'm', 'm2', 'cm', 'шт', '\u03BCm')]),
      ),
      different: inUnits('R', 'g', 'т/м', 'pcs', 'm3', 'л/м'),
    },
  }));

/** What warehouses send of a material in four hours: north from 8:00, south from 7:59, west from 7:58 on. */
type Course = Partial<Record<'north' | 'south' | 'west', (Balance | null)[]>>;
const courses: Record<string, Course> = {
  'unlisted/whatever-its-balance': { north: [null, 1, 2, 2] },
  'unlisted/came-back': { north: [1, null, 1, 1] },
  'gone/left-out-by-the-last': { north: [1, null, null, null], south: [1, 1, null, null] },
  'order/named-again': { north: [ONE, 1, ONE, [2, 'kg', 'OT0000002', 'OT0000001']] },
  'unit/differs-from-the-list': { north: [1, T, [2, 't'], [2, 't']] },
  'unit/differs-between': { north: [1, 1, 1, 1], south: [1, T, T, T], west: [null, null, null, T] },
  'unit/odd-without-a-break': { north: [KG, 1, KG, 1] },
  'unit/odd-since-then': { north: [null, null, null, KG], west: [KG, 1, 1, 1] },
  'unit/odd-of-several-1': { north: [null, ODD_L, ODD_L, ODD_L] },
  'unit/odd-of-several-2': { south: [null, null, ODD_L, ODD_L], west: [L, L, L, L] },
  'unit/usual': { west: [L, L, L, L] },
  'alike/b': { north: [null, 1, 1, 1] },
  'alike/B': { north: [1, 1, 1, 1], south: [null, null, 1, 1] },
  'alike/C': { north: [null, null, 1, 1] },
  'alike/c': { north: [1, 1, 1, 1] },
};
const coursesOf = (warehouse: keyof Course) =>
  [0, 1, 2, 3].map((hour) =>
    Object.fromEntries(
      Object.entries(courses).flatMap(([code, { [warehouse]: course = [] }]) => {
        const balance = course[hour] ?? null;
        return balance === null ? [] : [[code, balance] as const];
      }),
    ),
  );

test('a finding is there since the first batch that shows it without a break', () =>
  expectFindings('since', {
    codes: [
      ...['gone/left-out-by-the-last', 'gone/never-sent'],
      listed('unit/differs-from-the-list', { Unit: 'kg' }),
    ],
    batches: { north: coursesOf('north'), south: coursesOf('south'), west: coursesOf('west') },
  }));

/** Each rule that the functions log. */
const RULES = [
  ...['JSON', 'UTF-8', 'empty', 'content type', 'too large', 'unknown field', 'body: strict_object'],
  ...['Timestamp: missing', 'Timestamp: string', 'Timestamp: regex', 'Timestamp: check'],
  ...[
    'MaterialCodes: missing',
    'MaterialCodes: array',
    'MaterialCodes: min_length',
    'MaterialCodes[]: strict_object',
  ],
  ...['MaterialCode: missing', 'MaterialCode: string', 'MaterialCode: regex', 'MaterialCode: raw_check'],
  ...['StockBalance: missing', 'StockBalance: number', 'StockBalance: check'],
  ...['StockBalanceUnit: missing', 'StockBalanceUnit: string', 'StockBalanceUnit: regex'],
  ...[
    'PurchaseOrders: missing',
    'PurchaseOrders: union',
    'PurchaseOrders: min_length',
    'PurchaseOrders: max_length',
  ],
  ...['PurchaseOrders[]: string', 'PurchaseOrders[]: regex', 'of another version: new'],
];

test('each refused request says which rule it broke, and what to send', async () => {
  const { data } = await emptyDeployment({ clients: [{ Client: 'north', SilenceHours: 0 }] });
  const lines = RULES.map((rule, index) => {
    const timestamp = new Date(NOW.getTime() - index * MINUTE_MS).toISOString();
    const fields = { code: 'request-refused', client: 'north', requestId: 'id', status: 400, rule };
    return `Function ${JSON.stringify({ timestamp, ...fields })}\n`;
  });
  writeFileSync(join(data, 'functions.log'), lines.join(''));
  const found: Finding[] = JSON.parse((await adminHereOn(data, ['check', '--json'])).stdout);
  expect(found).toHaveLength(RULES.length);
  await expectGolden(found.map(show).join('\n'), 'checks/refusals.txt');
});

describe('a warehouse that has sent nothing', () => {
  const since = (hours: number) => ({
    SilenceHours: 24,
    SilenceFrom: new Date(NOW.getTime() - hours * HOUR_MS).toISOString(),
  });
  const clients = [
    { Client: 'late', ...since(25) },
    { Client: 'very-late', ...since(26) },
    { Client: 'just-added', ...since(23) },
    { Client: 'nobody-waits', ...since(25), SilenceHours: 0 },
    { Client: 'locked', ...since(25), LockedAt: '2026-01-01T00:00:00.000Z' },
  ];
  const found = async (data: string, ...line: string[]) =>
    JSON.parse((await adminHereOn(data, [...line, '--json'])).stdout).map(
      (row: { Client: string }) => row.Client,
    );

  test('is found once it is late, and not at a moment before', async () => {
    const data = await write({ clients });
    expect(await found(data, 'check')).toEqual(['late', 'very-late']);
    expect(await found(data, 'check', '--at', '121m')).toEqual([]);
    expect(await found(data, 'check', '--at', '2h')).toEqual(['very-late']);
  });

  test('is found by the next command, although no record is new', async () => {
    const data = await write({ clients, batches: { north: sent('A') } });
    const query = `SELECT warehouse AS "Client" FROM finding WHERE kind = 'no-snapshot'`;
    expect(await found(data, 'sql', query)).toEqual(['late', 'very-late']);
    vi.setSystemTime(NOW.getTime() + HOUR_MS);
    expect(await found(data, 'sql', query)).toEqual(['just-added', 'late', 'very-late']);
    vi.setSystemTime(NOW);
  });
});

test('a message needs a client, and something that it was not told yet', async () => {
  const data = await write({ codes: ['A-1'], batches: { north: [{ 'A-1': 1 }] } });
  const said = async (...line: string[]) => (await adminHereOn(data, ['check', '--message', ...line])).stderr;
  expect(await said()).toContain('--message needs --client NAME.');
  expect(await said('--client', 'nobody')).toContain('There is no client nobody');
  expect(await said('--client', 'north')).toContain('There is nothing to write to north.');
  const told = await write({ codes: ['A-1'], batches: { north: [{ 'A-1': 1 }, { 'A-1': [1, 't'] }] } });
  const message = async () => (await adminHereOn(told, ['check', '--message', '--client', 'north'])).stdout;
  expect(await message()).toContain('A-1 comes in t instead of kg');
  await adminHereOn(told, ['told', '--client', 'north', '--kind', 'unit-differs']);
  expect(await message()).toBe('');
});

test('sentences and advice call a warehouse as people do', async () => {
  const data = await write({
    codes: ['A-1', 'A-2', 'A-3'],
    batches: { north: [{ 'A-1': 1, 'A-2': 1, 'A-3': 1 }, { 'A-1': 1 }], south: [{ 'A-1': [1, 't'] }] },
    clients: [{ Client: 'north', DisplayName: 'München-Süd' }],
  });
  const { stdout } = await adminHereOn(data, ['check', '--json']);
  const found: { Client: string; Detail: string; Advice: string }[] = JSON.parse(stdout);
  expect(found).toContainEqual(
    expect.objectContaining({ Client: 'north', Advice: 'Ask München-Süd whether it sent all materials.' }),
  );
  expect(found.map(({ Detail }) => Detail)).toContain('Comes in "kg" from München-Süd and "t" from south.');
});

test.each(['en', 'de', 'ru'] as const)(
  'the command and the console write the same message in %s',
  async (Language) => {
    const north = { Client: 'north', DisplayName: 'München-Süd', Contact: 'lager@example.com', Language };
    const before: Batch = {
      ...{ 'Rohr-4/007': 125, 'A-1': 1500, 'A-2': 7.25 },
      ...{ 'A-3': [5, 'm'], 'Rоhr-1': 2 },
    };
    const after: Batch = { ...before, 'Rohr-4/007': 125_000, 'A-1': [1.5, 't'], 'A-2': -7.25 };
    const data = await write({
      codes: [...Object.keys(before).slice(0, 3), { MaterialCode: 'A-3', Unit: 'kg' }],
      batches: {
        'secret-0': [{ 'A-1': 1 }],
        // Of older batches, the command and the console know since when a finding is there.
        north: [before, before, after],
        'secret-1': [{ 'Rohr-1': 1, 'SECRET-9': 4 }],
        'secret-2': [{ 'A-3': 5 }],
      },
      clients: [north],
    });
    const { stdout } = await adminHereOn(data, ['check', '--client', 'north', '--message']);
    await expectGolden(stdout, `checks/message-${Language}.txt`);
    // Neither a name, a code, nor a time of another warehouse.
    expect(stdout).not.toMatch(/secret|Rohr-1|10:5[78]/i);
    const console = await openConsole(data, { isInThreads: false });
    onTestFinished(console.stop);
    await console.read();
    // A page that shows another moment changes nothing.
    await console.rows('findings', { at: '2026-11-20T10:30:00Z' });
    const { subject, text, contact, named } = await console.ask('message', { client: 'north' });
    const { cards }: Work = await console.ask('work');
    const ofNorth = cards.flatMap(({ client, concerns }) => (client === 'north' ? concerns : []));
    expect(named).toEqual(ofNorth.map(({ kind, version }) => ({ kind, version })));
    expect(named).not.toEqual([]);
    expect({ message: `${subject}\n\n${text}\n`, contact }).toEqual({
      message: stdout,
      contact: 'lager@example.com',
    });
  },
);

testEachIsCompared('checks');
