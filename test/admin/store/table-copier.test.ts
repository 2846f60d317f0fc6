import { type BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Item } from '../../../admin/store/scan-pages.ts';
import { type Pair, tableCopier } from '../../../admin/store/table-copier.ts';
import { createTable, startFaultyEngine, testClient } from '../../support/tables.ts';
import { putItems } from '../tables.ts';

const { signal } = new AbortController();
let engine: Awaited<ReturnType<typeof startFaultyEngine>>;
let client: DynamoDBClient;
let from: string;
let to: string;

beforeAll(async () => {
  engine = await startFaultyEngine();
});
afterAll(() => engine.stop());

beforeEach(() => {
  client = testClient(engine.endpoint);
  engine.decide(() => 'through');
});

/** The SDK's own retries would take seconds. */
const tryOnce = () => {
  const { credentials, region } = client.config;
  client = new DynamoDBClient({ endpoint: engine.endpoint, credentials, region, maxAttempts: 1 });
};

const twoTables = async () => {
  [from, to] = await Promise.all([createTable('MaterialCodes'), createTable('MaterialCodes')]);
};

const code = (text: string, more: Item = {}): Item => ({ MaterialCode: { S: text }, ...more });
const codes = (count: number) => Array.from({ length: count }, (_, index) => code(`C-${index}`));

const copier = () => tableCopier(client, { from, to, keys: ['MaterialCode'] });

const readPairs = async (ending = signal): Promise<Pair[]> =>
  (await Array.fromAsync(copier().pairs(undefined, ending))).flat();

/** Answers like DynamoDB with large items: some, and the other keys left over. */
const answerAtATime = (most: number) =>
  client.middlewareStack.add(
    (next) => async (args) => {
      const input: BatchGetItemCommandInput = Object(args.input);
      const { Keys = [] } = input.RequestItems?.[to] ?? {};
      if (Keys.length <= most) return next(args);
      const asked = { [to]: { ...input.RequestItems?.[to], Keys: Keys.slice(0, most) } };
      const { output, ...result } = await next({ ...args, input: { ...input, RequestItems: asked } });
      return { ...result, output: { ...output, UnprocessedKeys: { [to]: { Keys: Keys.slice(most) } } } };
    },
    { step: 'initialize' },
  );

describe('the items of a table', () => {
  beforeEach(twoTables);

  it('are requested again when an answer leaves keys over', async () => {
    await putItems(from, codes(40));
    await putItems(to, codes(40));
    answerAtATime(15);
    const pairs = await readPairs();
    for (const { item, existing } of pairs) expect(existing).toEqual(item);
    expect(engine.calls).toEqual(['Scan', 'BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  });

  it('are retried while calls are throttled for longer than the SDK tries', async () => {
    await putItems(from, codes(3));
    await putItems(to, codes(3));
    tryOnce();
    engine.decide((_, number) => ([1, 2, 4, 5].includes(number) ? 'throttled' : 'through'));
    const pairs = await readPairs();
    expect(pairs.map(({ existing }) => existing)).not.toContain(undefined);
    expect(pairs).toHaveLength(3);
    expect(engine.calls).toEqual(['Scan', 'Scan', 'Scan', 'BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  });

  it.each(['Scan', 'BatchGetItem'])(
    'end at once when %s is throttled and the signal aborts; none counts as missing',
    async (throttled) => {
      tryOnce();
      await putItems(from, codes(3));
      await putItems(to, codes(3));
      const ending = new AbortController();
      engine.decide((call) => {
        if (call !== throttled) return 'through';
        ending.abort();
        return 'throttled';
      });
      expect(await readPairs(ending.signal)).toEqual([]);
    },
  );
});
