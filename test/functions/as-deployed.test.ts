import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { tables } from '../../shared/tables.ts';
import { batchOf } from '../support/batches.ts';
import { collectLog, post } from '../support/handlers.ts';
import { createTable, rowsOf } from '../support/tables.ts';

collectLog();
beforeEach(() => {
  // Each test loads its function again, with another environment.
  vi.resetModules();
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamoDbEndpoint'));
});
afterEach(() => vi.unstubAllEnvs());

describe('the deployed function', () => {
  it.each([
    ['without an expiry', undefined],
    ['for 30 days', '30'],
  ])('stores each batch under a new id %s', async (_, days) => {
    const table = await createTable('BalanceSnapshots');
    vi.stubEnv(tables.BalanceSnapshots.variable, table);
    vi.stubEnv(tables.BalanceSnapshots.expiry.variable, days);
    const { handler } = await import('../../functions/post-material-stock-balance.ts');
    const before = Date.now();
    const ids = [await post(handler, batchOf(2)), await post(handler, batchOf(2))].map(
      ({ json }) => json.SnapshotId,
    );
    // The suffix alone distinguishes two snapshots of one millisecond.
    expect(new Set(ids.map((id: string) => id.slice(-12))).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-f]{12}$/);
    const rows = await rowsOf(table);
    expect(rows.map(({ SnapshotId }) => SnapshotId?.S).toSorted()).toEqual(ids.toSorted());
    for (const { ReceivedAt, ExpiresAt } of rows) {
      const received = Date.parse(ReceivedAt?.S ?? '');
      expect(received).toBeGreaterThanOrEqual(before);
      const seconds = days && String(Math.floor(received / 1_000) + Number(days) * 86_400);
      expect(ExpiresAt?.N).toBe(seconds);
    }
  });

  it('does not start without the variable of its table', async () => {
    vi.stubEnv(tables.ChangeTimestamps.variable, '');
    await expect(import('../../functions/post-change.ts')).rejects.toThrow('CHANGE_TIMESTAMPS_TABLE');
  });
});
