import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createBatchKeeper } from '../../../admin/stock/database/keep-batch.ts';
import { emptyStock, inTransaction, openStock } from '../../../admin/stock/database/open-stock.ts';
import { rowsOf } from '../../../admin/stock/database/rows.ts';
import type { ReadSnapshot } from '../../../admin/storage/snapshot-reader.ts';
import { MINUTE_MS } from '../../../shared/time.ts';
import { entryOf } from '../../support/batches.ts';

/** The balances of the materials A, B and C in each batch. Null: the batch leaves the material out, or is damaged. */
const batch = fc.oneof(
  { weight: 9, arbitrary: fc.array(fc.constantFrom(1, 2, null), { minLength: 3, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);

const toSnapshot = (balances: (number | null)[] | null, index: number): ReadSnapshot => {
  const receivedAt = new Date(index * MINUTE_MS);
  const entries = (balances ?? []).flatMap((balance, material) =>
    balance === null ? [] : [entryOf('ABC'.charAt(material), balance, 'kg', balance === 2 ? ['OT1'] : [])],
  );
  const header = { client: 'north', snapshotId: `${receivedAt.toISOString()}-x`, receivedAt, requestId: '' };
  return { ...header, entryCount: 0, parts: 1, entries, damage: balances === null ? 'damaged' : null };
};

type Keeper = ReturnType<typeof createBatchKeeper>;

/** A new one for each way of writing would take most of the time. */
const db = openStock(':memory:');
afterAll(() => db.close());

/** All rows that a way of writing leaves. */
const rowsAfter = (write: (keeper: Keeper) => void) => {
  emptyStock(db);
  db.exec(`INSERT INTO client (name, known_since) VALUES ('north', '')`);
  inTransaction(db, () => write(createBatchKeeper(db)));
  return ['client', 'balance', 'past', 'batch', 'word'].map((table) =>
    rowsOf(db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`)),
  );
};

const keepOneByOne = (snapshots: readonly ReadSnapshot[], { keepNewer }: Keeper) => {
  for (const snapshot of snapshots) keepNewer('north', [snapshot]);
};

test('batches have the same rows, whether they were read forwards or backwards in pages, or before a gap was filled, or one of them came late, or before older ones', () =>
  fc.assert(
    fc.property(
      fc.array(batch, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
      fc.nat(11),
      (made, pages, place) => {
        const snapshots = made.map(toSnapshot);
        const expected = rowsAfter((keeper) => keepOneByOne(snapshots, keeper));
        const backwards = rowsAfter(({ keepNewer, keepOlder }) => {
          const left = [...snapshots];
          keepNewer('north', left.splice(-2));
          for (const size of pages) keepOlder('north', left.splice(-1 - size).toReversed());
        });
        expect(backwards).toEqual(expected);
        const amongKnown = rowsAfter(({ keepNewer, keepOlder }) => {
          const left = [...snapshots];
          keepNewer('north', left.splice(-2));
          // The read of what is new looks back, and did not see what was written a moment later.
          keepNewer('north', snapshots.slice(place, place + 1));
          keepOlder('north', left.toReversed());
        });
        expect(amongKnown).toEqual(expected);
        const beforeGap = Math.min(place, snapshots.length);
        const afterGap = rowsAfter(({ keepNewer }) => {
          keepNewer('north', snapshots.slice(0, beforeGap));
          keepNewer('north', snapshots.slice(beforeGap).slice(-2));
          const [from = 0] = pages;
          keepNewer('north', snapshots.slice(beforeGap).slice(from, from + 2));
          keepNewer('north', snapshots.slice(beforeGap));
        });
        expect(afterGap).toEqual(expected);
        const [late] = snapshots.slice(place, place + 1);
        const inBetween = rowsAfter((keeper) => {
          keepOneByOne(
            snapshots.filter((snapshot) => snapshot !== late),
            keeper,
          );
          keepOneByOne(snapshots, keeper);
        });
        expect(inBetween).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  ));

test('a batch that comes late before more than 100 others makes the next load read its client again', () => {
  const snapshots = Array.from({ length: 102 }, (_, index) => toSnapshot([index, null, null], index));
  const rows = rowsAfter((keeper) => {
    keepOneByOne(snapshots.slice(1), keeper);
    keepOneByOne(snapshots.slice(0, 1), keeper);
  });
  expect(rows[0]).toMatchObject([{ known_since: null }]);
});
