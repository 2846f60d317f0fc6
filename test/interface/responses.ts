import { describe, expect, test } from 'vitest';
import { batchOf, newTimestamp, storedBatch } from '../support/batches.ts';
import { isDeployment, useService } from './service.ts';

const service = useService();

describe('a change', () => {
  test('has no effect when it is sent again, and gets the same response', async () => {
    const Timestamp = newTimestamp();
    const first = await service().post('changes', { Timestamp });
    const rows = isDeployment ? [] : await service().tables.rows('ChangeTimestamps');
    const again = await service().post('changes', { Timestamp });
    expect([again.status, again.text]).toEqual([200, first.text]);
    if (!isDeployment) expect(await service().tables.rows('ChangeTimestamps')).toEqual(rows);
  });

  test('is one record when it is sent several times at once', async () => {
    const Timestamp = newTimestamp();
    const sent = Array.from({ length: 3 }, () => service().post('changes', { Timestamp }));
    for (const response of await Promise.all(sent)) {
      await service().expectChange(response, { Client: service().userName, Timestamp });
    }
  });
});

describe('a batch', () => {
  test('is stored as another snapshot when it is sent again, and the earlier snapshot does not change', async () => {
    const before = Date.now();
    const first = await service().post('material-stock-balance', batchOf(5));
    const second = await service().post('material-stock-balance', batchOf(5));
    expect(second.json().SnapshotId).not.toBe(first.json().SnapshotId);
    for (const response of [first, second]) await service().expectBatch(response, storedBatch(batchOf(5)));
    // The clocks of two machines may differ by seconds.
    expect(Math.abs(Date.parse(first.json().ReceivedAt) - before)).toBeLessThan(5 * 60_000);
  });

  test('is stored as its own snapshot when several are sent at once', async () => {
    const sent = [1, 2, 3].map((count) => service().post('material-stock-balance', batchOf(count)));
    const responses = await Promise.all(sent);
    expect(new Set(responses.map((response) => response.json().SnapshotId)).size).toBe(3);
    expect(responses.map((response) => response.json().EntryCount)).toEqual([1, 2, 3]);
    for (const response of responses) {
      await service().expectBatch(response, storedBatch(batchOf(response.json().EntryCount)));
    }
  });

  test('gets an id that sorts after the ids of earlier batches', async () => {
    // Ids of the same millisecond have no order, so one of them is enough.
    const idsByTime = new Map<string, string>();
    while (idsByTime.size < 3) {
      const { ReceivedAt, SnapshotId } = (await service().post('material-stock-balance', batchOf(1))).json();
      idsByTime.set(ReceivedAt, SnapshotId);
    }
    const ids = [...idsByTime.values()];
    expect(ids).toEqual(ids.toSorted());
  });
});

const lists = [
  ['material-codes', 'MaterialCodes', 'MaterialCode', ['ABC-2', 'Ёлка/1', 'ABC-10', 'abc-1', 'ABC-1']],
  ['purchase-orders', 'PurchaseOrders', 'PurchaseOrder', ['OT0000002', 'OT9999999', 'OT0000001']],
] as const;

// The contents of a deployment's lists are unknown here, so the test only checks that they are lists.
test.each(lists)('the list of %s has all rows, sorted by key', async (path, table, key, names) => {
  if (!isDeployment) {
    await service().tables.clear(table);
    for (const name of names) await service().tables.put(table, { [key]: name });
  }
  const response = await service().get(path);
  const keys = response.json()[table].map((row: Record<string, unknown>) => row[key]);
  expect([response.status, keys]).toEqual([200, isDeployment ? keys.toSorted() : names.toSorted()]);
});

if (!isDeployment) {
  test.each(lists)('the list of %s is [] for an empty table', async (path, table) => {
    await service().tables.clear(table);
    expect((await service().get(path)).text).toBe(`{"${table}":[]}`);
  });

  describe('the tables', () => {
    test('store a batch of 200 entries in one item, with the attributes that readers need', async () => {
      const response = await service().post('material-stock-balance', batchOf(200));
      const { SnapshotId, ReceivedAt } = response.json();
      const rows = await service().tables.rows('BalanceSnapshots');
      expect(rows.filter((row) => row['SnapshotId']?.S === SnapshotId)).toEqual([
        {
          Client: { S: service().userName },
          SnapshotId: { S: SnapshotId },
          ReceivedAt: { S: ReceivedAt },
          RequestId: { S: response.headers['x-amz-apigw-id'] },
          EntryCount: { N: '200' },
          Parts: { N: '1' },
          WriteId: { S: expect.stringMatching(/./) },
          Balances: { M: expect.objectContaining({ 'Сталь-ABC/1': { M: expect.anything() } }) },
        },
      ]);
    });

    test("return a material's history with one PartiQL query", async () => {
      await service().tables.clear('BalanceSnapshots');
      const sent: string[] = [];
      for (const StockBalance of [1, 2.5]) {
        const entry = { MaterialCode: 'ABC-1', StockBalance, StockBalanceUnit: 'kg', PurchaseOrders: {} };
        const response = await service().post('material-stock-balance', { MaterialCodes: [entry] });
        sent.push(`${response.json().SnapshotId} ${StockBalance}`);
      }
      const statement = `SELECT SnapshotId, Balances."ABC-1" FROM {BalanceSnapshots} WHERE Client = '${service().userName}'`;
      const history = await service().tables.select(statement);
      const found = history.map((row) => `${row['SnapshotId']?.S} ${row['ABC-1']?.M?.['StockBalance']?.N}`);
      expect(found).toEqual(sent.toSorted());
    });
  });
}
