import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../shared/storage/attribute-json.ts';
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import { StorageUnavailable } from '../../../shared/storage/storage-errors.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { inGroups } from '../../storage/map-concurrently.ts';
import { retryUntilAborted } from '../../storage/retry-throttled.ts';
import { MAX_CHANGED_ATTRIBUTES, type RowChange } from '../plan/row-change.ts';
import { attributeOf, changedAttributes, isSameValue } from '../values/compare-values.ts';
import { absentRow, unchangedRow, updateOfRow } from './row-expressions.ts';

type Change = Omit<RowChange, 'kind'>;

/** `conflict`: somebody else has changed the row since it was read. */
type WriteOutcome = 'written' | 'conflict' | 'unknown';
export type OnWrite = (change: Change, outcome: WriteOutcome) => void;

const CONCURRENT_CALLS = 16;
/**
 * A transaction saves time, because the SDK needs a millisecond for each call. 10 rows of at most 400 KB fit into one
 * transaction (4 MB).
 */
const ROWS_IN_TRANSACTION = 10;

export const listWriter = (dynamodb: DynamoDBClient, name: ListName, tableName: string) => {
  const { partitionKey: key } = tables[name];

  const writeFor = ({ identifier, before, after }: Change): TransactWriteItem => {
    const common = { TableName: tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    const Key = { [key]: { S: identifier } };
    if (!Object.hasOwn(before, key)) return { Put: { ...common, Item: after, ...absentRow(key) } };
    const names = changedAttributes(before, after, key);
    if (!Object.hasOwn(after, key)) {
      const compared = names.slice(0, MAX_CHANGED_ATTRIBUTES);
      return { Delete: { ...common, Key, ...unchangedRow(key, compared, before) } };
    }
    return { Update: { ...common, Key, ...updateOfRow(key, names, before, after) } };
  };

  const send = async ({ Put, Update, Delete }: TransactWriteItem) => {
    if (Put) await dynamodb.send(new PutItemCommand(Put));
    if (Update) await dynamodb.send(new UpdateItemCommand(Update));
    if (Delete) await dynamodb.send(new DeleteItemCommand(Delete));
    return 'written' as const;
  };

  /** The condition of a removal names at most 100 attributes, and cannot name those that somebody else has added. */
  const hasChanged = async ({ identifier, before }: Change, signal: AbortSignal) => {
    const get = { TableName: tableName, Key: { [key]: { S: identifier } }, ConsistentRead: true };
    const read = await retryUntilAborted(() => dynamodb.send(new GetItemCommand(get)), signal);
    return read?.Item !== undefined && !isSameValue({ M: read.Item }, { M: before });
  };

  /** Undefined if the signal aborts before the write. */
  const tryOne = async (change: Change, signal: AbortSignal): Promise<WriteOutcome | undefined> => {
    try {
      if (!Object.hasOwn(change.after, key) && (await hasChanged(change, signal))) return 'conflict';
      return await retryUntilAborted(() => send(writeFor(change)), signal);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // When the SDK retries a call after a lost response, the row may already have its new values.
      return hasPlannedValues(error.Item, change, key) ? 'written' : 'conflict';
    }
  };

  const writeOne = async (change: Change, onWrite: OnWrite, signal: AbortSignal) => {
    try {
      const outcome = await tryOne(change, signal);
      if (outcome) onWrite(change, outcome);
    } catch (error) {
      // Another error proves that the row is not written.
      if (error instanceof StorageUnavailable) onWrite(change, 'unknown');
      throw error;
    }
  };

  const writeEach = async (changes: readonly Change[], onWrite: OnWrite, signal: AbortSignal) => {
    for (const change of changes) await writeOne(change, onWrite, signal);
  };

  const writeTogether = async (changes: readonly Change[], onWrite: OnWrite, signal: AbortSignal) => {
    const transaction = new TransactWriteItemsCommand({ TransactItems: changes.map(writeFor) });
    const tellAll = (outcome: WriteOutcome) => {
      for (const change of changes) onWrite(change, outcome);
    };
    try {
      if (await retryUntilAborted(() => dynamodb.send(transaction), signal)) tellAll('written');
    } catch (error) {
      // If somebody else has changed one of the rows, DynamoDB has written none of them. So each row is written alone.
      if (error instanceof TransactionCanceledException) return writeEach(changes, onWrite, signal);
      if (error instanceof StorageUnavailable) tellAll('unknown');
      throw error;
    }
  };

  /** A transaction accepts only one write to each row. A row is read again just before its removal. */
  const canWriteTogether = (changes: readonly Change[]) =>
    changes.length > 1 && changes.every(({ after }) => Object.hasOwn(after, key));

  return {
    /** Writes a row only if the attributes to change still have the values that were read. A removal compares the whole row. */
    write: (changes: readonly Change[], onWrite: OnWrite, signal: AbortSignal) =>
      forEachConcurrently(
        CONCURRENT_CALLS,
        inGroups(changes, ROWS_IN_TRANSACTION),
        (group, groupSignal) =>
          canWriteTogether(group)
            ? writeTogether(group, onWrite, groupSignal)
            : writeEach(group, onWrite, groupSignal),
        signal,
      ),
  };
};

const hasPlannedValues = (item: Item | undefined, { before, after }: Change, key: string) => {
  if (!Object.hasOwn(after, key)) return !item;
  if (!item) return false;
  return changedAttributes(before, after, key).every((name) => {
    const [stored, planned] = [attributeOf(item, name), attributeOf(after, name)];
    return stored && planned ? isSameValue(stored, planned) : stored === planned;
  });
};
