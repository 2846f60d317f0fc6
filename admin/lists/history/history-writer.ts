import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  MAX_THROTTLED_ATTEMPTS,
  retryWhileThrottled,
} from '../../../shared/storage/retry-while-throttled.ts';
import { StorageUnavailable } from '../../../shared/storage/storage-errors.ts';
import type { ListName } from '../../../shared/tables.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { type Deployment, requireRecords } from '../../deployment/deployment.ts';
import { mapConcurrently } from '../../storage/map-concurrently.ts';
import { documentClient } from '../../storage/query-items.ts';
import { Failure } from '../../text/failure.ts';
import { countChanges, type RowChange } from '../plan/row-change.ts';
import { type HistorySource, historyReader, NEWEST } from './history-reader.ts';
import { type ChangeHead, encode, leftId, newChangeId, partId, partsTopic, timeOfId } from './records.ts';
import { toStoredRow } from './stored-rows.ts';

export type HistoryTarget = HistorySource & Pick<Deployment, 'caller' | 'tables'>;

type NewRecord = Pick<ChangeHead, 'Kind'> & Partial<Pick<ChangeHead, 'Source' | 'Undoes' | 'Since'>>;
type Begun = Pick<ChangeHead, 'Id' | 'ExpiresAt'>;

const OVERTAKEN = 'Other people are changing this list right now. Try again in a moment.';

/** Since the list was compared with its history, somebody else has begun a change. */
export class Overtaken extends Failure {}

const DAY_SECONDS = DAY_MS / 1_000;

export type HistoryWriter = ReturnType<typeof historyWriter>;

export const historyWriter = (deployment: HistoryTarget, list: ListName, By: string) => {
  const { table: TableName, retentionDays } = requireRecords(deployment);
  const documents = documentClient(deployment.dynamodb);
  const call = <T>(send: () => Promise<T>) =>
    retryWhileThrottled(send, new AbortController().signal, MAX_THROTTLED_ATTEMPTS);

  /** The parts live a day longer than their head. */
  const putParts = async (
    { Id, ExpiresAt }: Begun,
    toId: (index: number) => string,
    value: readonly unknown[],
  ) => {
    const parts = await encode(value);
    await mapConcurrently([...parts.entries()], ([index, Rows]) => {
      const keys = { Topic: partsTopic(list, Id), Id: toId(index) };
      const put = new PutCommand({
        TableName,
        Item: { ...keys, Rows, ExpiresAt: ExpiresAt + DAY_SECONDS },
      });
      return call(() => documents.send(put));
    });
    return parts.length;
  };

  const hasHead = async (id: string) => {
    for await (const { Id } of historyReader(deployment).heads(list, { newestFirst: true }))
      if (Id <= id) return Id === id;
    return false;
  };

  /** Puts a head only if no other one has come after `newest`. So the heads have one order, and each writer knows those before its own. */
  const putHead = async (Item: Begun & Record<string, unknown>, newest: string | undefined) => {
    const { condition, values } = isNewest(newest);
    const Update = {
      TableName,
      Key: { Topic: NEWEST, Id: list },
      UpdateExpression: 'SET Head = :id',
      ConditionExpression: condition,
      ExpressionAttributeValues: { ':id': Item.Id, ...values },
    };
    const Put = { TableName, Item, ConditionExpression: 'attribute_not_exists(Id)' };
    const transaction = new TransactWriteCommand({ TransactItems: [{ Update }, { Put }] });
    try {
      await call(() => documents.send(transaction));
    } catch (error) {
      const isCanceled = error instanceof TransactionCanceledException;
      // The response to an earlier attempt may have been lost.
      if ((isCanceled || error instanceof StorageUnavailable) && (await hasHead(Item.Id))) return;
      throw isCanceled ? new Overtaken(OVERTAKEN) : error;
    }
  };

  return {
    /** Puts the parts first. Nobody sees them without their head. */
    put: async (
      record: NewRecord,
      changes: readonly RowChange[],
      newest: string | undefined,
    ): Promise<Begun> => {
      const now = deployment.now();
      const ExpiresAt = Math.floor(now.getTime() / 1_000) + retentionDays * DAY_SECONDS;
      const begun = { Id: newChangeId(now, newest), ExpiresAt };
      const Parts = await putParts(
        begun,
        partId,
        changes.map((change) => toStoredRow(list, change)),
      );
      const { added: Added, changed: Changed, renamed: Renamed, removed: Removed } = countChanges(changes);
      const counts = { Added, Changed, Renamed, Removed };
      // Nobody knows who has changed a list past these tools.
      const person = record.Kind === 'outside' ? {} : { By };
      const isFound = record.Kind === 'outside' || record.Kind === 'base';
      const end = isFound ? { EndedAt: timeOfId(begun.Id) } : {};
      await putHead({ Topic: list, ...begun, ...person, ...record, Parts, ...counts, ...end }, newest);
      return begun;
    },

    /** Keeps which rows were not written. A change that has ended stays as it is. */
    end: async (begun: Begun, left: readonly string[]) => {
      // The clock of the service has whole seconds, and an id comes after the last one.
      const EndedAt = [deployment.now().toISOString(), timeOfId(begun.Id)].sort().at(-1) ?? '';
      if (left.length > 0) await putParts(begun, (index) => leftId(EndedAt, index), left);
      const update = new UpdateCommand({
        TableName,
        Key: { Topic: list, Id: begun.Id },
        UpdateExpression: 'SET EndedAt = :endedAt, #left = :left',
        ConditionExpression: 'attribute_exists(Id) AND attribute_not_exists(EndedAt)',
        ExpressionAttributeNames: { '#left': 'Left' },
        ExpressionAttributeValues: { ':endedAt': EndedAt, ':left': left.length },
      });
      try {
        await call(() => documents.send(update));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
};

const isNewest = (id: string | undefined) =>
  id === undefined
    ? { condition: 'attribute_not_exists(Head)', values: {} }
    : { condition: 'Head = :newest', values: { ':newest': id } };
