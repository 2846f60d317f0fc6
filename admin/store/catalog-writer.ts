import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, catalogs } from '../../shared/storage/catalog.ts';
import { forEachConcurrently, runConcurrentlyToEnd } from '../../shared/storage/concurrency.ts';
import { mapStoreErrors, StoreUnavailable, wasThrottled } from '../../shared/storage/store-errors.ts';
import { paginate } from './paginate.ts';
import { retryUnprocessed } from './retry-throttled.ts';

/** A row as the table holds it, which tells a set from a list and keeps every digit. */
export type CatalogItem = Record<string, AttributeValue>;

export type CatalogChange = { put: CatalogItem } | { remove: string };

/** Told after each call of how many changes the table has taken, or may have: no answer told. */
export type OnCalled = (changes: { taken: number; unknown: number }) => void;

export type CatalogWriter = ReturnType<typeof catalogWriter>;

/** What one call may bring. */
const BATCH = 25;
/** A table that is new to load takes 4,000 writes a second. */
const BATCHES_AT_A_TIME = 8;

export const catalogWriter = (client: DynamoDBClient, name: CatalogName, table: string) => {
  const { key } = catalogs[name];

  const toRequest = (change: CatalogChange): WriteRequest =>
    'put' in change
      ? { PutRequest: { Item: change.put } }
      : { DeleteRequest: { Key: { [key]: { S: change.remove } } } };

  /** What the table has not taken of it; the SDK by itself does not try that again. */
  const attempt = async (requests: readonly WriteRequest[], onCalled: OnCalled): Promise<WriteRequest[]> => {
    const command = new BatchWriteItemCommand({ RequestItems: { [table]: [...requests] } });
    try {
      const { UnprocessedItems } = await mapStoreErrors(client.send(command));
      const left = UnprocessedItems?.[table] ?? [];
      onCalled({ taken: requests.length - left.length, unknown: 0 });
      return left;
    } catch (error) {
      // A throttled call is made again, and other refusals are answers, too: nothing of the call was done.
      const isUnknown = error instanceof StoreUnavailable && !wasThrottled(error);
      if (isUnknown) onCalled({ taken: 0, unknown: requests.length });
      throw error;
    }
  };

  return {
    /** Every row, however many there are. */
    rows: async (onRead: (rows: number) => void = () => {}): Promise<Map<string, CatalogItem>> => {
      const rows = new Map<string, CatalogItem>();
      const pages = paginateScan({ client }, { TableName: table, ConsistentRead: true });
      for await (const item of paginate(pages)) {
        rows.set(item[key]?.S ?? '', item);
        onRead(rows.size);
      }
      return rows;
    },

    /**
     * Writes side by side, in no order. Ends early where the signal says so, or a call fails for good; what is on
     * its way is waited for then, so that what was told of is all that was done.
     */
    write: async (changes: readonly CatalogChange[], onCalled: OnCalled, signal: AbortSignal) => {
      const writeBatch = (batch: readonly CatalogChange[], ending: AbortSignal) =>
        retryUnprocessed(batch.map(toRequest), (left) => attempt(left, onCalled), ending);
      await runConcurrentlyToEnd(signal, (ending) =>
        forEachConcurrently(BATCHES_AT_A_TIME, inBatches(changes), (batch) => writeBatch(batch, ending)),
      );
    },
  };
};

function* inBatches(changes: readonly CatalogChange[]) {
  for (let from = 0; from < changes.length; from += BATCH) yield changes.slice(from, from + BATCH);
}
