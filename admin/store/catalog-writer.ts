import { BatchWriteItemCommand, type DynamoDBClient, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { mapStoreErrors, StoreUnavailable, wasThrottled } from '../../shared/storage/store-errors.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import { retryUnprocessed, writeConcurrently } from './retry-throttled.ts';
import { type Item, scanPages } from './scan-pages.ts';

export type CatalogItem = Item;

export type CatalogChange = { put: CatalogItem } | { remove: string };

/** Called after each batch with the number of changes written and of those whose outcome is unknown. */
export type OnBatch = (changes: { written: number; unknown: number }) => void;

/** DynamoDB accepts 25 changes in one call. */
const BATCH_SIZE = 25;
/** A new table accepts 4,000 writes a second. */
const CONCURRENT_CALLS = 8;

export const catalogWriter = (client: DynamoDBClient, name: CatalogName, table: string) => {
  const { partitionKey: key } = tables[name];

  const toRequest = (change: CatalogChange): WriteRequest =>
    'put' in change
      ? { PutRequest: { Item: change.put } }
      : { DeleteRequest: { Key: { [key]: { S: change.remove } } } };

  /** Returns what the table left over. The SDK does not retry that by itself. */
  const writeOnce = async (requests: readonly WriteRequest[], onBatch: OnBatch): Promise<WriteRequest[]> => {
    const command = new BatchWriteItemCommand({ RequestItems: { [table]: [...requests] } });
    try {
      const { UnprocessedItems } = await mapStoreErrors(client.send(command));
      const left = UnprocessedItems?.[table] ?? [];
      onBatch({ written: requests.length - left.length, unknown: 0 });
      return left;
    } catch (error) {
      // Throttled calls and other refusals write nothing.
      const isUnknown = error instanceof StoreUnavailable && !wasThrottled(error);
      if (isUnknown) onBatch({ written: 0, unknown: requests.length });
      throw error;
    }
  };

  return {
    rows: async (onRead: (rows: number) => void = () => {}): Promise<Map<string, CatalogItem>> => {
      const rows = new Map<string, CatalogItem>();
      for await (const page of scanPages(client, table)) {
        for (const item of page) rows.set(item[key]?.S ?? '', item);
        onRead(rows.size);
      }
      return rows;
    },

    write: async (changes: readonly CatalogChange[], onBatch: OnBatch, signal: AbortSignal) => {
      const writeBatch = (batch: readonly CatalogChange[], ending: AbortSignal) =>
        retryUnprocessed(batch.map(toRequest), (left) => writeOnce(left, onBatch), ending);
      await writeConcurrently(CONCURRENT_CALLS, inBatches(changes, BATCH_SIZE), writeBatch, signal);
    },
  };
};

export function* inBatches<T>(items: readonly T[], size: number) {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
