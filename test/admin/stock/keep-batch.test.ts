import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FOREVER, valueBefore } from '../../../admin/stock/database/balance-rows.ts';
import { forgetExpired } from '../../../admin/stock/database/forget-batches.ts';
import { inTransaction } from '../../../admin/stock/database/open-stock.ts';
import { rowsOf } from '../../../admin/stock/database/rows.ts';
import { countRows, iterateTable } from '../../../admin/stock/queries/table-query.ts';
import { tableQueries } from '../../../admin/stock/tables/tables.ts';
import { type Batch, entry, makeStock } from './make-stock.ts';

/** The batches of one client, loaded in this order. */
const stockOf = (batches: readonly Batch[]) => {
  const { db } = makeStock({ warehouse: batches });
  const select = (condition: string, at: number) =>
    rowsOf<{ code: string; value: number; unit: string }>(
      db.prepare(
        `SELECT material.name AS code, value, unit.name AS unit FROM balance
         JOIN material ON material.id = balance.material JOIN unit ON unit.id = balance.unit
         WHERE begun <= ?1 AND ${condition} > ?1 ORDER BY balance.material`,
      ),
      at,
    ).map(({ code, value, unit }) => entry(code, value, unit));
  return {
    db,
    batchAt: (at: number) => select('ended', at),
    knownAt: (at: number) => select('superseded', at),
    /** Read row by row, and counted. */
    totalsAt: (at: number) => {
      const query = tableQueries.totals(db, { at: new Date(at).toISOString() });
      return [[...iterateTable(db, query)].length, countRows(db, query)];
    },
    countRows: () => rowsOf(db.prepare('SELECT 1 FROM balance')).length,
    totals: () => rowsOf(db.prepare('SELECT * FROM total WHERE warehouses > 0 ORDER BY material, unit')),
    addedTotals: () =>
      rowsOf(
        db.prepare(`SELECT material, unit, count(*) AS warehouses, exact_total(0, mantissa, exponent) AS digits
          FROM balance WHERE superseded = ${FOREVER} GROUP BY material, unit ORDER BY material, unit`),
      ),
    /** Rows whose earlier value is not what their history says. */
    wrongBefore: () =>
      rowsOf(db.prepare(`SELECT * FROM balance AS b WHERE before IS NOT ${valueBefore('b')}`)),
  };
};

const CODES = ['A', 'B', 'Б'];

/** Up to 6 batches, oldest first, in which few values make equal balances likely. */
const Batches = fc
  .array(
    fc.array(fc.record({ code: fc.nat(2), value: fc.nat(1), unit: fc.constantFrom('kg', 'm') }), {
      maxLength: 4,
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((batches) =>
    batches.map((rows, index): Batch => {
      const byCode = new Map(
        rows.map(({ code, value, unit }) => [CODES[code] ?? '', [value, unit] as const]),
      );
      const entries = [...byCode].sort().map(([code, [value, unit]]) => entry(code, value, unit));
      return { at: (index + 1) * 1_000, entries };
    }),
  );

/** The last balance of each material, in the order of the codes. */
const lastOfEach = (batches: readonly Batch[]) => {
  const last = new Map(
    batches.flatMap(({ entries }) => entries.map((one) => [one.MaterialCode, one] as const)),
  );
  return CODES.flatMap((code) => last.get(code) ?? []);
};

test('in any order of loading, each batch reads back as it was sent, and each moment has the last balances', () => {
  const Order = fc.infiniteStream(fc.nat(1_000));
  fc.assert(
    fc.property(Batches, Order, (batches, keys) => {
      const order = batches.map((batch) => ({ batch, key: keys.next().value ?? 0 }));
      const stock = stockOf(order.sort((one, other) => one.key - other.key).map(({ batch }) => batch));
      for (const [index, { at, entries }] of batches.entries()) {
        expect(stock.batchAt(at)).toEqual(entries);
        const known = lastOfEach(batches.slice(0, index + 1));
        expect(stock.knownAt(at)).toEqual(known);
        expect(stock.totalsAt(at)).toEqual([known.length, known.length]);
      }
    }),
  );
});

test('in any order of loading, and when batches expire, the totals and the earlier values are those of the rows', () => {
  const Order = fc.infiniteStream(fc.nat(1_000));
  fc.assert(
    fc.property(Batches, Order, fc.nat(3), (batches, keys, expired) => {
      const order = batches.map((batch, index) => ({
        batch: index < expired ? { ...batch, expiresAt: new Date(9_000) } : batch,
        key: keys.next().value ?? 0,
      }));
      const stock = stockOf(order.sort((one, other) => one.key - other.key).map(({ batch }) => batch));
      for (const now of [8_000, 9_000]) {
        inTransaction(stock.db, () => forgetExpired(stock.db, new Date(now)));
        expect(stock.totals()).toEqual(stock.addedTotals());
        expect(stock.wrongBefore()).toEqual([]);
      }
    }),
  );
});

test('a balance that does not change is one row, whether batches come forwards or backwards', () => {
  const batches = [1, 2, 3, 4].map(
    (at): Batch => ({ at: at * 1_000, entries: [entry('A', 5), entry('B', at)] }),
  );
  expect(stockOf(batches).countRows()).toBe(5);
  expect(stockOf(batches.toReversed()).countRows()).toBe(5);
});

test('what only expired batches had is forgotten, also of the last batch, and the others stay', () => {
  const expiresAt = new Date(5_000);
  const stock = stockOf([
    { at: 1_000, entries: [entry('A', 1), entry('B', 1), entry('Б', 1)], expiresAt },
    { at: 2_000, entries: [entry('A', 1), entry('Б', 2)], expiresAt: new Date(6_000) },
  ]);
  forgetExpired(stock.db, new Date(4_999));
  expect(stock.knownAt(2_000)).toEqual([entry('A', 1), entry('B', 1), entry('Б', 2)]);
  forgetExpired(stock.db, new Date(5_000));
  expect(stock.knownAt(2_000)).toEqual([entry('A', 1), entry('Б', 2)]);
  expect(stock.countRows()).toBe(2);
  forgetExpired(stock.db, new Date(6_000));
  expect(stock.countRows()).toBe(0);
});

test('when a later batch expires before an earlier one, the batches are listed again', () => {
  const stock = stockOf([
    { at: 1_000, entries: [entry('A', 1)] },
    { at: 2_000, entries: [entry('A', 2)], expiresAt: new Date(5_000) },
  ]);
  inTransaction(stock.db, () => forgetExpired(stock.db, new Date(6_000)));
  expect(stock.countRows()).toBe(0);
  expect(rowsOf(stock.db.prepare('SELECT 1 FROM batch'))).toEqual([]);
});
