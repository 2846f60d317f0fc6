import { describe, expect, test } from 'vitest';
import { columnsOfTable } from '../../../admin/formats/columns-of-table.ts';
import { writeNextVersion } from '../../../admin/stock/database/meta.ts';
import {
  type Cursor,
  countRows,
  iterateTable,
  selectWindow,
  type TableQuery,
} from '../../../admin/stock/queries/table-query.ts';
import { type TableFilter, tableQueries } from '../../../admin/stock/tables/tables.ts';
import { cellsOf, entry, makeStock } from './make-stock.ts';

const { db } = makeStock({
  north: [
    { at: 1_000, entries: [entry('A', 0.1), entry('B', 5, 'm', ['OT1000001']), entry('C', -3)] },
    { at: 2_000, entries: [entry('A', 0.3), entry('B', 5, 'm', ['OT1000001'])] },
  ],
  south: [{ at: 1_500, entries: [entry('A', 0.2), entry('Б', 7, 'pcs', ['OT1000002', 'OT1000003'])] }],
});
db.exec(`
  INSERT INTO attribute VALUES (1, 'MaterialCodes', 'Name', 'text');
  INSERT INTO material_attribute SELECT 1, id, 'Pipe ' || name FROM material WHERE name IN ('A', 'C')`);

const balances = (filter: TableFilter = {}) => tableQueries.balances(db, filter);
const totals = (filter: TableFilter = {}) => tableQueries.totals(db, filter);

const codesAndBalances = (filter: TableFilter, sort?: string) =>
  cellsOf(db, balances(filter), ['MaterialCode', 'Client', 'StockBalance'], sort);

const ALL = ['A north 0.3', 'A south 0.2', 'B north 5', 'C north -3', 'Б south 7'];

test('a balance that the latest batch left out is the last known one, with the time of its batch, and of the first known one that has it', () => {
  expect(codesAndBalances({})).toEqual(ALL);
  expect(cellsOf(db, balances({ client: 'north' }), ['MaterialCode', 'ReceivedAt', 'Since'])).toEqual([
    'A 2000 2000',
    'B 2000 1000',
    'C 1000 1000',
  ]);
});

test('a moment shows what was known then, and nothing of a warehouse that had sent nothing', () => {
  const at = new Date(1_499).toISOString();
  expect(codesAndBalances({ at })).toEqual(['A north 0.1', 'B north 5', 'C north -3']);
  expect(cellsOf(db, totals({ at }), ['MaterialCode', 'StockBalance'])).toEqual(['A 0.1', 'B 5', 'C -3']);
  expect(countRows(db, totals({ at }))).toBe(3);
  expect(countRows(db, totals({ at, search: 'B' }))).toBe(1);
  const before = { at: new Date(999).toISOString() };
  expect(codesAndBalances(before)).toEqual([]);
  expect(countRows(db, totals(before))).toBe(0);
});

test.each<[TableFilter, string[]]>([
  [{ search: 'ot1000003' }, ['Б south 7']],
  [{ search: 'A sou' }, ['A south 0.2']],
  [{ search: 'pipe nort' }, ['A north 0.3', 'C north -3']],
  [{ search: 'absent' }, []],
  [{ client: 'south' }, ['A south 0.2', 'Б south 7']],
  [{ client: 'absent' }, []],
  [{ unit: 'm' }, ['B north 5']],
  [{ order: '0002' }, ['Б south 7']],
  [{ since: new Date(1_500).toISOString() }, ['A north 0.3', 'A south 0.2', 'B north 5', 'Б south 7']],
])('%j finds %j', (filter, found) => {
  db.exec(`UPDATE material SET folded = 'A' || char(10) || 'PIPE A' WHERE name = 'A'`);
  db.exec(`UPDATE material SET folded = 'C' || char(10) || 'PIPE C' WHERE name = 'C'`);
  expect(codesAndBalances(filter)).toEqual(found);
  expect(countRows(db, balances(filter))).toBe(found.length);
});

test.each([
  ['-StockBalance', ['Б south 7', 'B north 5', 'A north 0.3', 'A south 0.2', 'C north -3']],
  ['Client', ['A north 0.3', 'B north 5', 'C north -3', 'A south 0.2', 'Б south 7']],
  ['StockBalanceUnit', ['A north 0.3', 'A south 0.2', 'C north -3', 'B north 5', 'Б south 7']],
  ['-PurchaseOrders', ['Б south 7', 'B north 5', 'A north 0.3', 'A south 0.2', 'C north -3']],
  ['ReceivedAt', ['C north -3', 'A south 0.2', 'Б south 7', 'A north 0.3', 'B north 5']],
  ['-Since', ['A north 0.3', 'A south 0.2', 'Б south 7', 'B north 5', 'C north -3']],
  ['list.Name', ['A north 0.3', 'A south 0.2', 'C north -3', 'B north 5', 'Б south 7']],
  ['-list.Name', ['C north -3', 'A north 0.3', 'A south 0.2', 'B north 5', 'Б south 7']],
])('sorted by %s', (sort, rows) => {
  expect(codesAndBalances({}, sort)).toEqual(rows);
});

/** All rows, read one window after the other. */
const walk = (query: TableQuery, direction: 'after' | 'before', sort: string, limit: number) => {
  const rows: unknown[][] = [];
  let cursor: Cursor | undefined;
  for (let length = limit; length === limit; ) {
    const window = selectWindow(db, query, { sort, limit, [direction]: cursor ?? [] });
    const isForwards = direction === 'after';
    rows.splice(isForwards ? rows.length : 0, 0, ...window.map(({ cells }) => cells));
    cursor = window.at(isForwards ? -1 : 0)?.cursor;
    length = window.length;
  }
  return rows;
};

describe.each(['balances', 'totals'] as const)('%s', (name) => {
  const query = tableQueries[name](db, {});
  test.each(query.columns.flatMap((column) => [column.name, `-${column.name}`]))(
    'windows by %s show each row once, forwards and back',
    (sort) => {
      const all = [...iterateTable(db, query, sort)];
      for (const limit of [1, 2]) {
        expect(walk(query, 'after', sort, limit)).toEqual(all);
        expect(walk(query, 'before', sort, limit)).toEqual(all);
      }
    },
  );
});

test('a window reads on if the first materials have too few rows of a filter', () => {
  const codes = Array.from({ length: 30 }, (_, index) => `M${index + 10}`);
  const entries = codes.map((code, index) => entry(code, index, index % 10 === 0 ? 'm' : 'kg'));
  const stock = makeStock({ north: [{ at: 1_000, entries }] });
  for (const name of ['balances', 'totals'] as const) {
    const rows = selectWindow(stock.db, tableQueries[name](stock.db, { unit: 'm' }), { limit: 2 });
    expect(rows.map(({ cells }) => cells[0])).toEqual(['M10', 'M20']);
  }
});

test('a window has materials of negative ids, which many texts before all others get', () => {
  const stock = makeStock({ north: [{ at: 1_000, entries: [entry('A', 1), entry('B', 2)] }] });
  stock.db.exec('UPDATE material SET id = id - (1 << 47)');
  for (const table of ['balance', 'total'])
    stock.db.exec(`UPDATE ${table} SET material = material - (1 << 47)`);
  for (const name of ['balances', 'totals'] as const)
    for (const sort of ['MaterialCode', '-MaterialCode']) {
      const rows = selectWindow(stock.db, tableQueries[name](stock.db, { unit: 'kg' }), { sort, limit: 9 });
      expect(rows.map(({ cells }) => cells[0]).sort()).toEqual(['A', 'B']);
    }
});

test('totals add decimals exactly, each unit for itself', () => {
  expect(cellsOf(db, totals(), ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'Warehouses'])).toEqual([
    'A 0.5 kg 2',
    'B 5 m 1',
    'C -3 kg 1',
    'Б 7 pcs 1',
  ]);
  expect(cellsOf(db, totals({ client: 'south' }), ['MaterialCode', 'StockBalance'], '-StockBalance')).toEqual(
    ['Б 7', 'A 0.2'],
  );
  expect(countRows(db, totals({ search: 'A' }))).toBe(1);
});

test('totals are of warehouses only, also when a client that has balances is none any more', () => {
  const { db } = makeStock({
    north: [{ at: 1_000, entries: [entry('A', 1)] }],
    south: [{ at: 1_000, entries: [entry('A', 2), entry('B', 5)] }],
  });
  const shown = (filter = {}) =>
    cellsOf(db, tableQueries.totals(db, filter), ['MaterialCode', 'StockBalance', 'Warehouses']);
  expect(shown()).toEqual(['A 3 2', 'B 5 1']);
  expect(shown({ material: 'B' })).toEqual(['B 5 1']);
  expect(shown({ client: 'north' })).toEqual(['A 1 1']);
  expect(shown({ client: '' })).toEqual([]);
  db.exec(`UPDATE client SET is_warehouse = 0 WHERE name = 'south'`);
  expect(shown()).toEqual(['A 1 1']);
});

test('totals add values of 17 digits exactly, also those of a moment', () => {
  const { db } = makeStock({
    north: [{ at: 1_000, entries: [entry('A', 0.1 + 0.2)] }],
    south: [{ at: 1_000, entries: [entry('A', 3_000_000)] }],
  });
  const at = new Date(1_000).toISOString();
  for (const filter of [{}, { at }])
    for (const sort of ['MaterialCode', '-StockBalance']) {
      const [row] = selectWindow(db, tableQueries.totals(db, filter), { sort, limit: 1 });
      expect(row?.cells).toContain('3000000.30000000000000004');
    }
});

test('sorted totals of a moment are added once, and again for another filter, when the file has changed and after a failure', () => {
  const { db } = makeStock({
    north: [{ at: 1_000, entries: [entry('A', -3_000_000_000.5), entry('B', 2)] }],
    south: [{ at: 1_000, entries: [entry('A', 1), entry('B', 1)] }],
  });
  const at = new Date(1_000).toISOString();
  const sorted = (filter = {}) =>
    cellsOf(db, tableQueries.totals(db, { at, ...filter }), ['StockBalance', 'Warehouses'], '-StockBalance');
  expect(sorted()).toEqual(['3 2', '-2999999999.5 2']);
  db.exec('UPDATE balance SET mantissa = 5, exponent = 0 WHERE mantissa = 2');
  expect(sorted()).toEqual(['3 2', '-2999999999.5 2']);
  expect(sorted({ client: 'north' })).toEqual(['5 1', '-3000000000.5 1']);
  expect(sorted({ search: 'north' })).toEqual(['5 1', '-3000000000.5 1']);
  expect(sorted({ search: 'south' })).toEqual(['1 1', '1 1']);
  expect(sorted({ search: 'B' })).toEqual(['6 2']);
  db.exec('UPDATE balance SET mantissa = 7 WHERE mantissa = 5');
  writeNextVersion(db);
  expect(sorted({ search: 'B' })).toEqual(['8 2']);
  db.exec('ALTER TABLE balance RENAME TO away');
  expect(() => sorted()).toThrow('no such table');
  db.exec('ALTER TABLE away RENAME TO balance');
  expect(sorted({ search: 'B' })).toEqual(['8 2']);
});

test('totals sort as numbers, and a unit that nobody sends any more has none', () => {
  const { db } = makeStock({
    north: [
      { at: 1_000, entries: [entry('A', 9), entry('B', 10), entry('C', 1)] },
      { at: 2_000, entries: [entry('A', 9), entry('B', 10), entry('C', 1, 'm')] },
    ],
  });
  const totals = tableQueries.totals(db, {});
  const shown = cellsOf(db, totals, ['MaterialCode', 'StockBalance', 'StockBalanceUnit'], '-StockBalance');
  expect(shown).toEqual(['B 10 kg', 'A 9 kg', 'C 1 m']);
});

test('a search among many materials finds the balances that have each word in their code, warehouse or orders', () => {
  const entries = Array.from({ length: 1_200 }, (_, index) =>
    entry(
      `${index < 1_100 ? 'KA' : 'KB'}${index}`,
      index,
      'kg',
      index % 3 === 0 ? [`OT${index}`, `OT1${index}`] : [],
    ),
  );
  const { db } = makeStock({
    north: [{ at: 1_000, entries }],
    south: [{ at: 1_000, entries: entries.slice(600) }],
  });
  const found = (search: string) => {
    const words = search.split(' ');
    return ['NORTH', 'SOUTH'].flatMap((client) =>
      entries
        .slice(client === 'NORTH' ? 0 : 600)
        .filter(({ MaterialCode, PurchaseOrders }) =>
          words.every((word) =>
            [MaterialCode, client, PurchaseOrders.join(' ')].some((text) => text.includes(word)),
          ),
        ),
    ).length;
  };
  for (const search of [
    'K',
    'KA',
    'KB11',
    '1',
    '7',
    'OT',
    'K OT',
    'KA OT11',
    '1 NORTH',
    'K 17 2',
    'KA 2 OT',
    'SOUTH 9 OT',
    'KA Z',
  ]) {
    expect([search, countRows(db, tableQueries.balances(db, { search }))]).toEqual([search, found(search)]);
    expect([
      search,
      cellsOf(db, tableQueries.balances(db, { search }), ['MaterialCode'], '-StockBalance').length,
    ]).toEqual([search, found(search)]);
  }
});

describe.each(['balances', 'totals', 'codes'] as const)(
  'in %s, an attribute named like a column',
  (table) => {
    const { db } = makeStock({ north: [{ at: 1_000, entries: [entry('A', 1, 'kg'), entry('B', 2, 'm')] }] });
    const names = ['Client', 'StockBalanceUnit', 'SnapshotId', 'Unit', 'Material', '-Unit', 'Unit (list)'];
    /** Sorted, B comes before A. */
    const textOf = (name: string, code: string) => `${name} ${code === 'A' ? 2 : 1}`;
    for (const name of names)
      db.prepare(`INSERT INTO attribute (list, name, kind) VALUES ('MaterialCodes', ?, 'text')`).run(name);
    for (const code of ['A', 'B']) {
      const attributes = JSON.stringify(Object.fromEntries(names.map((name) => [name, textOf(name, code)])));
      db.prepare(
        `INSERT INTO list_row SELECT 'MaterialCodes', name, sort_key, folded, ? FROM material WHERE name = ?`,
      ).run(attributes, code);
    }
    db.exec(`
    INSERT INTO material_attribute SELECT attribute.id, material.id, attributes ->> ('$."' || attribute.name || '"')
    FROM attribute, material JOIN list_row USING (sort_key)`);
    const query = tableQueries[table](db, {});

    test('replaces none, and is shown under a title of its own', () => {
      const [row = []] = iterateTable(db, query);
      const shown = new Map(columnsOfTable(query).map(({ title, value }) => [title, value(row)]));
      expect(shown.size).toBe(query.columns.length);
      expect([...shown.values()]).toEqual(expect.arrayContaining(names.map((name) => textOf(name, 'A'))));
      expect(shown.get('Material')).toBe('A');
      const own = table === 'codes' ? [] : ['StockBalanceUnit'];
      expect(columnsOfTable(query, own).map(({ value }) => value(row))).toEqual(own.map(() => 'kg'));
    });

    test('sorts in both directions, and leaves the order of the others', () => {
      const codesBy = (sort: string) => [...iterateTable(db, query, sort)].map(([code]) => code);
      const own = query.columns.filter(({ attribute }) => attribute === undefined);
      for (const { name } of own) expect(codesBy(name)).toEqual(['A', 'B']);
      const columns = query.columns.filter(({ attribute }) => attribute !== undefined);
      expect(columns.map(({ attribute }) => attribute)).toEqual(names);
      for (const { name } of columns) {
        expect(codesBy(name)).toEqual(['B', 'A']);
        expect(codesBy(`-${name}`)).toEqual(['A', 'B']);
      }
    });
  },
);
