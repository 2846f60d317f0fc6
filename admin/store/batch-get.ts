import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mapStoreErrors } from '../../shared/storage/store-errors.ts';
import { retryUnprocessed } from './retry-throttled.ts';
import type { Item } from './scan-pages.ts';

/** What one call may ask for. */
const KEYS_AT_A_TIME = 100;

/** An item, and what stands under its key in another table. */
export type Pair = { item: Item; standing: Item | undefined };

/** Finds what stands in a table under the keys of items. Answers nothing where the signal has ended it. */
export const batchGetPairs = (client: DynamoDBClient, table: string, keys: readonly string[]) => {
  const keyOf = (item: Item): Item =>
    Object.fromEntries(Object.entries(item).filter(([name]) => keys.includes(name)));
  const keyText = (item: Item) => JSON.stringify(keys.map((name) => item[name]?.S));

  const standingFor = async (items: readonly Item[], signal: AbortSignal) => {
    const standing = new Map<string, Item>();
    /** Of large items an answer holds some, and leaves the other keys over. */
    const get = async (left: readonly Item[]) => {
      const RequestItems = { [table]: { Keys: [...left], ConsistentRead: true } };
      const answer = await mapStoreErrors(client.send(new BatchGetItemCommand({ RequestItems })));
      for (const item of answer.Responses?.[table] ?? []) standing.set(keyText(item), item);
      return answer.UnprocessedKeys?.[table]?.Keys ?? [];
    };
    await retryUnprocessed(items.map(keyOf), get, signal);
    return standing;
  };

  return async function* (items: readonly Item[], signal: AbortSignal): AsyncGenerator<Pair[]> {
    for (let start = 0; start < items.length; start += KEYS_AT_A_TIME) {
      const some = items.slice(start, start + KEYS_AT_A_TIME);
      const standing = await standingFor(some, signal);
      if (signal.aborted) return;
      yield some.map((item) => ({ item, standing: standing.get(keyText(item)) }));
    }
  };
};
