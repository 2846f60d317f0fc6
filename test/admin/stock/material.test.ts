import { expect, test } from 'vitest';
import { createBatchKeeper } from '../../../admin/stock/database/keep-batch.ts';
import { inTransaction, openStock } from '../../../admin/stock/database/open-stock.ts';
import { readRows } from '../../../admin/stock/queries/read-table.ts';
import { readMaterial } from '../../../admin/stock/tables/material.ts';
import { tableQuery } from '../../../admin/stock/tables/tables.ts';
import { entryOf } from '../../support/batches.ts';

/** Without the service, because so many batches take too long there. */
const keepBatches = (times: readonly number[], entryAt = (at: number) => entryOf('A', at)) => {
  const db = openStock(':memory:');
  const { keepNewer } = createBatchKeeper(db);
  inTransaction(db, () => {
    db.exec(`INSERT INTO client (name, is_warehouse) VALUES ('north', 1)`);
    for (const at of times) {
      const receivedAt = new Date(at);
      const header = { client: 'north', snapshotId: receivedAt.toISOString(), receivedAt, requestId: '' };
      keepNewer('north', [{ ...header, entryCount: 1, parts: 1, entries: [entryAt(at)], damage: null }]);
    }
  });
  return db;
};

test('a material with many changes has the last balance of each interval, and few points', () => {
  const times = [...Array.from({ length: 3_090 }, (_, index) => index + 1), 9_000];
  const { lines } = readMaterial(keepBatches(times), { material: 'A', at: new Date(9_000).toISOString() });
  expect(lines).toHaveLength(1);
  const { points = [] } = lines[0] ?? {};
  expect(points.length).toBeGreaterThan(1_500);
  expect(points.length).toBeLessThan(1_600);
  expect(points.at(-1)).toEqual({ at: 9_000, balance: 9_000 });
  expect(points.every(({ at, balance }) => balance === at)).toBe(true);
  expect(points.some(({ at }) => at === 3_089)).toBe(true);
});

test('the use of an order is the last balance with it, since the first one and until the next batch', () => {
  const order = 'OT1000001';
  const db = keepBatches([1, 2, 3, 4], (at) => entryOf('A', at, 'kg', at === 2 || at === 3 ? [order] : []));
  const query = tableQuery(db, 'orderUses', { order });
  expect(readRows(db, query, { limit: 9 })).toEqual([
    ['A', 'north', order, 2, 4, 3, 'kg', new Date(3).toISOString()],
  ]);
});
