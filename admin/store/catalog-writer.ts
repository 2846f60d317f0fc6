import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { StoreUnavailable } from '../../shared/storage/store-errors.ts';
import { type CatalogName, tables } from '../../shared/tables.ts';
import { attributeOf, isSameValue } from '../lists/compare-values.ts';
import { retryThrottled, writeConcurrently } from './retry-throttled.ts';
import { absentRow, unchangedRow, updateOfRow } from './row-expressions.ts';
import { type Item, scanPages } from './scan-pages.ts';

export type CatalogItem = Item;

/** A row as it was read and as it will be; empty where there is none. An unchanged value is the same object in both. */
export type CatalogChange = { identifier: string; before: CatalogItem; after: CatalogItem };

/** A `conflict` overwrites nothing: somebody else has changed the row since it was read. */
export type WriteOutcome = 'written' | 'conflict' | 'unknown';
export type OnWrite = (change: CatalogChange, outcome: WriteOutcome) => void;

/** A new table accepts 4,000 writes a second. */
const CONCURRENT_CALLS = 16;
/** DynamoDB accepts expressions of up to 4 KB. */
const MOST_ATTRIBUTES = 100;

export const catalogWriter = (client: DynamoDBClient, name: CatalogName, table: string) => {
  const { partitionKey: key } = tables[name];

  const callsFor = ({ identifier, before, after }: CatalogChange): (() => Promise<unknown>)[] => {
    const row = { TableName: table, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const Key = { [key]: { S: identifier } };
    if (!Object.hasOwn(before, key)) {
      return [() => client.send(new PutItemCommand({ ...row, Item: after, ...absentRow(key) }))];
    }
    const parts = [...inBatches(changedAttributes(before, after, key), MOST_ATTRIBUTES)];
    if (!Object.hasOwn(after, key)) {
      const condition = unchangedRow(key, parts[0] ?? [], before);
      return [() => client.send(new DeleteItemCommand({ ...row, Key, ...condition }))];
    }
    return parts.map((names) => () => {
      const update = updateOfRow(key, names, before, after);
      return client.send(new UpdateItemCommand({ ...row, Key, ...update }));
    });
  };

  /** Returns false when the signal aborts. */
  const sendAll = async (change: CatalogChange, signal: AbortSignal) => {
    for (const call of callsFor(change)) {
      if (!(await retryThrottled(call, signal))) return false;
    }
    return true;
  };

  const writeOne = async (change: CatalogChange, onWrite: OnWrite, signal: AbortSignal) => {
    try {
      if (await sendAll(change, signal)) onWrite(change, 'written');
    } catch (error) {
      const outcome = outcomeAfter(error, change, key);
      if (outcome) onWrite(change, outcome);
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
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

    /** Writes a row only if the attributes that change are still as they were read. */
    write: (changes: readonly CatalogChange[], onWrite: OnWrite, signal: AbortSignal) =>
      writeConcurrently(
        CONCURRENT_CALLS,
        changes.values(),
        (change, ending) => writeOne(change, onWrite, ending),
        signal,
      ),
  };
};

export const changedAttributes = (before: CatalogItem, after: CatalogItem, key: string) =>
  Object.keys({ ...before, ...after }).filter(
    (name) =>
      name !== key &&
      (Object.hasOwn(before, name) !== Object.hasOwn(after, name) || before[name] !== after[name]),
  );

/** Undefined for an answer after which nothing is written. */
const outcomeAfter = (error: unknown, change: CatalogChange, key: string): WriteOutcome | undefined => {
  if (error instanceof ConditionalCheckFailedException) {
    // The SDK repeats a call whose answer was lost, and the row is changed by then.
    return isInPlace(error.Item, change, key) ? 'written' : 'conflict';
  }
  return error instanceof StoreUnavailable ? 'unknown' : undefined;
};

const isInPlace = (item: CatalogItem | undefined, { before, after }: CatalogChange, key: string) => {
  if (!item || !Object.hasOwn(after, key)) return !item && !Object.hasOwn(after, key);
  return changedAttributes(before, after, key).every((name) => {
    const [stored, planned] = [attributeOf(item, name), attributeOf(after, name)];
    return stored && planned ? isSameValue(stored, planned) : stored === planned;
  });
};

export function* inBatches<T>(items: readonly T[], size: number) {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
