import { randomUUID } from 'node:crypto';
import { optionalNumberVariable, tableName } from '../shared/environment.ts';
import type { SnapshotResponse } from '../shared/schemas/responses.ts';
import { StockBalanceBatch } from '../shared/schemas/stock-balance.ts';
import { newSnapshotId } from '../shared/storage/snapshot.ts';
import { type SnapshotWriter, snapshotWriter } from '../shared/storage/snapshot-writer.ts';
import { tables } from '../shared/tables.ts';
import { DAY_MS } from '../shared/time.ts';
import { apiHandler, ok } from './http/api-handler.ts';
import { storageClient } from './storage/storage-client.ts';

type Deps = {
  snapshots: SnapshotWriter;
  now: () => Date;
  newSuffix: () => string;
  retentionDays?: number | undefined;
};

export const createHandler = ({ snapshots, now, newSuffix, retentionDays }: Deps) =>
  apiHandler(StockBalanceBatch, async ({ body, client, requestId, signal }) => {
    const receivedAt = now();
    const snapshotId = newSnapshotId(receivedAt, newSuffix());
    const entries = body.MaterialCodes;
    const entryCount = entries.length;
    const expiry = retentionDays ? { expiresAt: daysAfter(receivedAt, retentionDays) } : {};
    await snapshots.keep({ client, snapshotId, receivedAt, requestId, entries, ...expiry }, signal);
    return ok(
      {
        SnapshotId: snapshotId,
        ReceivedAt: receivedAt.toISOString(),
        EntryCount: entryCount,
      } satisfies SnapshotResponse,
      { entryCount },
    );
  });

const daysAfter = (instant: Date, days: number) => new Date(instant.getTime() + days * DAY_MS);

export const handler = createHandler({
  snapshots: snapshotWriter(storageClient(), tableName('BalanceSnapshots')),
  now: () => new Date(),
  newSuffix: () => randomUUID().slice(-12),
  retentionDays: optionalNumberVariable(tables.BalanceSnapshots.expiry.variable),
});
