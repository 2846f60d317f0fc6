import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createHandler } from '../../functions/post-material-stock-balance.ts';
import { snapshotWriter } from '../../shared/storage/snapshot-writer.ts';
import { batchOf, byCode, largeBatch, storedBatch } from '../support/batches.ts';
import { RULE } from '../support/body-cases.ts';
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

describe('a refused batch', () => {
  const withEntry = (fields: object) => ({
    MaterialCodes: [entry, { ...entry, MaterialCode: 'B', ...fields }],
  });
  const SECRET = 'hunter2-correct-horse';

  it.each<[rule: string, body: unknown]>([
    ['JSON', `{"MaterialCodes": ${SECRET}`],
    ['empty', ' '],
    ['UTF-8', `{"\uFFFD${SECRET}": 1}`],
    ['too large', { MaterialCodes: Array(40_001).fill(SECRET) }],
    ['body: strict_object', [SECRET]],
    ['MaterialCodes: missing', { [SECRET]: 1 }],
    ['unknown field', { MaterialCodes: [entry], [SECRET]: 1 }],
    ['unknown field', withEntry({ [SECRET]: 1 })],
    ['MaterialCodes: array', { MaterialCodes: SECRET }],
    ['MaterialCodes: min_length', { MaterialCodes: [] }],
    ['MaterialCodes[]: strict_object', { MaterialCodes: [entry, SECRET] }],
    ['MaterialCode: missing', { MaterialCodes: [{ [SECRET]: 1 }] }],
    ['MaterialCode: regex', withEntry({ MaterialCode: `${SECRET} ` })],
    ['MaterialCode: raw_check', { MaterialCodes: [entry, entry] }],
    ['StockBalance: number', withEntry({ StockBalance: SECRET, StockBalanceUnit: 1 })],
    ['StockBalance: check', withEntry({ StockBalance: 1e300 })],
    ['StockBalanceUnit: string', withEntry({ StockBalanceUnit: [SECRET] })],
    ['PurchaseOrders: union', withEntry({ PurchaseOrders: { [SECRET]: 1 } })],
    ['PurchaseOrders: min_length', withEntry({ PurchaseOrders: [] })],
    ['PurchaseOrders: max_length', withEntry({ PurchaseOrders: Array(101).fill('OT1234567') })],
    ['PurchaseOrders[]: regex', withEntry({ PurchaseOrders: ['OT1234567', SECRET] })],
  ])('is logged with its first broken rule (%s), and with nothing that it has', async (rule, body) => {
    await post(handler, body);
    expect(RULE.test(rule)).toBe(true);
    expect(log.entries()).toMatchObject([{ code: 'request-refused', rule }]);
    expect(log.text()).not.toContain(SECRET);
  });

  it('of another content type is logged, too', async () => {
    await post(handler, SECRET, { headers: { 'Content-Type': SECRET } });
    expect(log.entries()).toMatchObject([{ code: 'request-refused', status: 415, rule: 'content type' }]);
    expect(log.text()).not.toContain(SECRET);
  });

  it('is logged with a rule of the schema, whatever its names and values are', async () => {
    const names = fc.constantFrom(
      'MaterialCodes',
      'MaterialCode',
      'PurchaseOrders',
      '0',
      'rule',
      '__proto__',
    );
    const key = fc.oneof(names, fc.string({ maxLength: 300 }));
    const body = fc.dictionary(
      key,
      fc.oneof(fc.json({ maxDepth: 2 }), fc.array(fc.dictionary(key, fc.jsonValue()))),
    );
    const property = fc.asyncProperty(body, async (fields) => {
      await post(handler, fields);
      const line = log.entries().at(-1);
      expect(line).toMatchObject({ code: 'request-refused', rule: expect.stringMatching(RULE) });
      // The line has no other field that this request could fill.
      const known = [
        'timestamp',
        'level',
        'code',
        'requestId',
        'operation',
        'client',
        'userAgent',
        'durationMs',
      ];
      expect(Object.keys(line).toSorted()).toEqual([...known, 'status', 'rule', 'errorCount'].toSorted());
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
