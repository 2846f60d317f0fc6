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
import { forEachConcurrently } from '../../../shared/storage/concurrency.ts';
import { StorageUnavailable } from '../../../shared/storage/storage-errors.ts';
import { type ListName, tables } from '../../../shared/tables.ts';
import { inGroups } from '../../storage/map-concurrently.ts';
import { retryUntilAborted } from '../../storage/retry-throttled.ts';
import { MAX_CHANGED_ATTRIBUTES, type RowChange } from '../plan/row-change.ts';
import { changedAttributes, isAsPlanned, isSameRow } from '../values/compare-values.ts';
import { absentRow, unchangedRow, updateOfRow } from './row-expressions.ts';

export type Change = Omit<RowChange, 'kind'>;

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
    const isUnchanged = unchangedRow(key, names.slice(0, MAX_CHANGED_ATTRIBUTES), before);
    if (!Object.hasOwn(after, key)) return { Delete: { ...common, Key, ...isUnchanged } };
    if (names.length > MAX_CHANGED_ATTRIBUTES) return { Put: { ...common, Item: after, ...isUnchanged } };
    return { Update: { ...common, Key, ...updateOfRow(key, names, before, after) } };
  };

  /** A renamed row is put under its new identifier and deleted under the old one, or neither. */
  const moveRow = async (change: Change, signal: AbortSignal): Promise<WriteOutcome> => {
    const TransactItems = [
      { ...change, before: {} },
      { ...change, after: {} },
    ].map(writeFor);
    try {
      await dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
      return 'written';
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      if (!error.CancellationReasons?.some(({ Code }) => Code === 'ConditionalCheckFailed'))
        throw new StorageUnavailable(error.message, { cause: error, throttling: [] });
      const [from, to] = await Promise.all(
        [change.identifier, newIdentifier(change)].map((identifier) => readRow(identifier, signal)),
      );
      // After a lost response, the row may already have been moved.
      return !from && to && isSameRow(to, change.after) ? 'written' : 'conflict';
    }
  };

  const newIdentifier = ({ identifier, after }: Change) => after[key]?.S ?? identifier;
  const isMoved = (change: Change) => newIdentifier(change) !== change.identifier;

  /** DynamoDB can compare only so many attributes, and cannot name those that somebody else has added. */
  const needsWholeRow = (change: Change) =>
    !Object.hasOwn(change.after, key) || isMoved(change) || isWide(change);
  const isWide = ({ before, after }: Change) =>
    Object.hasOwn(before, key) && changedAttributes(before, after, key).length > MAX_CHANGED_ATTRIBUTES;

  const send = async ({ Put, Update, Delete }: TransactWriteItem) => {
    if (Put) await dynamodb.send(new PutItemCommand(Put));
    if (Update) await dynamodb.send(new UpdateItemCommand(Update));
    if (Delete) await dynamodb.send(new DeleteItemCommand(Delete));
    return 'written' as const;
  };

  const readRow = async (identifier: string, signal: AbortSignal) => {
    const get = { TableName: tableName, Key: { [key]: { S: identifier } }, ConsistentRead: true };
    return (await retryUntilAborted(() => dynamodb.send(new GetItemCommand(get)), signal))?.Item;
  };

  const isConflict = async (change: Change, signal: AbortSignal) => {
    if (!needsWholeRow(change)) return false;
    const row = await readRow(change.identifier, signal);
    return row !== undefined && !isSameRow(row, change.before);
  };

  /** Undefined if the signal aborts before the write. */
  const tryOne = async (change: Change, signal: AbortSignal): Promise<WriteOutcome | undefined> => {
    try {
      if (await isConflict(change, signal)) return 'conflict';
      const write = () => (isMoved(change) ? moveRow(change, signal) : send(writeFor(change)));
      return await retryUntilAborted(write, signal);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // When the SDK retries a call after a lost response, the row may already have its new values.
      return isAsPlanned(key, error.Item, change) ? 'written' : 'conflict';
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

  /** The changes without those of rows that somebody else has changed. */
  const withoutConflicts = async (changes: readonly Change[], onWrite: OnWrite, signal: AbortSignal) => {
    const areConflicts = await Promise.all(changes.map((change) => isConflict(change, signal)));
    return changes.filter((change, index) => {
      if (areConflicts[index]) onWrite(change, 'conflict');
      return !areConflicts[index];
    });
  };

  const writeTogether = async (group: readonly Change[], onWrite: OnWrite, signal: AbortSignal) => {
    const changes = await withoutConflicts(group, onWrite, signal);
    if (changes.length === 0) return;
    const tellAll = (outcome: WriteOutcome) => {
      for (const change of changes) onWrite(change, outcome);
    };
    const transaction = new TransactWriteItemsCommand({ TransactItems: changes.map(writeFor) });
    try {
      if (await retryUntilAborted(() => dynamodb.send(transaction), signal)) tellAll('written');
    } catch (error) {
      // If somebody else has changed one of the rows, DynamoDB has written none of them. So each row is written alone.
      if (error instanceof TransactionCanceledException) return writeEach(changes, onWrite, signal);
      if (error instanceof StorageUnavailable) tellAll('unknown');
      throw error;
    }
  };

  /** A transaction accepts only one write to each row. */
  const canWriteTogether = (changes: readonly Change[]) =>
    changes.length > 1 && !changes.some((change) => isMoved(change) || isWide(change));

  return {
    /**
     * Writes a row only if the attributes to change still have the values that were read. A removal and a rename compare the whole row.
     * Writes no more rows once `mayGoOn` says no.
     */
    write: (changes: readonly Change[], onWrite: OnWrite, signal: AbortSignal, mayGoOn = () => true) =>
      forEachConcurrently(
        CONCURRENT_CALLS,
        inGroups(changes, ROWS_IN_TRANSACTION).filter(mayGoOn),
        (group, groupSignal) =>
          canWriteTogether(group)
            ? writeTogether(group, onWrite, groupSignal)
            : writeEach(group, onWrite, groupSignal),
        signal,
      ),
  };
};
