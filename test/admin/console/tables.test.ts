import { constants } from 'node:sqlite';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TableAddress } from '../../../admin/console/addresses.ts';
import type { TablePage } from '../../../admin/console/api.ts';
import { createReaders } from '../../../admin/console/queries/read-stock.ts';
import { openStock } from '../../../admin/stock/database/open-stock.ts';
import { tableNames } from '../../../admin/stock/tables/tables.ts';
import { newSnapshotId, toSnapshotItems } from '../../../shared/storage/snapshot.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { entryOf, timestampOf } from '../../support/batches.ts';
import { cells, type OpenConsole, openConsole, type Parameters } from '../../support/console.ts';
import type { Row } from '../../support/stock-model.ts';
import { emptyDeployment, type Item, putItems } from '../tables.ts';

/** A little in the past, so that each moment of the test is over. */
const NOW = Date.now() - 1_000;
const hoursAgo = (hours: number) => new Date(NOW - hours * HOUR_MS);
const iso = (hours: number) => hoursAgo(hours).toISOString();
const MONTH_HOURS = (30 * DAY_MS) / HOUR_MS;

/** Some of these codes have orders, and their numbers share digits. */
const many = Array.from({ length: 1_200 }, (_, index) => {
  const orders = index % 3 === 0 ? [`OT${index}`, `OT1${index}`] : [];
  return entryOf(`${index < 1_100 ? 'KA' : 'KB'}${index}`, index, 'kg', orders);
});
const LIKE_COLUMNS = ['Client', 'StockBalanceUnit', 'SnapshotId', 'Unit', 'Material', '-Unit', 'Unit (list)'];
/** Sorted by their attributes, B comes before A. */
const attributesOf = (code: string): Item =>
  Object.fromEntries(LIKE_COLUMNS.map((name) => [name, { S: `${name} ${code === 'A' ? 2 : 1}` }]));

let console: OpenConsole;
beforeAll(async () => {
  const removed = { Client: 'removed', RemovedAt: iso(3) };
  const clients = [{ Client: 'north' }, { Client: 'south' }, { Client: 'store' }, removed];
  const { names, data } = await emptyDeployment({
    clients: clients.map((client) => ({ SilenceHours: 0, ...client })),
  });
  const send = (client: string, hours: number, entries: ReturnType<typeof entryOf>[]) => {
    const receivedAt = hoursAgo(hours);
    const snapshotId = newSnapshotId(receivedAt, 'id');
    const snapshot = { client, snapshotId, receivedAt, requestId: 'request', entries };
    return putItems(names.BalanceSnapshots, toSnapshotItems(snapshot));
  };
  const sums = (a: number, b: number, c: number) => [entryOf('A', a), entryOf('B', b), entryOf('C', c)];
  await send('north', MONTH_HOURS + 1, [entryOf('A', 1)]);
  await send('north', 3, sums(0.25, 0.1, 1e-7));
  await send('north', 1, sums(123_456_789_012_345, 0.3, -2e-7));
  await send('south', 2, [...sums(0.01, -0.3, 2e-7), entryOf('D', 9), entryOf('E', 10)]);
  await send('removed', 4, [entryOf('A', 5)]);
  await send('store', 2, many);
  // The checks of a latest batch with so many similar codes take seconds.
  await send('store', 1.9, [entryOf('Z', 1)]);
  await putItems(
    names.ChangeTimestamps,
    [1, MONTH_HOURS + 1].map((hours) => ({
      Client: { S: 'north' },
      Timestamp: { S: timestampOf(hoursAgo(hours).getTime()) },
      ReceivedAt: { S: iso(hours) },
      RequestId: { S: 'request' },
    })),
  );
  await putItems(
    names.MaterialCodes,
    ['A', 'B'].map((code) => ({ MaterialCode: { S: code }, ...attributesOf(code) })),
  );
  const texts = Array.from({ length: 10 }, (_, index) => 'x'.repeat(index === 5 ? 300_000 : 80_000));
  await putItems(
    names.PurchaseOrders,
    texts.map((text, index) => ({ PurchaseOrder: { S: `OT100000${index}` }, Text: { S: text } })),
  );
  console = await openConsole(data);
  await console.read();
});
afterAll(() => console.stop());

const codesOf = (rows: readonly Row[]) => cells(rows, 'MaterialCode').join(' ');

describe('a page', () => {
  const shown = async (parameters: Parameters) => {
    const { rows, first, hasMore } = await console.page('balances', {
      client: 'south',
      sort: '-StockBalance',
      ...parameters,
    });
    return [codesOf(rows), first, hasMore];
  };

  test('has its number, the number of rows before it, and whether more rows follow', async () => {
    expect(await shown({ limit: '2' })).toEqual(['E D', 0, true]);
    expect(await shown({ limit: '2', page: '2' })).toEqual(['A C', 2, true]);
    expect(await shown({ limit: '2', page: '3' })).toEqual(['B', 4, false]);
    expect(await shown({ limit: '5' })).toEqual(['E D A C B', 0, false]);
  });

  test('names the order that it has if the address asks for none', async () => {
    const { usualSort = '', rows } = await console.page('batches');
    expect(usualSort).toBe('-ReceivedAt');
    expect((await console.page('batches', { sort: usualSort })).rows).toEqual(rows);
  });

  test('beyond the last one has no rows, also far beyond it', async () => {
    for (const page of ['2', '12', '999999'])
      expect(await shown({ page })).toEqual(['', expect.any(Number), false]);
    const { rows } = await console.page('balances', { page: '13' });
    expect([rows.length, (await console.page('balances', { page: '14' })).rows.length]).toEqual([9, 0]);
  });

  test('near the end of a long table has its rows in their order', async () => {
    const all = (await console.rows('balances')).map((row) => `${row['MaterialCode']} ${row['Client']}`);
    for (const page of [1, 11, 12, 13]) {
      const { rows, first } = await console.page('balances', { page: String(page) });
      expect(first).toBe((page - 1) * 100);
      expect(cells(rows, 'MaterialCode', 'Client')).toEqual(all.slice(first, first + 100));
    }
  });

  test('has 100 rows unless the address asks for others, and at most 500', async () => {
    expect((await console.page('balances')).rows).toHaveLength(100);
    expect((await console.page('balances', { limit: '500' })).rows).toHaveLength(500);
  });

  test('has all its rows, and at most 1 MB: only if there are more, long texts are cut', async () => {
    const lengthsOf = async (parameters: Parameters) => {
      const { rows, bytes } = await console.page('orders', parameters);
      expect(bytes).toBeLessThan(1_000_000);
      return rows.map((row) => String(row['list.Text']).length);
    };
    const few = [...Array(5).fill(80_000), 300_000];
    expect(await lengthsOf({ limit: '6' })).toEqual(few);
    expect(await lengthsOf({})).toEqual([...Array(5).fill(80_000), 100_001, ...Array(4).fill(80_000)]);
  });
});

test('totals are exact up to 15 digits, and sort as numbers, now and at a moment', async () => {
  for (const moment of [{}, { at: iso(0) }])
    for (const sort of ['MaterialCode', '-StockBalance']) {
      const parameters = { ...moment, sort, search: 'south' };
      expect(
        cells(await console.rows('totals', parameters), 'StockBalance', 'Warehouses').toSorted(),
      ).toEqual(['-0.3 1', '0.01 1', '10 1', '2e-7 1', '9 1']);
    }
  const first = async (parameters: Parameters) =>
    cells((await console.page('totals', parameters)).rows.slice(0, 3), 'MaterialCode', 'StockBalance');
  const sums = ['A 123456789012345.02', 'B 0', 'C 0'];
  expect(await first({})).toEqual(sums);
  for (const at of [{}, { at: iso(0) }])
    expect(await first({ sort: '-StockBalance', ...at })).toEqual([sums[0], 'KB1199 1199', 'KB1198 1198']);
  expect(await first({ at: iso(1.5) })).toEqual(['A 0.26', 'B -0.2', 'C 3e-7']);
  expect(cells(await console.rows('totals', { material: 'B' }), 'StockBalance')).toEqual(['0']);
});

test.each(['balances', 'totals', 'codes'])(
  'in %s, attributes named like a column are columns of their own',
  async (table) => {
    const search = table === 'codes' ? {} : { search: 'south' };
    const { rows, columns } = await console.page(table, search);
    const own = columns.filter(({ attribute }) => attribute === undefined);
    const others = columns.filter(({ attribute }) => attribute !== undefined);
    expect(others.map(({ attribute }) => attribute).toSorted()).toEqual(LIKE_COLUMNS.toSorted());
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
    for (const { name, attribute } of others) expect(rows[0]?.[name]).toBe(`${attribute} 2`);
    if (table !== 'codes') expect(rows[0]?.['StockBalanceUnit']).toBe('kg');
    const orderBy = async (sort: string) =>
      codesOf(await console.rows(table, { ...search, sort })).slice(0, 3);
    for (const { name } of others)
      expect([await orderBy(name), await orderBy(`-${name}`)]).toEqual(['B A', 'A B']);
    if (table !== 'codes') return;
    for (const { name } of own.filter(({ kind }) => kind === 'text')) expect(await orderBy(name)).toBe('A B');
  },
);

test('findings of a moment use the lists of now', async () => {
  const unlisted = async () =>
    cells(await console.rows('findings', { at: iso(0), kind: 'unlisted-code', client: 'south' }), 'Subject');
  expect(await unlisted()).toEqual(['C', 'D', 'E']);
  const known = async (at: string) =>
    codesOf(await console.rows('balances', { at, finding: 'sign-flipped' }));
  // Each request finds the findings of its own moment.
  expect([(await known(iso(0))) !== '', await known(iso(1.95))]).toEqual([true, '']);
  const { body } = await console.post('/api/lists/codes/review', [
    { kind: 'added', identifier: 'D', cells: [] },
  ]);
  await console.post(`/api/reviews/${body.id}`, {});
  expect(await unlisted()).toEqual(['C', 'E']);
});

test('a moment is checked when a finding of it is shown, once, and not for its first pages', () => {
  const db = openStock(':memory:');
  let checks = 0;
  db.setAuthorizer((action, name) => {
    if (action === constants.SQLITE_CREATE_TEMP_TABLE && name === 'finding') checks += 1;
    return constants.SQLITE_OK;
  });
  const readers = createReaders(() => db);
  const [at, other] = [iso(1), iso(2)];
  const page = (table: string, filter: Parameters = {}) =>
    readers.page(v.parse(TableAddress, { table, at, ...filter }));
  for (const table of tableNames.filter((name) => name !== 'findings' && name !== 'warehouses')) page(table);
  readers.arrivals({ at, starts: [0] });
  readers.material({ at, material: 'A' });
  expect(checks).toBe(0);
  const shows = [
    () => readers.kinds({ at }),
    () => page('findings'),
    () => page('warehouses'),
    () => page('balances', { finding: 'any', at: other }),
    () => readers.kinds({ at: other }),
    () => page('findings'),
  ];
  const checked = shows.map((show) => {
    show();
    return checks;
  });
  expect(checked).toEqual([1, 1, 1, 2, 2, 3]);
});

test('the warehouses of a moment have counts of its findings', async () => {
  const errorsOf = async (address: Parameters) => {
    const { columns, rows }: TablePage = await console.ask('tables/warehouses', address);
    return rows[0]?.[columns.findIndex(({ name }) => name === 'Errors')];
  };
  const [south, moment] = [{ client: 'south' }, { at: iso(MONTH_HOURS) }];
  expect(await errorsOf({ ...south, at: iso(0) })).toBeGreaterThan(0);
  expect(await errorsOf({ ...south, ...moment })).toBe(0);
  expect(await errorsOf(south)).toBeGreaterThan(0);
});

test.each(['balances', 'codes'])('a search in %s may have 50 words', async (table) => {
  expect(await console.count(table, { search: 'a '.repeat(50) })).toBeGreaterThan(0);
});

describe('a search', () => {
  const found = async (search: string, table = 'balances') =>
    codesOf(await console.rows(table, { search, ...(table === 'balances' ? { client: 'south' } : {}) }));

  test.each([
    ['0,01', 'A'],
    ['0.010', 'A'],
    ['−0,3 south', 'B'],
    ['a, c', 'A C'],
    ['A\nC\nnone\n', 'A C'],
    ['d; e', 'D E'],
    ['e south', 'A B E'],
    ['b north, c', 'C'],
    ['c north', ''],
    [',', 'A B C D E'],
  ])('for %j finds numbers, several words and several codes', async (search, codes) => {
    expect(await found(search)).toBe(codes);
  });

  test('for a number with groups of digits finds it in each writing', async () => {
    for (const search of [
      '123\u202f456\u202f789\u202f012\u202f345',
      '123.456.789.012.345',
      '123,456,789,012,345',
    ])
      expect(cells(await console.rows('balances', { search }), 'MaterialCode')).toEqual(['A']);
  });

  test('for several whole codes leaves out longer codes, and has no limit', async () => {
    const codes = Array.from({ length: 200 }, (_, index) => `KA${index + 10}`);
    const search = codes.join('\n');
    expect(await console.count('balances', { client: 'store', search })).toBe(200);
    expect(await console.count('balances', { client: 'store', search: 'KA10, KA110' })).toBe(2);
    expect(await console.count('balances', { client: 'store', search: 'KA10' })).toBe(111);
  });

  test('in a list finds the rows of each code', async () => {
    expect(await found('unit 1, a', 'codes')).toBe('A B');
  });
});
