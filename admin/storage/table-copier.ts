import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { forEachConcurrently } from '../../shared/storage/concurrency.ts';
import { StorageUnavailable } from '../../shared/storage/storage-errors.ts';
import { inGroups } from './map-concurrently.ts';
import { retryUnprocessed, retryUntilAborted } from './retry-throttled.ts';
import { type Selection, scanPages } from './scan-pages.ts';

/** An item of the restored table, and the item with the same key in the live table. */
export type Pair = { item: Item; existing: Item | undefined };

export type Put = { item: Item; overwrites: boolean };
/** `existing`: since the comparison, somebody else has written an item with this key. */
export type PutOutcome = { is: 'written' } | { is: 'unknown' } | { is: 'existing'; existing: Item };
type OnPut = (put: Put, outcome: PutOutcome) => void;

/** DynamoDB returns up to 100 items in one call. */
const KEYS_IN_ONE_CALL = 100;

/** About 800 puts a second, because a partition accepts 1,000 write units a second and the warehouses also write. */
const CONCURRENT_PUTS = 8;

type Tables = { from: string; to: string; keys: readonly string[] };

/** Both tables must have the same key. */
export const tableCopier = (dynamodb: DynamoDBClient, { from, to, keys }: Tables) => {
  const keyOf = (item: Item): Item =>
    Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
  const keyText = (item: Item) => JSON.stringify(keys.map((name) => item[name]?.S));

  const readExisting = async (items: readonly Item[], signal: AbortSignal) => {
    const existing = new Map<string, Item>();
    /** Returns the keys that DynamoDB left unprocessed, because the items are large or the table is busy. */
    const get = async (left: readonly Item[]) => {
      const RequestItems = { [to]: { Keys: [...left], ConsistentRead: true } };
      const response = await dynamodb.send(new BatchGetItemCommand({ RequestItems }));
      for (const item of response.Responses?.[to] ?? []) existing.set(keyText(item), item);
      return response.UnprocessedKeys?.[to]?.Keys ?? [];
    };
    await retryUnprocessed(items.map(keyOf), get, signal);
    return existing;
  };

  const condition = ({ overwrites }: Put) =>
    overwrites
      ? {}
      : ({
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': keys[0] ?? '' },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        } as const);

  const tryPut = async (put: Put, signal: AbortSignal): Promise<PutOutcome | undefined> => {
    const command = new PutItemCommand({ TableName: to, Item: put.item, ...condition(put) });
    try {
      return (await retryUntilAborted(() => dynamodb.send(command), signal)) && { is: 'written' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { is: 'existing', existing: error.Item ?? {} };
    }
  };

  const putOne = async (put: Put, onPut: OnPut, signal: AbortSignal) => {
    try {
      const outcome = await tryPut(put, signal);
      if (outcome) onPut(put, outcome);
    } catch (error) {
      // Only this error leaves open whether the item was written.
      if (error instanceof StorageUnavailable) onPut(put, { is: 'unknown' });
      throw error;
    }
  };

  return {
    /** Returns the items of `from`, each with the item of `to` that has its key. Ends early if the signal aborts. */
    async *pairs(selection?: Selection, signal = new AbortController().signal): AsyncGenerator<Pair[]> {
      for await (const page of scanPages(dynamodb, from, selection, signal)) {
        for (const items of inGroups(page, KEYS_IN_ONE_CALL)) {
          const existing = await readExisting(items, signal);
          if (signal.aborted) return;
          yield items.map((item) => ({ item, existing: existing.get(keyText(item)) }));
        }
      }
    },

    put: async (puts: readonly Put[], onPut: OnPut, signal: AbortSignal) => {
      const putNext = (put: Put, putSignal: AbortSignal) => putOne(put, onPut, putSignal);
      await forEachConcurrently(CONCURRENT_PUTS, puts.values(), putNext, signal);
    },
  };
};
