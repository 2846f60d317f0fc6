import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSession } from '../../../admin/deployment/session.ts';
import { openStock } from '../../../admin/stock/database/open-stock.ts';
import { rowsOf } from '../../../admin/stock/database/rows.ts';
import { createLoader } from '../../../admin/stock/loading/load-stock.ts';
import { jsonResponse } from '../../../local/services/proxy.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/time.ts';
import { entryOf } from '../../support/batches.ts';
import { startFaultyEngine } from '../../support/tables.ts';
import { emptyDeployment, putBatch } from '../tables.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const engine = await startFaultyEngine();
afterAll(() => engine.stop());
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

const batch = fc.record({
  /** After the batch before it. */
  minutes: fc.constantFrom(1, 1, 7, 60, (3 * DAY_MS) / MINUTE_MS),
  client: fc.constantFrom('north', 'south'),
  /** Of the materials A, B and C. Null: the batch leaves the material out. */
  balances: fc
    .tuple(...['A', 'B', 'C'].map(() => fc.constantFrom(1, 2, null)))
    .filter((all) => all.some(Boolean)),
  /** It is complete only after the next batch. */
  isLate: fc.boolean(),
});
type MadeBatch = typeof batch extends fc.Arbitrary<infer T> ? T : never;

const load = fc.record({
  /** The batches that come before it. */
  arrived: fc.nat(3),
  /** It is killed at the call after so many. */
  calls: fc.nat(14),
  needs: fc.constantFrom('all', 'newestTwo'),
});

/** Functions that write the batches, in the order in which these are complete. */
const writesOf = (made: readonly MadeBatch[], table: string) => {
  let at = NOW.getTime() - made.reduce((sum, { minutes }) => sum + minutes, 0) * MINUTE_MS;
  const writes = made.map(({ minutes, client, balances }, index) => {
    at += minutes * MINUTE_MS;
    const receivedAt = new Date(at);
    const entries = balances.flatMap((balance, material) =>
      balance === null ? [] : [entryOf('ABC'.charAt(material), balance)],
    );
    return () => putBatch(table, client, receivedAt, entries, { id: `${index}` });
  });
  const pairs = Array.from({ length: Math.ceil(made.length / 2) }, (_, pair) => 2 * pair);
  return pairs.flatMap((first) => {
    const pair = writes.slice(first, first + 2);
    // A reader looks back for two minutes.
    return made[first]?.isLate && made[first + 1]?.minutes === 1 ? pair.toReversed() : pair;
  });
};

/** Leaves only so many items in the response of a query. */
const cutPage = (request: string, response: string, count: number) => {
  const { Items, LastEvaluatedKey, ...page } = JSON.parse(response);
  const kept = Items.slice(0, count);
  const { Client, SnapshotId } = kept.at(-1) ?? {};
  const last = Client ? { Client, SnapshotId } : JSON.parse(request).ExclusiveStartKey;
  const isCut = kept.length < Items.length && last !== undefined;
  return jsonResponse(200, {
    ...page,
    ...(isCut ? { Items: kept, LastEvaluatedKey: last } : { Items, LastEvaluatedKey }),
  });
};

type Stock = ReturnType<typeof openStock>;
type LoadOptions = Parameters<ReturnType<typeof createLoader>>[1];
const rowsIn = (db: Stock) =>
  ['client', 'balance', 'past', 'batch', 'word', 'finding'].map((table) =>
    rowsOf(db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)),
  );

test('loads that are killed after any call, while batches arrive, and one to its end leave the rows of a new file', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 3, maxLength: 12 }),
      fc.array(load, { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.nat(3)),
      async (batches, loads, pages) => {
        const { names, data } = await emptyDeployment({
          engine: engine.endpoint,
          clients: ['north', 'south'],
        });
        const session = await openSession({ local: true, data, stack: 'unused' });
        const since = new Date(NOW.getTime() - 90 * DAY_MS);
        const loadInto = (db: Stock, options?: LoadOptions) =>
          createLoader(db)(session, { since, ...options });
        const waiting = writesOf(batches, names.BalanceSnapshots);
        let callsLeft = Number.POSITIVE_INFINITY;
        engine.decide(async (action, _, { body, forward }) => {
          callsLeft -= 1;
          if (callsLeft < 0) return 'deny';
          if (action !== 'Query' || !body.includes(names.BalanceSnapshots)) return 'through';
          const [count = 0] = pages.take(1);
          return cutPage(String(body), String((await forward()).body), count);
        });
        const stock = openStock(':memory:');
        for (const { arrived, calls, needs } of loads) {
          for (const write of waiting.splice(0, arrived)) await write();
          callsLeft = calls;
          await loadInto(stock, needs === 'all' ? {} : { needs: { batches: 'newestTwo' } }).catch(() => {});
        }
        callsLeft = Number.POSITIVE_INFINITY;
        for (const write of waiting) await write();
        await loadInto(stock);
        const newStock = openStock(':memory:');
        await loadInto(newStock);
        expect(rowsIn(stock)).toEqual(rowsIn(newStock));
        expect(stock.prepare('SELECT id FROM batch').all()).toHaveLength(batches.length);
        for (const db of [stock, newStock]) db.close();
      },
    ),
    { numRuns: 12 },
  ));
