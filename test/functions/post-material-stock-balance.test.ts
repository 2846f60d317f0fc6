import { beforeEach, describe, expect, it } from 'vitest';
import { snapshotReader } from '../../admin/store/snapshot-reader.ts';
import { createHandler } from '../../functions/post-material-stock-balance.ts';
import { snapshotStore } from '../../shared/storage/snapshot-store.ts';
import { asStored, batchOf, byCode, largeBatch } from '../support/batches.ts';
import { collectLog, metricFields, post } from '../support/handlers.ts';
import { createTable, rowsOf, testClient } from '../support/tables.ts';

const receivedAt = new Date('2026-11-21T06:48:04.123Z');
const client = testClient();
const log = collectLog();
let table: string;
let handler: ReturnType<typeof createHandler>;

const handlerOf = (retentionDays?: number) => {
  let count = 0;
  return createHandler({
    snapshots: snapshotStore(client, table),
    now: () => receivedAt,
    newSuffix: () => `unique-${++count}`,
    retentionDays,
  });
};

beforeEach(async () => {
  table = await createTable('BalanceSnapshots', client);
  handler = handlerOf();
});

const read = (snapshotId: string, now = receivedAt) =>
  snapshotReader(client, table, now).read('wms', snapshotId);

const rows = () => rowsOf(table, client);

const entry = { MaterialCode: 'A', StockBalance: 1, StockBalanceUnit: 'kg', PurchaseOrders: {} };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('a valid batch', () => {
  // test/interface/values.test.ts has all kinds of balances, and values.slow.ts a batch of 40,000 entries.
  it.each([
    ['1 entry', batchOf(1)],
    ['200 entries', batchOf(200)],
    ['several parts', largeBatch()],
  ])('of %s is read back exactly', async (_, batch) => {
    const { status, json } = await post(handler, batch);
    expect(status).toBe(200);
    expect(json).toEqual({
      SnapshotId: '2026-11-21T06:48:04.123Z-unique-1',
      ReceivedAt: '2026-11-21T06:48:04.123Z',
      EntryCount: batch.MaterialCodes.length,
    });
    const stored = await read(json.SnapshotId);
    expect(stored?.entries.toSorted(byCode)).toEqual(batch.MaterialCodes.map(asStored).toSorted(byCode));
    expect(stored).toMatchObject({ client: 'wms', receivedAt });
  });

  it('of two entries is one item under the client, with all attributes', async () => {
    const { requestId } = await post(handler, {
      MaterialCodes: [entry, { ...entry, MaterialCode: 'Б', PurchaseOrders: ['OT0000002', 'OT0000002'] }],
    });
    const balance = { StockBalance: { N: '1' }, StockBalanceUnit: { S: 'kg' } };
    expect(await rows()).toEqual([
      {
        Client: { S: 'wms' },
        SnapshotId: { S: '2026-11-21T06:48:04.123Z-unique-1' },
        ReceivedAt: { S: '2026-11-21T06:48:04.123Z' },
        RequestId: { S: requestId },
        EntryCount: { N: '2' },
        Parts: { N: '1' },
        WriteId: { S: expect.stringMatching(UUID) },
        Balances: {
          M: {
            A: { M: { ...balance, PurchaseOrders: { L: [] } } },
            Б: { M: { ...balance, PurchaseOrders: { L: [{ S: 'OT0000002' }, { S: 'OT0000002' }] } } },
          },
        },
      },
    ]);
  });

  it('stores codes that are names of built-in properties', async () => {
    const codes = ['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '123', '0', 'length'];
    const { status, json } = await post(handler, {
      MaterialCodes: codes.map((MaterialCode) => ({ ...entry, MaterialCode })),
    });
    expect(status).toBe(200);
    const stored = await read(json.SnapshotId);
    expect(stored?.entries.map(({ MaterialCode }) => MaterialCode).toSorted()).toEqual(codes.toSorted());
  });

  it('does not change an earlier batch of the same millisecond', async () => {
    const first = await post(handler, { MaterialCodes: [entry] });
    const second = await post(handler, { MaterialCodes: [{ ...entry, StockBalance: 2 }] });
    expect((await read(first.json.SnapshotId))?.entries[0]?.StockBalance).toBe(1);
    expect((await read(second.json.SnapshotId))?.entries[0]?.StockBalance).toBe(2);
  });

  it('is not overwritten by a batch with the same snapshot id, which gets a 500', async () => {
    const unlucky = createHandler({
      snapshots: snapshotStore(client, table),
      now: () => receivedAt,
      newSuffix: () => 'the-same-for-all',
    });
    const chosen = { requestId: 'chosen-by-the-client' };
    const first = await post(unlucky, { MaterialCodes: [entry] }, chosen);
    const second = await post(unlucky, { MaterialCodes: [{ ...entry, StockBalance: 2 }] }, chosen);
    expect([first.status, second.status]).toEqual([200, 500]);
    expect((await read(first.json.SnapshotId))?.entries[0]?.StockBalance).toBe(1);
  });

  it('expires after the retention days, later parts one day later, and is not read afterwards', async () => {
    handler = handlerOf(10);
    const { json } = await post(handler, largeBatch());
    const expiry = Date.parse('2026-12-01T06:48:04Z') / 1000;
    const expiries = (await rows()).map(({ Client, ExpiresAt }) => [Client?.S, Number(ExpiresAt?.N)]);
    expect(expiries.length).toBeGreaterThan(2);
    for (const [key, at] of expiries) expect(at).toBe(key === 'wms' ? expiry : expiry + 86_400);
    expect(await read(json.SnapshotId, new Date(expiry * 1000 - 1))).toMatchObject({
      expiresAt: new Date(expiry * 1000),
    });
    expect(await read(json.SnapshotId, new Date(expiry * 1000))).toBeUndefined();
  });

  it('is logged in one line with the client and the number of entries, without its content', async () => {
    const { requestId } = await post(handler, batchOf(3));
    expect(log.entries()).toMatchObject([
      {
        level: 'INFO',
        code: 'request-served',
        requestId,
        extendedRequestId: `extended-${requestId}`,
        operation: 'POST /rest/warehouse-control/tested',
        client: 'wms',
        status: 200,
        entryCount: 3,
        ...metricFields([['client']], { Snapshots: 1 }),
      },
    ]);
    expect(log.text()).not.toMatch(/Сталь|OT0000|1234\.567/);
  });
});

describe('a refused batch', () => {
  it('gets a pointer to its only fault, and is not stored', async () => {
    const batch = batchOf(300);
    const last = batch.MaterialCodes[299];
    if (last) last.StockBalance = Number.MAX_VALUE;
    const { status, json } = await post(handler, batch);
    expect(status).toBe(400);
    expect(json.errorCount).toBe(1);
    expect(json.errors).toMatchObject([{ pointer: '#/MaterialCodes/299/StockBalance' }]);
    expect(await rows()).toEqual([]);
  });

  it('gets the first hundred faults and the count of all, in a small answer', async () => {
    const { MaterialCodes } = batchOf(150);
    const wrong = MaterialCodes.map((entry) => ({ ...entry, PurchaseOrders: Array(100).fill(0) }));
    const { status, json, text } = await post(handler, { MaterialCodes: wrong });
    expect(status).toBe(400);
    expect(json.errorCount).toBe(15_000);
    expect(json.errors).toHaveLength(100);
    expect(json.errors[99].pointer).toBe('#/MaterialCodes/0/PurchaseOrders/99');
    expect(text.length).toBeLessThan(20_000);
    expect(log.entries()).toMatchObject([
      { code: 'request-refused', status: 400, client: 'wms', faultCount: 15_000 },
    ]);
  });
});
