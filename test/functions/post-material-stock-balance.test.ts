import { beforeEach, describe, expect, it } from 'vitest';
import { createHandler } from '../../functions/post-material-stock-balance.ts';
import { snapshotWriter } from '../../shared/storage/snapshot-writer.ts';
import { batchOf, byCode, largeBatch, storedBatch } from '../support/batches.ts';
import { collectLog, post } from '../support/handlers.ts';
import { readSnapshot } from '../support/read-snapshot.ts';
import { createTable, itemsOf, testClient } from '../support/tables.ts';

const receivedAt = new Date('2026-11-21T06:48:04.123Z');
const client = testClient();
const log = collectLog();
let table: string;
let handler: ReturnType<typeof createHandler>;

const handlerOf = (retentionDays?: number) => {
  let count = 0;
  return createHandler({
    snapshots: snapshotWriter(client, table),
    now: () => receivedAt,
    newSuffix: () => `unique-${++count}`,
    retentionDays,
  });
};

beforeEach(async () => {
  table = await createTable('BalanceSnapshots', client);
  handler = handlerOf();
});

const read = (snapshotId: string, now = receivedAt) => readSnapshot(client, [table, 'wms', snapshotId], now);

const rows = () => itemsOf(table, client);

const entry = { MaterialCode: 'A', StockBalance: 1, StockBalanceUnit: 'kg', PurchaseOrders: {} };

describe('a valid batch', () => {
  // test/interface/values.ts has all kinds of balances, and test/soak a batch of 40,000 entries.
  it('is read back exactly, and expires after the retention days, later parts one day later', async () => {
    handler = handlerOf(10);
    const batch = largeBatch();
    const { status, json } = await post(handler, batch);
    expect(status).toBe(200);
    expect(json).toEqual({
      SnapshotId: '2026-11-21T06:48:04.123Z-unique-1',
      ReceivedAt: '2026-11-21T06:48:04.123Z',
      EntryCount: batch.MaterialCodes.length,
    });
    const expiry = Date.parse('2026-12-01T06:48:04Z') / 1000;
    const stored = await read(json.SnapshotId, new Date(expiry * 1000 - 1));
    expect(stored?.entries.toSorted(byCode)).toEqual(storedBatch(batch));
    expect(stored).toMatchObject({ client: 'wms', receivedAt, expiresAt: new Date(expiry * 1000) });
    expect(await read(json.SnapshotId, new Date(expiry * 1000))).toBeUndefined();
    const expiries = (await rows()).map(({ Client, ExpiresAt }) => [Client?.S, Number(ExpiresAt?.N)]);
    expect(expiries.length).toBeGreaterThan(2);
    for (const [key, at] of expiries) expect(at).toBe(key === 'wms' ? expiry : expiry + 86_400);
  });

  it('is not overwritten by a batch with the same snapshot id, which gets a 500', async () => {
    const unlucky = createHandler({
      snapshots: snapshotWriter(client, table),
      now: () => receivedAt,
      newSuffix: () => 'the-same-for-all',
    });
    const same = { requestId: 'the-same-for-all' };
    const first = await post(unlucky, { MaterialCodes: [entry] }, same);
    const second = await post(unlucky, { MaterialCodes: [{ ...entry, StockBalance: 2 }] }, same);
    expect([first.status, second.status]).toEqual([200, 500]);
    expect((await read(first.json.SnapshotId))?.entries[0]?.StockBalance).toBe(1);
  });

  it('is logged in one line with the client and the number of entries, without its content', async () => {
    const { requestId } = await post(handler, batchOf(3));
    expect(log.entries()).toMatchObject([
      {
        level: 'INFO',
        code: 'request-served',
        requestId,
        userAgent: 'libcurl-agent/1.0',
        operation: 'POST /rest/warehouse-control/tested',
        client: 'wms',
        status: 200,
        entryCount: 3,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      },
    ]);
    expect(log.text()).toMatch(/^\{.*\}\n$/);
    expect(log.text()).not.toMatch(/Сталь|OT0000|1234\.567/);
    expect(log.text()).not.toContain('_aws');
  });
});
