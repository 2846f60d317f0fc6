import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { forEachConcurrently, runConcurrentlyToEnd } from '../../shared/storage/concurrency.ts';
import { StoreUnavailable } from '../../shared/storage/store-errors.ts';
import { batchGetPairs, type Pair } from './batch-get.ts';
import { retryThrottled } from './retry-throttled.ts';
import { type Item, type Selection, scanPages } from './scan-pages.ts';

export type Put = { item: Item; overwrites: boolean };
/** `unknown`: no answer told. `there`: an item has come under that key since it was looked for. */
export type PutOutcome = { is: 'written' } | { is: 'unknown' } | { is: 'there'; standing: Item };
type OnPut = (put: Put, outcome: PutOutcome) => void;

/**
 * A put takes some ten milliseconds, so that these are about 800 a second. What a client has sent may lie in one partition,
 * which takes 1,000 write units of 1 KB a second, and the warehouses write meanwhile. Large items are few at a time: they
 * are put page by page, and a page is 1 MB.
 */
const PUTS_AT_A_TIME = 8;

type Tables = { from: string; to: string; keys: readonly string[] };

/** Compares a table with another one of the same key, and writes items of the one into the other. */
export const tableCopier = (client: DynamoDBClient, { from, to, keys }: Tables) => {
  const withStanding = batchGetPairs(client, to, keys);

  const condition = ({ overwrites }: Put) =>
    overwrites
      ? {}
      : ({
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': keys[0] ?? '' },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        } as const);

  /** Undefined where it was called off. */
  const attempt = async (put: Put, signal: AbortSignal): Promise<PutOutcome | undefined> => {
    const command = new PutItemCommand({ TableName: to, Item: put.item, ...condition(put) });
    try {
      return (await retryThrottled(() => client.send(command), signal)) && { is: 'written' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { is: 'there', standing: error.Item ?? {} };
    }
  };

  const putOne = async (put: Put, onPut: OnPut, signal: AbortSignal) => {
    try {
      const outcome = await attempt(put, signal);
      if (outcome) onPut(put, outcome);
    } catch (error) {
      // Other refusals are answers, too: nothing was written.
      if (error instanceof StoreUnavailable) onPut(put, { is: 'unknown' });
      throw error;
    }
  };

  return {
    /** The items of the one table, each with what stands in the other. Ends early where the signal says so. */
    async *pairs(selection: Selection, signal: AbortSignal): AsyncGenerator<Pair[]> {
      for await (const page of scanPages(client, from, signal, selection)) yield* withStanding(page, signal);
    },

    /**
     * Puts side by side, in no order. Ends early where the signal says so, or a call fails for good; what is on its way
     * is waited for then, so that what was told of is all that was done.
     */
    put: async (puts: readonly Put[], onPut: OnPut, signal: AbortSignal) => {
      await runConcurrentlyToEnd(signal, (ending) =>
        forEachConcurrently(PUTS_AT_A_TIME, puts.values(), (put) => putOne(put, onPut, ending)),
      );
    },
  };
};
