import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  paginateScan,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from '../attribute-json.ts';
import { type CatalogName, catalogs } from '../catalog.ts';
import { together } from './together.ts';
import { orUnavailable, wasThrottled } from './unavailable.ts';

/** A row as the table holds it, which tells a set from a list and keeps every digit. */
export type CatalogItem = Record<string, AttributeValue>;

export type CatalogChange = { put: CatalogItem } | { remove: string };

/** Told after each answer of the table, of what it has taken. */
export type OnWritten = (written: { put: number; removed: number }) => void;

/** Ends the writing; what is on its way is waited for. */
type Writing = { onWritten: OnWritten; signal: AbortSignal };

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
  const attempt = async (requests: WriteRequest[]): Promise<WriteRequest[]> => {
    const command = new BatchWriteItemCommand({ RequestItems: { [table]: requests } });
    try {
      const { UnprocessedItems } = await orUnavailable(client.send(command));
      return UnprocessedItems?.[table] ?? [];
    } catch (error) {
      if (wasThrottled(error)) return requests;
      throw error;
    }
  };

  /** Until the table has taken all of it; what a call leaves over is not written by the SDK's own attempts. */
  const writeBatch = async (batch: CatalogChange[], { onWritten, signal }: Writing) => {
    let left = batch.map(toRequest);
    for (let pause = 50; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const before = left;
      left = await attempt(before);
      onWritten({
        put: puts(before) - puts(left),
        removed: before.length - puts(before) - (left.length - puts(left)),
      });
      if (left.length === 0) return;
      if (left.length < before.length) pause = 50;
      await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
    }
  };

  return {
    /** Every row, however many there are. */
    rows: async (onRead: (rows: number) => void = () => {}): Promise<Map<string, CatalogItem>> => {
      const rows = new Map<string, CatalogItem>();
      const pages = paginateScan({ client }, { TableName: table, ConsistentRead: true });
      for (;;) {
        const { done, value } = await orUnavailable(pages.next());
        if (done) return rows;
        for (const item of value.Items ?? []) rows.set(item[key]?.S ?? '', item);
        onRead(rows.size);
      }
    },

    /** Writes side by side, in no order. Ends early where the signal says so, or a call fails for good. */
    write: async (changes: readonly CatalogChange[], onWritten: OnWritten, signal: AbortSignal) => {
      const batches = inBatches(changes);
      await together(signal, (signal) =>
        Array.from({ length: BATCHES_AT_A_TIME }, async () => {
          for (const batch of batches) {
            if (signal.aborted) return;
            await writeBatch(batch, { onWritten, signal });
          }
        }),
      );
    },
  };
};

const puts = (requests: WriteRequest[]) => requests.filter(({ PutRequest }) => PutRequest).length;

function* inBatches(changes: readonly CatalogChange[]) {
  for (let from = 0; from < changes.length; from += BATCH) yield changes.slice(from, from + BATCH);
}
