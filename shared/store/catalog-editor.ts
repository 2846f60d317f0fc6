import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from '../attribute-json.ts';
import { type CatalogName, catalogs } from '../catalog.ts';
import { itemsOf } from './items-of.ts';
import { orUnavailable, StoreUnavailable, wasThrottled } from './unavailable.ts';

/** A row as the table holds it, which tells a set from a list and keeps every digit. */
export type CatalogItem = Record<string, AttributeValue>;

export type CatalogChange = { put: CatalogItem } | { remove: string };

/** Told after each call of how many changes the table has taken, or may have: no answer told. */
export type OnCalled = (changes: { taken: number; unknown: number }) => void;

/** Ends the writing; what is on its way is waited for. */
type Writing = { onCalled: OnCalled; signal: AbortSignal };

export type CatalogEditor = ReturnType<typeof catalogEditor>;

/** What one call may bring. */
const BATCH = 25;
/** A table that is new to load takes 4,000 writes a second. */
const BATCHES_AT_A_TIME = 8;
const LONGEST_PAUSE_MS = 5_000;

export const catalogEditor = (client: DynamoDBClient, name: CatalogName, table: string) => {
  const { key } = catalogs[name];

  const toRequest = (change: CatalogChange): WriteRequest =>
    'put' in change
      ? { PutRequest: { Item: change.put } }
      : { DeleteRequest: { Key: { [key]: { S: change.remove } } } };

  /** What the table has not taken of it. */
  const attempt = async (requests: WriteRequest[], onCalled: OnCalled): Promise<WriteRequest[]> => {
    const command = new BatchWriteItemCommand({ RequestItems: { [table]: requests } });
    try {
      const { UnprocessedItems } = await orUnavailable(client.send(command));
      const left = UnprocessedItems?.[table] ?? [];
      onCalled({ taken: requests.length - left.length, unknown: 0 });
      return left;
    } catch (error) {
      if (wasThrottled(error)) return requests;
      // Other refusals are answers, too: nothing of the call was done.
      if (error instanceof StoreUnavailable) onCalled({ taken: 0, unknown: requests.length });
      throw error;
    }
  };

  /** Until the table has taken all of it; what a call leaves over is not written by the SDK's own attempts. */
  const writeBatch = async (batch: CatalogChange[], { onCalled, signal }: Writing) => {
    let left = batch.map(toRequest);
    for (let pause = 50; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const before = left.length;
      left = await attempt(left, onCalled);
      if (left.length === 0) return;
      if (left.length < before) pause = 50;
      await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
    }
  };

  return {
    /** Every row, however many there are. */
    rows: async (onRead: (rows: number) => void = () => {}): Promise<Map<string, CatalogItem>> => {
      const rows = new Map<string, CatalogItem>();
      const pages = paginateScan({ client }, { TableName: table, ConsistentRead: true });
      for await (const item of itemsOf(pages)) {
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
      const batches = inBatches(changes);
      const failed = new AbortController();
      const writing = { onCalled, signal: AbortSignal.any([signal, failed.signal]) };
      const workers = Array.from({ length: BATCHES_AT_A_TIME }, async () => {
        try {
          for (const batch of batches) {
            if (writing.signal.aborted) return;
            await writeBatch(batch, writing);
          }
        } catch (error) {
          failed.abort();
          throw error;
        }
      });
      const outcomes = await Promise.allSettled(workers);
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure) throw failure.reason;
    },
  };
};

function* inBatches(changes: readonly CatalogChange[]) {
  for (let from = 0; from < changes.length; from += BATCH) yield changes.slice(from, from + BATCH);
}
