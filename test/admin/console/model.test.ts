import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, matcher, spotsIn, toModel } from '../../../admin/console/page/model.ts';
import { createFinder, sumByUnit } from '../../../admin/console/page/row-finder.ts';
import { createHistory } from '../../../admin/console/stock/stock-history.ts';
import { CLIENTS, entryOf, findings, MADE_AT, reportOf, sample } from '../../browser/sample.ts';

type Query = Record<string, string>;

/** The groups of rows that an address shows. */
const find = (model: ReturnType<typeof toModel>, query: Query = {}) => {
  const found = createFinder(model)(new URLSearchParams(query));
  return Array.from({ length: found.length }, (_, index) => found.at(index));
};

const CODES = ['a-2', 'A-10', 'Śruba', 'Сталь', 'b'];
const NAMES = ['Bolt', null, 'śruba north', 'Лист', 'Bolt'];

const entry = fc.record({
  code: fc.constantFrom(...CODES),
  balance: fc.constantFrom(-1.5, 0, 0.1, 0.2, 3, 1e9),
  unit: fc.constantFrom('kg', 'm'),
  orders: fc.subarray(['OT1', 'OT22', 'ot3']),
});
const batches = fc.array(
  fc.record({
    client: fc.nat(CLIENTS.length - 1),
    entries: fc.uniqueArray(entry, { selector: ({ code }) => code }),
  }),
  { maxLength: 8 },
);

const stockOf = (all: typeof batches extends fc.Arbitrary<infer T> ? T : never) => {
  const history = createHistory();
  for (const [index, { client, entries }] of all.toSorted((a, b) => a.client - b.client).entries()) {
    history.add({
      ...{ id: String(index), client, at: MADE_AT - 1_000 + index },
      entries: entries.map(({ code, balance, unit, orders }) => entryOf(code, balance, unit, orders)),
    });
  }
  const { codes } = history.columns();
  const value = codes.map((code) => NAMES[CODES.indexOf(code)] ?? null);
  return reportOf({ history, attributes: [{ name: 'Name', value }], findings: [...findings, finding('b')] });
};
const finding = (subject: string) => ({ kind: 'unlisted-code' as const, client: '', subject, detail: '' });

/** Rows as objects, filtered and sorted in the plain way. */
const findPlainly = (model: ReturnType<typeof toModel>, query: Query, by: string) => {
  const { q = '', warehouse, unit, order = '', finding } = query;
  const matches = matcher(q);
  const keyOf = (row: ReturnType<typeof model.rowAt>) => {
    const { at = 0, by: change = 0 } = row.points.findLast((point) => point.by !== 0) ?? {};
    const orders = row.orders.join(' ');
    const texts = { warehouse: row.client, orders, unit: row.unit, 'attribute-0': row.attributes[0] };
    const numbers = { balance: row.balance, received: row.at, change, changed: change === 0 ? 0 : at };
    return { ...texts, ...numbers };
  };
  return Array.from({ length: model.rowCount }, (_, index) => model.rowAt(index))
    .filter(({ code, attributes, client, unit: own, orders }) => {
      const text = [code, attributes[0], client, ...orders].join(' ').normalize('NFC').toLowerCase();
      const isFound = model.data.findings.some(
        ({ kind, subject }) => subject === code && (finding === 'any' || kind === finding),
      );
      return (
        matches(text) &&
        (!warehouse || client === warehouse) &&
        (!unit || own === unit) &&
        orders.join(' ').toLowerCase().includes(order.toLowerCase()) &&
        (!finding || isFound)
      );
    })
    .sort((one, other) => {
      const [first, second] = [Reflect.get(keyOf(one), by) ?? 0, Reflect.get(keyOf(other), by) ?? 0];
      const byKey = typeof first === 'number' ? first - second : compare(first, second);
      return byKey || compare(one.code, other.code) || one.clientIndex - other.clientIndex;
    });
};

const namesOf = (rows: readonly ({ code: string; client: string } | undefined)[]) =>
  rows.map((row) => `${row?.code} ${row?.client}`);

describe('the rows of balances', () => {
  test('are found and sorted as by a filter and a comparison of objects', () => {
    const queries = fc.record({
      q: fc.constantFrom('', 'BOLT', 'śruba', 'ś n', 'north ot2', 'лист', 'a- o', 'x', 'o '.repeat(40)),
      warehouse: fc.constantFrom('', ...CLIENTS),
      unit: fc.constantFrom('', 'kg', 'm'),
      order: fc.constantFrom('', 'OT22', 'ot'),
      finding: fc.constantFrom('', 'any', 'unlisted-code', 'no-balance'),
    });
    const names = [
      ...['code', 'warehouse', 'balance', 'unit', 'change', 'changed', 'orders', 'received', 'attribute-0'],
    ];
    const check = fc.property(batches, queries, fc.constantFrom(...names), (all, query, by) => {
      const model = toModel(stockOf(all));
      const expected = namesOf(findPlainly(model, query, by));
      expect(namesOf(find(model, { ...query, sort: by }))).toEqual(expected);
      expect(namesOf(find(model, { ...query, sort: `-${by}` }))).toEqual(expected.reverse());
    });
    fc.assert(check, { numRuns: 40 });
  });

  test('keep the order of codes where an address sorts by a column that does not exist', () => {
    const model = toModel(sample());
    for (const sort of ['attribute-9', 'constructor', 'price', '-'])
      expect(find(model, { sort }).length).toBe(model.rowCount);
    expect(find(model, { sort: 'price' })).toEqual(find(model));
  });

  test('are summed by material and unit, without the errors of doubles', () => {
    const history = createHistory();
    for (const [client, at] of [MADE_AT - 2, MADE_AT - 1].entries()) {
      const entries = [entryOf('B', client === 0 ? 0.1 : 0.2), entryOf('A', 5, client === 0 ? 'kg' : 'm')];
      history.add({ id: String(client), client, at, entries });
    }
    const model = toModel(reportOf({ history }));
    const totals = (query: Query) =>
      find(model, { show: 'totals', ...query }).map((group) => [
        group?.code,
        ...sumByUnit(group?.rows ?? []),
      ]);
    const [kg, m] = ['kg', 'm'].map((unit) => ({ unit, balance: 5 }));
    expect(totals({ sort: 'balance' })).toEqual([
      ['B', { unit: 'kg', balance: 0.3 }],
      ['A', kg, m],
    ]);
    expect(totals({ warehouse: 'south' })).toEqual([
      ['A', m],
      ['B', { unit: 'kg', balance: 0.2 }],
    ]);
    expect(find(model, { show: 'totals' })[0]?.at).toBe(MADE_AT - 1);
  });
});

test('a point has the change since the previous one in the same unit', () => {
  const history = createHistory();
  const reports = [
    entryOf('A', 1),
    entryOf('A', 4.3),
    entryOf('A', 4.3),
    entryOf('B', 1, 'kg'),
    entryOf('B', 2, 'm'),
  ];
  for (const [index, entry] of reports.entries())
    history.add({ id: String(index), client: 0, at: MADE_AT - 10 + index, entries: [entry] });
  const { rowAt } = toModel(reportOf({ history }));
  expect(rowAt(0).points.map(({ by }) => by)).toEqual([undefined, 3.3, 0]);
  expect(rowAt(1).points.map(({ by }) => by)).toEqual([undefined, undefined]);
});

test('a line has a gap where the client used another unit', () => {
  const points = ['kg', 'm', 'kg'].map((unit, at) => ({ at, balance: at, unit, by: undefined }));
  expect(spotsIn('kg', points).map(({ at, balance }) => [at, balance])).toEqual([
    [0, 0],
    [1, 0],
    [1, Number.NaN],
    [2, 2],
  ]);
});
