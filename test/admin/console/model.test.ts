import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, linesIn, matcher, toModel } from '../../../admin/console/page/model.ts';
import { type Filters, finderOf } from '../../../admin/console/page/row-finder.ts';
import { sortIndexes } from '../../../admin/console/page/sort-indexes.ts';
import { createHistory } from '../../../admin/console/stock/stock-history.ts';
import { CLIENTS, findings, MADE_AT, reportOf, sample, statement } from '../../browser/sample.ts';

const noFilters: Filters = { words: '', client: '', unit: '', order: '', finding: '' };
const byCode = { by: 'code', isDescending: false };

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
      entries: entries.map(({ code, balance, unit, orders }) => statement(code, balance, unit, orders)),
    });
  }
  const { codes } = history.columns();
  const value = codes.map((code) => NAMES[CODES.indexOf(code)] ?? null);
  return reportOf({ history, attributes: [{ name: 'Name', value }], findings: [...findings, finding('b')] });
};
const finding = (subject: string) => ({ kind: 'unlisted-code' as const, client: '', subject, detail: '' });

/** Rows as objects, filtered and sorted in the plain way. */
const findPlainly = (model: ReturnType<typeof toModel>, filters: Filters, by: string) => {
  const { words, client, unit, order, finding } = filters;
  const { data } = model;
  const matches = matcher(words);
  const keyOf = (index: number) => {
    const row = model.rowAt(index);
    const name = model.attributeOf(0, row);
    const { at = 0, by = 0 } = model.movementOf(row) ?? {};
    const texts = { warehouse: row.client, orders: row.orders, unit: row.unit, 'attribute-0': name };
    const numbers = { balance: row.balance, received: row.at, change: by, changed: at };
    return {
      ...texts,
      ...numbers,
      code: row.code,
      text: [row.code, name, row.client, row.orders].join(' '),
      row,
    };
  };
  return Array.from({ length: model.rowCount }, (_, index) => ({ index, keys: keyOf(index) }))
    .filter(({ keys: { row, text } }) => {
      const isFound = data.findings.some(
        ({ kind, subject }) => subject === row.code && (finding === 'any' || kind === finding),
      );
      return (
        matches(text.normalize('NFC').toLowerCase()) &&
        (!client || row.client === client) &&
        (!unit || row.unit === unit) &&
        row.orders.toLowerCase().includes(order.toLowerCase()) &&
        (!finding || isFound)
      );
    })
    .sort(({ keys: one }, { keys: other }) => {
      const [first, second] = [Reflect.get(one, by), Reflect.get(other, by)];
      const byKey = typeof first === 'number' ? first - second : compare(first, second);
      return byKey || compare(one.code, other.code) || one.row.clientIndex - other.row.clientIndex;
    })
    .map(({ index }) => index);
};

describe('the rows of balances', () => {
  test('are found and sorted as by a filter and a comparison of objects', () => {
    const filters = fc.record({
      words: fc.constantFrom('', 'BOLT', 'śruba', 'ś n', 'north ot2', 'лист', 'a- o', 'x'),
      client: fc.constantFrom('', ...CLIENTS),
      unit: fc.constantFrom('', 'kg', 'm'),
      order: fc.constantFrom('', 'OT22', 'ot'),
      finding: fc.constantFrom('', 'any', 'unlisted-code', 'no-balance'),
    });
    const names = [
      'code',
      'warehouse',
      'balance',
      'unit',
      'change',
      'changed',
      'orders',
      'received',
      'attribute-0',
    ];
    const check = fc.property(batches, filters, fc.constantFrom(...names), (all, filters, by) => {
      const model = toModel(stockOf(all));
      const expected = findPlainly(model, filters, by);
      const { find } = finderOf(model);
      expect([...find(filters, { by, isDescending: false })]).toEqual(expected);
      expect([...find(filters, { by, isDescending: true })]).toEqual(expected.reverse());
    });
    fc.assert(check, { numRuns: 40 });
  });

  test('keep the order of codes where an address sorts by a column that does not exist', () => {
    const { find } = finderOf(toModel(sample()));
    for (const by of ['attribute-9', 'constructor', 'price'])
      expect(find(noFilters, { ...byCode, by })).toEqual(find(noFilters, byCode));
  });

  test('are summed by material and unit, without the errors of doubles', () => {
    const history = createHistory();
    for (const [client, at] of [MADE_AT - 2, MADE_AT - 1].entries()) {
      const entries = [
        statement('B', client === 0 ? 0.1 : 0.2),
        statement('A', 5, client === 0 ? 'kg' : 'm'),
      ];
      history.add({ id: String(client), client, at, entries });
    }
    const { findTotals, findCodes } = finderOf(toModel(reportOf({ history })));
    const totals = findTotals(noFilters, { by: 'balance', isDescending: false });
    expect(Array.from({ length: totals.length }, (_, index) => totals.at(index))).toEqual([
      { code: 'B', material: 0, rows: 2, sums: [{ unit: 'kg', balance: 0.3 }], at: MADE_AT - 1 },
      {
        ...{ code: 'A', material: 1, rows: 2, at: MADE_AT - 1 },
        sums: [
          { unit: 'kg', balance: 5 },
          { unit: 'm', balance: 5 },
        ],
      },
    ]);
    expect(findTotals({ ...noFilters, client: 'south' }, byCode).at(1)).toMatchObject({
      sums: [{ unit: 'kg', balance: 0.2 }],
    });
    expect(findCodes(noFilters, byCode, false)).toEqual(['A', 'B']);
    expect(findCodes(noFilters, { by: 'balance', isDescending: false }, true)).toEqual(['B', 'A']);
  });
});

test('indexes are sorted by any doubles, and equal keys stay in their order', () => {
  const numbers = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(-0, 0, -1, 1)), {
    maxLength: 50,
  });
  const check = fc.property(numbers, (keys) => {
    const keyOf = (index: number) => keys[index] ?? 0;
    const indexes = Uint32Array.from(keys.keys()).reverse();
    const plainly = Array.from(indexes).sort(
      (one, other) => Number(keyOf(one) > keyOf(other)) - Number(keyOf(one) < keyOf(other)),
    );
    expect([...sortIndexes(indexes, keyOf)]).toEqual(plainly);
  });
  fc.assert(check, { numRuns: 40 });
});

test('the latest movement is the newest change in the same unit', () => {
  const history = createHistory();
  const reports = [
    statement('A', 1),
    statement('A', 4.3),
    statement('A', 4.3),
    statement('B', 1, 'kg'),
    statement('B', 2, 'm'),
  ];
  for (const [index, entry] of reports.entries())
    history.add({ id: String(index), client: 0, at: MADE_AT - 10 + index, entries: [entry] });
  const { rowAt, movementOf } = toModel(reportOf({ history }));
  expect(movementOf(rowAt(0))).toEqual({ at: MADE_AT - 9, by: 3.3 });
  expect(movementOf(rowAt(1))).toBeUndefined();
});

test('a line has a gap where the client used another unit', () => {
  const points = ['kg', 'm', 'kg'].map((unit, at) => ({ at, balance: at, unit }));
  const [line] = linesIn('kg', { client: 'north', clientIndex: 0 }, points);
  expect(line?.spots.map(({ at, balance }) => [at.getTime(), balance])).toEqual([
    [0, 0],
    [1, 0],
    [1, Number.NaN],
    [2, 2],
  ]);
  expect(line?.isCurrent).toBe(true);
});
