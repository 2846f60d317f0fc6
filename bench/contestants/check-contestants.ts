import assert from 'node:assert/strict';
import { batchOf } from '../../test/support/batches.ts';
import { startProcess } from '../function-process.ts';
import { eventOf } from '../requests.ts';
import { snapshotTables } from '../snapshot-tables.ts';
import type { Contestant } from './bundle-contestants.ts';

const [validEntry] = batchOf(3).MaterialCodes;
const wrongBatches = [
  [{ ...validEntry, StockBalance: '7' }],
  [{ ...validEntry, PurchaseOrders: [] }],
  [validEntry, { ...validEntry, MaterialCode: 'A B' }],
  [{ ...validEntry, PurchaseOrders: ['OT0000001', 'OT1'] }],
  [{ ...validEntry, Other: 1 }],
  [{ MaterialCode: 'A', StockBalance: 1, StockBalanceUnit: 'kg' }],
  [validEntry, validEntry],
  [],
].map((MaterialCodes) => ({ MaterialCodes }));

const LARGE_BATCH = batchOf(600, '𠮷'.repeat(240));

/** Sends the batches. Returns the statuses of the responses, and the stored items. */
const send = async ({ file }: Contestant, endpoint: string, batches: readonly object[]) => {
  const tables = snapshotTables(endpoint);
  const table = await tables.create();
  const { serve, stop } = await startProcess(file, endpoint, table);
  const statuses: number[] = [];
  for (const [serial, batch] of batches.entries())
    statuses.push((await serve(eventOf(JSON.stringify(batch), serial))).response.statusCode);
  await stop();
  return { statuses, items: await tables.readItems(table) };
};

const storeBatch = async (contestant: Contestant, endpoint: string) => {
  const { statuses, items } = await send(contestant, endpoint, [batchOf(3)]);
  // Times and ids differ, and the floor does not store the number of parts.
  const stored = items.map(({ Client, RequestId, EntryCount, Balances }) => [
    Client,
    RequestId,
    EntryCount,
    Balances,
  ]);
  return { statuses, stored };
};

const storeLargeBatch = async (contestant: Contestant, endpoint: string) => {
  const { statuses, items } = await send(contestant, endpoint, [LARGE_BATCH]);
  return { statuses, keys: items.map(({ Client, Parts }) => [Client?.S, Parts?.N]).toSorted() };
};

const refuseBatches = (contestant: Contestant, endpoint: string) => send(contestant, endpoint, wrongBatches);

/**
 * The figures are comparable only if the contestants do the same work. Each check sends requests to our bundle and to
 * each other bundle, with tables in the engine, and throws at the first difference.
 */
export const checkContestants = async (ours: Contestant, others: readonly Contestant[], endpoint: string) => {
  for (const check of [storeBatch, storeLargeBatch, refuseBatches]) {
    const expected = await check(ours, endpoint);
    for (const contestant of others) {
      if (contestant.isFloor && check !== storeBatch) continue;
      const actual = await check(contestant, endpoint);
      assert.deepEqual(actual, expected, `${contestant.name} and ours differ in ${check.name}.`);
    }
  }
};
