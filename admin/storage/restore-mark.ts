import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { documentClient, queryItems } from './query-items.ts';
import { retryThrottled } from './retry-throttled.ts';

/** A key that no part of a batch has, because the name before the colon is not empty. */
const KEY = ':restore';

/** A restore must not copy the mark of the other table. */
export const isRestoreMark = ({ Client }: Item) => Client?.S === KEY;

export type RestoreMark = ReturnType<typeof restoreMark>;

/** An item of BalanceSnapshots that changes with each restore of batches or changes. It tells all machines to look for older records. */
export const restoreMark = (dynamodb: DynamoDBClient, table: string) => {
  let hasBegun = false;

  const write = async (isComplete: boolean, condition = {}) => {
    const Item = {
      Client: { S: KEY },
      SnapshotId: { S: KEY },
      WriteId: { S: randomUUID() },
      IsComplete: { BOOL: isComplete },
    };
    const command = new PutItemCommand({ TableName: table, Item, ...condition });
    await retryThrottled(() => dynamodb.send(command));
  };

  /** An earlier restore may have been killed after its last write. */
  const completeEarlier = async () => {
    try {
      await write(true, {
        ConditionExpression: 'IsComplete = :incomplete',
        ExpressionAttributeValues: { ':incomplete': { BOOL: false } },
      });
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  };

  return {
    /** A text that differs after each write, and is empty before the first restore. */
    read: async (): Promise<string> => {
      const key = { table, partition: KEY, sortKey: 'SnapshotId' };
      for await (const { WriteId } of queryItems(documentClient(dynamodb), key)) return String(WriteId);
      return '';
    },

    /** Call it before each write of the restore. A reader then knows of a restore that is killed. */
    begin: async () => {
      if (!hasBegun) await write(false);
      hasBegun = true;
    },

    /** Call it after the last write, so that readers also see what was written after they read. */
    end: () => (hasBegun ? write(true) : completeEarlier()),
  };
};
