import { describe, expect, test } from 'vitest';
import { stateOf } from '../../../admin/clients/client-status.ts';
import { countRows } from '../../../admin/stock/queries/table-query.ts';
import { readMaterial } from '../../../admin/stock/tables/material.ts';
import { readArrivals, readChoices, readOverview } from '../../../admin/stock/tables/overview.ts';
import { type StockTableName, type TableFilter, tableQueries } from '../../../admin/stock/tables/tables.ts';
import { lateFromOf } from '../../../shared/clients/lateness.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { cellsOf, entry, makeStock } from './make-stock.ts';

const { db } = makeStock({
  north: [
    { at: 3_000, entries: [entry('A', 0.3, 'kg', ['OT1000001']), entry('C', 2_000), entry('D', 5, 'm')] },
    { at: 1_000, entries: [entry('A', 0.1), entry('B', 4), entry('C', 1_000), entry('D', 5)] },
    { at: 2_000, entries: [entry('A', 0.3), entry('B', 4), entry('C', 1_000), entry('D', 5)] },
  ],
  south: [{ at: 1_500, entries: [entry('A', 7, 'pcs'), entry('Б', 1)] }],
  removed: [{ at: 1_600, entries: [entry('A', 9)] }],
});
const iso = (at: number) => new Date(at).toISOString();
db.exec(`
  UPDATE client SET is_warehouse = 0 WHERE name = 'removed';
  INSERT INTO batch SELECT id, 2_500, 'damaged', 2_500, 'odd', 0, 0, NULL, 'damaged', 'why' FROM client WHERE name = 'north';
  INSERT INTO batch SELECT id, 9_000, 'unread', 9_000, 'late', 6, 1, NULL, 'unread', NULL FROM client WHERE name = 'south';
  INSERT INTO change SELECT id, '2026-01-01T00:00:02,000Z', 2_000, 'first' FROM client WHERE name = 'north';
  INSERT INTO change SELECT id, '2026-01-01T00:00:01,000Z', 3_000, 'second' FROM client WHERE name = 'north';
  INSERT INTO finding (id, kind, severity, client, subject, since, instant, detail, advice)
    SELECT 1, 'unit-differs', 'error', id, 'D', 3_000, 3_000, 'Another unit.', 'Ask.' FROM client WHERE name = 'north';
  INSERT INTO finding (id, kind, severity, client, subject, since, instant, detail, advice) SELECT 2, 'look-alike', 'warning', NULL, 'Б', NULL, NULL, 'Like B.', 'Rename.';
  INSERT INTO finding (id, kind, severity, client, subject, since, instant, detail, advice) SELECT 3, 'no-batch', 'note', id, 'A', 1_500, 1_500, 'Odd.', 'Look.' FROM client WHERE name = 'south';
  UPDATE finding SET count = iif(kind = 'look-alike', 40, id);
  INSERT INTO finding_material SELECT 1, id FROM material WHERE name = 'D';
  INSERT INTO finding_material SELECT 2, id FROM material WHERE name IN ('B', 'Б');
  INSERT INTO finding_material SELECT 3, id FROM material WHERE name = 'A'`);

const show = (table: StockTableName, filter: TableFilter = {}, names?: readonly string[], sort?: string) => {
  const query = tableQueries[table](db, filter);
  const rows = cellsOf(db, query, names, sort);
  expect(countRows(db, query)).toBe(rows.length);
  return rows;
};

describe('balances', () => {
  const changes = (filter: TableFilter, sort?: string) =>
    show('balances', filter, ['MaterialCode', 'Client', 'Difference'], sort);

  test('the change is that of the last other value in the same unit, with all its digits', () => {
    expect(changes({})).toEqual([
      'A north 0.2',
      'A south ',
      'B north ',
      'C north 1000',
      'D north ',
      'Б south ',
    ]);
    expect(changes({ at: iso(2_999), client: 'north' })).toEqual([
      'A north 0.2',
      'B north ',
      'C north ',
      'D north ',
    ]);
    const rows = ['C north 1000', 'A north 0.2'];
    expect(changes({ client: 'north' }, '-Difference').slice(0, 2)).toEqual(rows);
    expect(changes({ client: 'north' }, 'Difference').slice(0, 2)).toEqual(rows.toReversed());
    const units = ['kg', 'm', 'kg'].map((unit, index) => ({
      at: index + 1,
      entries: [entry('A', index, unit)],
    }));
    const inUnits = makeStock({ north: units }).db;
    expect(cellsOf(inUnits, tableQueries.balances(inUnits, {}), ['Difference'])).toEqual(['2']);
  });

  test.each<[TableFilter, string[]]>([
    [{ material: 'A' }, ['A north', 'A south']],
    [{ material: 'a' }, []],
    [{ client: 'removed' }, ['A removed']],
    [{ search: 'b nor' }, ['B north']],
    // The first letter is Cyrillic.
    [{ search: 'В nor' }, ['B north']],
    [{ search: 'б' }, ['Б south']],
    [{ finding: 'any' }, ['A south', 'B north', 'D north', 'Б south']],
    [{ finding: 'no-batch' }, ['A south']],
    [{ finding: 'look-alike', client: 'north' }, ['B north']],
  ])('%j finds %j', (filter, found) => {
    expect(show('balances', filter, ['MaterialCode', 'Client'])).toEqual(found);
  });

  test('the batch is the newest that has the balance, and none that is not read', () => {
    expect(show('balances', { client: 'north' }, ['MaterialCode', 'SnapshotId'])).toEqual([
      'A north-3000',
      'B north-2000',
      'C north-3000',
      'D north-3000',
    ]);
    const beforeUnread = show('balances', { client: 'south' }, ['MaterialCode', 'ReceivedAt', 'SnapshotId']);
    expect(beforeUnread).toEqual(['A 1500 south-1500', 'Б 1500 south-1500']);
  });
});

test('history has each change of a material, from the first batch that is known', () => {
  expect(show('history', { material: 'A' })).toEqual([
    '3000 north 0.3 kg 0 OT1000001  north-3000',
    '2000 north 0.3 kg 0.2  3000 north-2000',
    '1500 south 7 pcs    south-1500',
    '1000 north 0.1 kg   2000 north-1000',
  ]);
  expect(
    show('history', { material: 'A', at: iso(2_999), since: iso(1_500) }, ['ReceivedAt', 'Until']),
  ).toEqual(['2000 ', '1500 ']);
  expect(
    show('history', { material: 'D', client: 'north' }, ['ReceivedAt', 'StockBalanceUnit', 'Difference']),
  ).toEqual(['3000 m ', '1000 kg ']);
  expect(show('history', { material: 'B' }, ['ReceivedAt', 'Until'])).toEqual(['1000 3000']);
  expect(show('history', { material: 'B', at: iso(3_000) }, ['Until'])).toEqual(['3000']);
  expect(show('history', { material: 'B', at: iso(2_999) }, ['Until'])).toEqual(['']);
  expect(show('history', { material: 'A', at: iso(1_499) }, ['ReceivedAt'])).toEqual(['1000']);
  expect(show('history')).toEqual([]);
});

test('a change in history is from the last balance, also if batches between left the material out', () => {
  const { db } = makeStock({
    north: [
      { at: 1_000, entries: [entry('A', 1)] },
      { at: 2_000, entries: [entry('B', 1)] },
      { at: 3_000, entries: [entry('A', 4)] },
    ],
  });
  const query = tableQueries.history(db, { material: 'A' });
  expect(cellsOf(db, query, ['ReceivedAt', 'Difference'])).toEqual(['3000 3', '1000 ']);
});

test('sent balances have a material in each batch that has it', () => {
  expect(show('sentBalances', { material: 'B' })).toEqual([
    '2000 north 4 kg  north-2000',
    '1000 north 4 kg  north-1000',
  ]);
  expect(show('sentBalances', { material: 'A', client: 'removed' }, ['SnapshotId'])).toEqual([
    'removed-1600',
  ]);
  const filter = { material: 'A', at: iso(2_999), since: iso(1_001) };
  expect(show('sentBalances', filter, ['SnapshotId'], 'ReceivedAt')).toEqual(['south-1500', 'north-2000']);
});

test('batches compare with the one before that can be read', () => {
  expect(show('batches', { client: 'north' })).toEqual([
    '3000 north 3 -1 north-3000 north-2000 1 request loaded',
    '2500 north 0  damaged north-2000 0 odd damaged',
    '2000 north 4 0 north-2000 north-1000 1 request loaded',
    '1000 north 4  north-1000  1 request loaded',
  ]);
  const ids = (filter: TableFilter, sort?: string) => show('batches', filter, ['SnapshotId'], sort);
  expect(ids({ at: iso(2_000), since: iso(1_500) })).toEqual(['north-2000', 'south-1500']);
  expect(ids({ search: 'SOUTH', at: iso(2_000) })).toEqual(['south-1500']);
  expect(ids({ search: 'odd nor' })).toEqual(['damaged']);
  db.exec(`UPDATE batch SET state = 'unread', received_at = 1_000 WHERE snapshot_id = 'north-2000'`);
  expect(ids({ client: 'north', search: '00' })).toEqual(['north-3000', 'north-2000', 'north-1000']);
  expect(show('batches', { id: 'north-3000' }, ['Difference', 'PreviousId'])).toEqual(['-1 north-2000']);
  db.exec(`UPDATE batch SET state = 'loaded', received_at = 2_000 WHERE snapshot_id = 'north-2000'`);
  expect(ids({}, '-Difference').slice(0, 2)).toEqual(['unread', 'north-2000']);
});

test('entries are those of one batch, and none before it is read', () => {
  expect(show('entries', { client: 'north', id: 'north-3000' })).toEqual([
    'A 0.3 kg OT1000001',
    'C 2000 kg ',
    'D 5 m ',
  ]);
  expect(show('entries', { client: 'north', id: 'north-2000', search: 'b' })).toEqual(['B 4 kg ']);
  expect(show('entries', { client: 'removed', id: 'removed-1600', search: 'ot' })).toEqual([]);
  expect(show('entries', { client: 'south', id: 'unread' })).toEqual([]);
  expect(show('entries', { client: 'south', id: 'north-2000' })).toEqual([]);
});

test('differences have what one batch has and the other has not', () => {
  expect(show('differences', { one: 'north/north-2000', other: 'north/north-3000' })).toEqual([
    'changed A 0.3 0.3 0 kg kg  OT1000001',
    'gone B 4   kg   ',
    'changed C 1000 2000 1000 kg kg  ',
    'changed D 5 5  kg m  ',
  ]);
  expect(show('differences', { one: 'south/south-1500', other: 'removed/removed-1600' })).toEqual([
    'changed A 7 9  pcs kg  ',
    'gone Б 1   kg   ',
  ]);
  const back = { one: 'north/north-3000', other: 'north/north-1000', search: 'a' };
  expect(show('differences', back, ['MaterialCode', 'Difference'])).toEqual(['A -0.2']);
  expect(show('differences', { one: 'north', other: 'north/north-1000' }, ['Kind'], '-Kind')).toHaveLength(4);
  expect(show('differences', { one: 'north/north-2000', other: 'north/north-2000' })).toEqual([]);
  expect(show('differences')).toEqual([]);
});

test('changes are in the order of their receipt', () => {
  expect(show('changes')).toEqual([
    '3000 north 2026-01-01T00:00:01,000Z second',
    '2000 north 2026-01-01T00:00:02,000Z first',
  ]);
  expect(show('changes', { since: iso(2_001) }, ['RequestId'])).toEqual(['second']);
  expect(show('changes', { at: iso(2_000) }, ['RequestId'])).toEqual(['first']);
  expect(show('changes', { client: 'south' })).toEqual([]);
});

test.each<[TableFilter, string[]]>([
  [{}, ['error D north-3000', 'warning Б ', 'note A south-1500']],
  [{ kind: 'look-alike' }, ['warning Б ']],
  [{ severity: 'error' }, ['error D north-3000']],
  [{ client: 'south' }, ['note A south-1500']],
  [{ material: 'B' }, ['warning Б ']],
  [{ search: 'rename' }, []],
  [{ search: 'like b' }, ['warning Б ']],
  [{ search: 'sou' }, ['note A south-1500']],
])('findings %j are %j', (filter, rows) => {
  expect(show('findings', filter, ['Severity', 'Subject', 'SnapshotId'])).toEqual(rows);
});

test('the overview counts what is known at a moment', () => {
  expect(readOverview(db, 10_000)).toEqual({
    warehouses: 2,
    late: 0,
    batches: 6,
    materials: 5,
    findings: { error: 1, warning: 40, note: 3 },
  });
  expect(readOverview(db, 1_499)).toMatchObject({ batches: 1, materials: 4 });
  const entries = [entry('A', 1)];
  const batches = [
    { at: 1_000, entries },
    { at: 2_000, entries: [...entries, entry('B', 1)] },
  ];
  expect(readOverview(makeStock({ north: batches }).db, 1_999)).toMatchObject({ materials: 1 });
  expect(readOverview(db, 2_500 + 30 * DAY_MS)).toMatchObject({ batches: 2 });
});

test('arrivals count from each instant until before the next, and from the last until the moment', () => {
  expect(readArrivals(db, { at: 3_000, starts: [1_000, 2_000, 2_500] })).toEqual({
    rows: [
      { client: 'north', batches: [1, 1, 2], changes: [0, 1, 1] },
      { client: 'south', batches: [1, 0, 0], changes: [0, 0, 0] },
    ],
  });
});

test('choices are warehouses, units and the kinds of findings', () => {
  expect(readChoices(db)).toEqual({
    warehouses: ['north', 'south'],
    units: ['kg', 'm', 'pcs'],
    kinds: [
      { kind: 'unit-differs', severity: 'error', count: 1 },
      { kind: 'look-alike', severity: 'warning', count: 40 },
      { kind: 'no-batch', severity: 'note', count: 3 },
    ],
  });
});

describe('a material', () => {
  test('has a line in each warehouse and unit, with an end where it is left out', () => {
    expect(readMaterial(db, 'D', 10_000)).toEqual({
      attributes: null,
      totals: [{ unit: 'm', total: '5' }],
      lines: [
        {
          client: 'north',
          unit: 'kg',
          points: [
            { at: 1_000, balance: 5 },
            { at: 3_000, balance: null },
          ],
        },
        { client: 'north', unit: 'm', points: [{ at: 3_000, balance: 5 }] },
      ],
    });
    expect(readMaterial(db, 'A', 2_999)).toMatchObject({
      totals: [
        { unit: 'kg', total: '0.3' },
        { unit: 'pcs', total: '7' },
      ],
      lines: [
        {
          points: [
            { at: 1_000, balance: 0.1 },
            { at: 2_000, balance: 0.3 },
          ],
        },
        { client: 'south' },
      ],
    });
    expect(readMaterial(db, 'absent', 10_000)).toEqual({ attributes: null, totals: [], lines: [] });
  });

  test('has its attributes if the list has it', () => {
    db.exec(`
      INSERT INTO attribute VALUES (1, 'MaterialCodes', 'Name', 'text'), (2, 'MaterialCodes', 'Size', 'number');
      INSERT INTO list_row SELECT 'MaterialCodes', name, sort_key, folded, '{"Size":9}' FROM material WHERE name = 'A'`);
    expect(readMaterial(db, 'A', 0).attributes).toEqual([{ name: 'Size', value: 9 }]);
  });

  test('with many changes, has the last balance of each interval, and all lines have few points', () => {
    const stock = makeStock({ north: [{ at: 1, entries: [entry('A', 0)] }] });
    stock.db.exec(`
      WITH RECURSIVE n (at) AS (SELECT 2 UNION ALL SELECT at + 1 FROM n WHERE at < 7000)
      INSERT INTO balance (client, material, begun, ended, superseded, value, mantissa, exponent, unit, orders)
      SELECT client, material, at, at + 1, at + 1, at - 1, at - 1, 0, unit, orders FROM balance, n`);
    const [line, ...others] = readMaterial(stock.db, 'A', 7_000).lines;
    expect(others).toEqual([]);
    expect(line?.points.length).toBeGreaterThan(2_000);
    expect(line?.points.length).toBeLessThan(3_600);
    expect(line?.points.at(-1)).toEqual({ at: 7_000, balance: 6_999 });
    expect(line?.points.every(({ at, balance }) => balance === at - 1)).toBe(true);
  });
});

test('clients have what an admin has to know, with the others in their slots', () => {
  const { db } = makeStock({
    north: [{ at: 1_000, entries: [entry('A', 1)] }],
    south: [],
    west: [],
    gone: [],
  });
  const set = (name: string, item: object) =>
    db.prepare(`UPDATE client SET item = ? WHERE name = ?`).run(JSON.stringify(item), name);
  const since = iso(2_000);
  const login = { Plan: 'slow', Slot: 1, SilenceHours: 0, SilenceFrom: since, PasswordChangedAt: since };
  const until = Date.now() + HOUR_MS;
  set('north', { ...login, UserName: 'Норд', SilenceHours: 24, PreviousUntil: iso(until) });
  set('south', { ...login, UserName: 'south', OwnPassword: true, PreviousUntil: iso(Date.now() - 1) });
  set('west', { ...login, UserName: 'west', Slot: 2, LockedAt: since });
  set('gone', { ...login, UserName: 'gone', RemovedAt: since });
  // A client of the doctor is none of the warehouses.
  db.exec(`UPDATE client SET is_warehouse = 0 WHERE name = 'south'`);
  const rows = (filter: TableFilter = {}, names?: string[], sort?: string) =>
    cellsOf(db, tableQueries.clients(db, filter), names, sort);
  expect(rows()).toEqual([
    `north Норд slow 1 south 2000  ${until} 1000  late 24`,
    'south south slow 1 north 2000 yes    unwatched 0',
    'west west slow 2  2000     locked 0',
  ]);
  expect(rows({ search: 'НОРД' }, ['Client', 'SharedWith'])).toEqual(['north south']);
  expect(rows({}, ['Client'], '-UserName')).toEqual(['north', 'west', 'south']);
});

describe('warehouses', () => {
  const since = '1970-01-01T00:00:02.500Z';
  const watch = (item: object) =>
    db.prepare(`UPDATE client SET item = ? WHERE name = 'north'`).run(JSON.stringify(item));

  test('those that need attention come first', () => {
    watch({ SilenceHours: 1, SilenceFrom: since });
    expect(show('warehouses', { at: iso(HOUR_MS + 2_999) })).toEqual([
      'north on time 3603000 3000 3 -1 1 0 0 3000 2',
      'south unwatched  9000 6 4 0 0 3  0',
    ]);
    expect(
      show('warehouses', { at: iso(2_999) }, ['Client', 'LastBatchAt', 'EntryCount', 'Changes']),
    ).toEqual(['north 2500 0 1', 'south 1500 2 0']);
    const monthLater = { client: 'north', at: iso(2_000 + 30 * DAY_MS) };
    expect(show('warehouses', monthLater, ['Changes'])).toEqual(['1']);
    expect(show('warehouses', { late: 'yes', at: iso(HOUR_MS + 3_000) }, ['Client'])).toEqual(['north']);
    expect(show('warehouses', { search: 'sou', at: iso(10_000) }, ['Client'])).toEqual(['south']);
    expect(show('warehouses', { at: iso(10_000) }, ['Client'], '-EntryCount')).toEqual(['south', 'north']);
  });

  test('one with errors comes before one with warnings, and that before the others', () => {
    const { db } = makeStock({ a: [], b: [], c: [] });
    db.exec(`INSERT INTO finding (kind, severity, client, subject, detail, advice)
      SELECT '', iif(name = 'c', 'error', 'warning'), id, '', '', '' FROM client WHERE name <> 'a'`);
    expect(cellsOf(db, tableQueries.warehouses(db, {}), ['Client'])).toEqual(['c', 'b', 'a']);
  });

  test.each([
    { SilenceHours: 1, SilenceFrom: since },
    { SilenceHours: 2, SilenceFrom: '1970-01-01T00:01:00.001Z' },
    { SilenceHours: 0, SilenceFrom: since },
    { SilenceHours: 1, SilenceFrom: since, LockedAt: since },
    { SilenceHours: 1, SilenceFrom: since, RemovedAt: since },
  ])('%j is late when the alarm says so, and has the state of the list of clients', (item) => {
    watch(item);
    const from = lateFromOf(item, 3_000) ?? null;
    for (const now of [10_000, HOUR_MS + 3_000]) {
      const [shown] = show('warehouses', { client: 'north', at: iso(now) }, ['LateFrom', 'State']);
      expect(shown).toBe(`${from ?? ''} ${stateOf({ ...item, lateFrom: from }, now)}`);
    }
  });
});
