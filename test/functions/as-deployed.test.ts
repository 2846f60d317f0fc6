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

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
const isNow = (text: string | undefined) => Math.abs(Date.parse(text ?? '') - Date.now()) < 60_000;

describe('the deployed function', () => {
  it.each([
    ['without an expiry', undefined],
    ['for 30 days', '30'],
  ])('stores each batch under a new id %s', async (_, days) => {
    const table = await createTable('BalanceSnapshots');
    vi.stubEnv(tables.BalanceSnapshots.variable, table);
    vi.stubEnv(tables.BalanceSnapshots.expiry.variable, days);
    const { handler } = await import('../../functions/post-material-stock-balance.ts');
    const ids = [await post(handler, batchOf(2)), await post(handler, batchOf(2))].map(
      ({ json }) => json.SnapshotId,
    );
    // The suffix alone distinguishes two snapshots of one millisecond.
    expect(new Set(ids.map((id: string) => id.slice(-12))).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-f]{12}$/);
    const rows = await rowsOf(table);
    expect(rows.map(({ SnapshotId }) => SnapshotId?.S).toSorted()).toEqual(ids.toSorted());
    for (const { ReceivedAt, ExpiresAt } of rows) {
      expect(ReceivedAt?.S).toMatch(ISO);
      expect(ReceivedAt?.S).toSatisfy(isNow);
      const inDays = (Number(ExpiresAt?.N) * 1_000 - Date.now()) / 86_400_000;
      if (days === undefined) expect(ExpiresAt).toBeUndefined();
      else expect(Math.round(inDays)).toBe(Number(days));
    }
  });

  it('does not start without the variable of its table', async () => {
    vi.stubEnv(tables.ChangeTimestamps.variable, '');
    await expect(import('../../functions/post-change.ts')).rejects.toThrow('CHANGE_TIMESTAMPS_TABLE');
  });
});
