import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { retryUnprocessed } from '../../admin/store/retry-throttled.ts';
import { createHandler } from '../../functions/post-material-stock-balance.ts';
import { storeClient } from '../../functions/store/client.ts';
import { required } from '../../shared/environment.ts';
import { forEachConcurrently, runConcurrently } from '../../shared/storage/concurrency.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import type { Snapshots } from '../../shared/storage/snapshot-store.ts';
import { mapStoreErrors, StoreUnavailable } from '../../shared/storage/store-errors.ts';

/*
 * Ours with another store: a row for each material. Nothing makes the rows of a batch appear at once, so a reader may
 * see some of them; and a code of 256 letters of four bytes would not fit into such a key.
 */

const ROWS_AT_A_TIME = 25;
const BATCHES_AT_A_TIME = 8;

type Put = { PutRequest: { Item: Record<string, unknown> } };

const putsOf = ({ client, snapshotId, receivedAt, requestId, entries }: Snapshot) =>
  entries.map(
    (entry): Put => ({
      PutRequest: {
        Item: {
          Client: client,
          SnapshotId: `${snapshotId}#${entry.MaterialCode}`,
          ReceivedAt: receivedAt.toISOString(),
          RequestId: requestId,
          ...entry,
        },
      },
    }),
  );

function* batchesOf(puts: Put[]) {
  for (let start = 0; start < puts.length; start += ROWS_AT_A_TIME)
    yield puts.slice(start, start + ROWS_AT_A_TIME);
}

const rowStore = (client: DynamoDBClient, table: string): Snapshots => {
  const documents = DynamoDBDocumentClient.from(client);

  const write = (batch: Put[], signal: AbortSignal) =>
    retryUnprocessed(
      batch,
      async (left) => {
        const command = new BatchWriteCommand({ RequestItems: { [table]: [...left] } });
        const { UnprocessedItems } = await mapStoreErrors(documents.send(command, { abortSignal: signal }));
        const codes = new Set(
          UnprocessedItems?.[table]?.map((each) => each.PutRequest?.Item?.['SnapshotId']),
        );
        return left.filter(({ PutRequest }) => codes.has(PutRequest.Item['SnapshotId']));
      },
      signal,
    );

  return {
    keep: async (snapshot, signal) => {
      await runConcurrently(signal, (signal) =>
        forEachConcurrently(BATCHES_AT_A_TIME, batchesOf(putsOf(snapshot)), (batch) => write(batch, signal)),
      );
      if (signal.aborted) throw new StoreUnavailable('The time for this request is up.');
    },
  };
};

export const handler = createHandler({
  snapshots: rowStore(storeClient(), required('BALANCE_SNAPSHOTS_TABLE')),
  now: () => new Date(),
  unique: () => randomUUID().slice(-12),
});
