import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  type DynamoDBClient,
  type KeysAndAttributes,
  PutItemCommand,
  ResourceNotFoundException,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { AttributeValue } from '../attribute-json.ts';
import { orUnavailable, StoreUnavailable, wasThrottled } from './unavailable.ts';

/** As the table holds it; nothing is made of its values on the way. */
export type Item = Record<string, AttributeValue>;

/** An item of the one table, and what stands under its key in the other. */
export type Pair = { item: Item; standing: Item | undefined };

export type TableFacts = { id: string; keys: readonly string[]; keyInWords: string; status: string };

/** Which items of a table: all, or those whose `attribute` does or does not contain a text. */
export type Selection = { attribute: string; contains: boolean; text: string } | undefined;

export type Put = { item: Item; overwrites: boolean };
/** `unknown`: no answer told. `there`: an item has come under that key since it was looked for. */
export type PutOutcome = { is: 'written' } | { is: 'unknown' } | { is: 'there'; standing: Item };
type OnPut = (put: Put, outcome: PutOutcome) => void;

/** What one call may ask for. */
const KEYS_AT_A_TIME = 100;
/** Each may take 400 KB on its way, and 400 of the 1,000 write units that a partition has for a second. */
const PUTS_AT_A_TIME = 25;
const LONGEST_PAUSE_MS = 5_000;

/** What a table is, or undefined where there is none of that name. */
export const tableFacts = async (client: DynamoDBClient, name: string): Promise<TableFacts | undefined> => {
  try {
    const { Table } = await orUnavailable(client.send(new DescribeTableCommand({ TableName: name })));
    const types = new Map(
      Table?.AttributeDefinitions?.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]),
    );
    const schema = Table?.KeySchema ?? [];
    return {
      // A table is also found by its ARN, so the name that was given does not tell which it is.
      id: Table?.TableArn ?? Table?.TableName ?? name,
      keys: schema.map(({ AttributeName = '' }) => AttributeName),
      keyInWords: schema
        .map(({ AttributeName, KeyType }) => `${AttributeName} (${KeyType}, ${types.get(AttributeName)})`)
        .join(', '),
      status: Table?.TableStatus ?? 'unknown',
    };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

/** All items of a table, or those that are selected, page by page. Ends early where the signal says so. */
export async function* pagesOf(
  client: DynamoDBClient,
  table: string,
  signal: AbortSignal,
  selection?: Selection,
): AsyncGenerator<Item[]> {
  let start: Item | undefined;
  do {
    const scan = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ExclusiveStartKey: start,
      ...filter(selection),
    });
    const page = await patiently(() => client.send(scan), signal);
    yield page?.Items ?? [];
    start = page?.LastEvaluatedKey;
  } while (start && !signal.aborted);
}

type Tables = { from: string; to: string; keys: readonly string[] };

/** Compares a table with another one of the same key, and writes items of the one into the other. */
export const restorer = (client: DynamoDBClient, { from, to, keys }: Tables) => {
  const keyOf = (item: Item): Item => Object.fromEntries(keys.map((name) => [name, item[name] ?? { S: '' }]));
  const keyText = (item: Item) => JSON.stringify(keys.map((name) => item[name]?.S));

  /** What stands under the keys of these; of large items an answer holds some, and leaves the other keys over. */
  const standingFor = async (items: readonly Item[], signal: AbortSignal) => {
    const standing = new Map<string, Item>();
    let left: Record<string, KeysAndAttributes> = { [to]: { Keys: items.map(keyOf), ConsistentRead: true } };
    while (Object.keys(left).length > 0 && !signal.aborted) {
      const get = new BatchGetItemCommand({ RequestItems: left });
      const answer = await patiently(() => client.send(get), signal);
      const found = Object.values(answer?.Responses ?? {}).flat();
      for (const item of found) standing.set(keyText(item), item);
      left = answer?.UnprocessedKeys ?? {};
      if (found.length === 0 && Object.keys(left).length > 0) await rest(LONGEST_PAUSE_MS / 10, signal);
    }
    return standing;
  };

  const attempt = async (put: Put, signal: AbortSignal): Promise<PutOutcome | undefined> => {
    const command = new PutItemCommand({ TableName: to, Item: put.item, ...condition(put) });
    try {
      return (await patiently(() => client.send(command), signal)) && { is: 'written' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { is: 'there', standing: error.Item ?? {} };
    }
  };

  const condition = ({ overwrites }: Put) =>
    overwrites
      ? {}
      : ({
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': keys[0] ?? '' },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        } as const);

  const putOne = async (put: Put, onPut: OnPut, signal: AbortSignal) => {
    try {
      const outcome = await attempt(put, signal);
      if (outcome) onPut(put, outcome);
    } catch (error) {
      if (error instanceof StoreUnavailable) onPut(put, { is: 'unknown' });
      throw error;
    }
  };

  return {
    /** Item by item of the one table; likewise. */
    async *pairs(selection: Selection, signal: AbortSignal): AsyncGenerator<Pair[]> {
      for await (const page of pagesOf(client, from, signal, selection)) {
        for (let start = 0; start < page.length; start += KEYS_AT_A_TIME) {
          const items = page.slice(start, start + KEYS_AT_A_TIME);
          const standing = await standingFor(items, signal);
          if (signal.aborted) return;
          yield items.map((item) => ({ item, standing: standing.get(keyText(item)) }));
        }
      }
    },

    /**
     * Puts side by side, in no order. Ends early where the signal says so, or a call fails for good; what is on its way
     * is waited for then, so that what was told of is all that was done.
     */
    put: async (puts: readonly Put[], onPut: OnPut, signal: AbortSignal) => {
      const queue = puts.values();
      const failed = new AbortController();
      const ending = AbortSignal.any([signal, failed.signal]);
      const worker = async () => {
        for (const put of queue) {
          await putOne(put, onPut, ending);
          if (ending.aborted) return;
        }
      };
      const workers = Array.from({ length: Math.min(PUTS_AT_A_TIME, puts.length) }, () =>
        worker().catch((error) => {
          failed.abort();
          throw error;
        }),
      );
      const outcomes = await Promise.allSettled(workers);
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure) throw failure.reason;
    },
  };
};

const filter = (selection: Selection) =>
  selection
    ? {
        FilterExpression: `${selection.contains ? '' : 'NOT '}contains(#attribute, :text)`,
        ExpressionAttributeNames: { '#attribute': selection.attribute },
        ExpressionAttributeValues: { ':text': { S: selection.text } },
      }
    : {};

/** A throttled call is made again until it is taken; undefined where that was called off. */
const patiently = async <T>(call: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
  for (let pause = 50; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await orUnavailable(call());
    } catch (error) {
      if (!wasThrottled(error)) throw error;
    }
    await rest(pause, signal);
  }
  return undefined;
};

const rest = (pause: number, signal: AbortSignal) =>
  sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
