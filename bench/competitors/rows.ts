import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createHandler } from '../../functions/post-material-stock-balance.ts';
import { storeClient } from '../../functions/store/store-client.ts';
import { tableName } from '../../shared/environment.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';

/*
 * Our function with another store: a row for each material. The rows of a batch do not appear at once, so a reader
 * may see a part of them. It does not retry, because the engine of the benchmark does not throttle.
 */

const ROWS_PER_CALL = 25;

const documents = DynamoDBDocumentClient.from(storeClient());
const table = tableName('BalanceSnapshots');

const rowsOf = ({ client, snapshotId, receivedAt, requestId, entries }: Snapshot) =>
  entries.map((entry) => ({
    Client: client,
    SnapshotId: `${snapshotId}#${entry.MaterialCode}`,
    ReceivedAt: receivedAt.toISOString(),
    RequestId: requestId,
    ...entry,
  }));

const keep = async (snapshot: Snapshot, abortSignal: AbortSignal) => {
  const rows = rowsOf(snapshot);
  for (let start = 0; start < rows.length; start += ROWS_PER_CALL) {
    const puts = rows.slice(start, start + ROWS_PER_CALL).map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }), { abortSignal });
  }
};

export const handler = createHandler({
  snapshots: { keep },
  now: () => new Date(),
  unique: () => randomUUID().slice(-12),
});
