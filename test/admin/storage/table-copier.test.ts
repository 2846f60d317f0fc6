import { type BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { tableCopier } from '../../../admin/storage/table-copier.ts';
import { createTable, startFaultyEngine, testClient } from '../../support/tables.ts';
import { putItems } from '../tables.ts';

const { signal } = new AbortController();
const engine = await startFaultyEngine();
afterAll(() => engine.stop());

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ MaterialCode: { S: `C-${index}` } }));

let from: string;
let to: string;
beforeEach(async () => {
  // Without pauses: the random half of a pause takes away the fixed half.
  vi.spyOn(Math, 'random').mockReturnValue(-0.5);
  engine.decide(() => 'through');
  [from, to] = await Promise.all([createTable('MaterialCodes'), createTable('MaterialCodes')]);
});

/** The SDK's own retries would take seconds. */
const client = () => {
  const { credentials, region } = testClient().config;
  return new DynamoDBClient({ endpoint: engine.endpoint, credentials, region, maxAttempts: 1 });
};

const copierWith = (dynamodb = client()) => tableCopier(dynamodb, { from, to, keys: ['MaterialCode'] });

/** Responds like DynamoDB with large items: some, and the other keys left over. */
const respondingAtATime = (most: number) => {
  const dynamodb = client();
  dynamodb.middlewareStack.add(
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
  return dynamodb;
};

test('items are requested again when a response leaves keys over', async () => {
  await putItems(from, items(40));
  await putItems(to, items(40));
  const pairs = (await Array.fromAsync(copierWith(respondingAtATime(15)).pairs())).flat();
  for (const { item, existing } of pairs) expect(existing).toEqual(item);
  expect(engine.calls).toEqual(['Scan', 'BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
});

test('keys that each response leaves over are requested until the signal aborts', async () => {
  await putItems(from, items(2));
  const ending = new AbortController();
  const pause = vi.spyOn(Math, 'random').mockClear();
  const dynamodb = client();
  let calls = 0;
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const { RequestItems }: BatchGetItemCommandInput = Object(args.input);
      if (!RequestItems) return next(args);
      calls += 1;
      if (calls === 3) ending.abort();
      return { output: { $metadata: {}, UnprocessedKeys: RequestItems }, response: {} };
    },
    { step: 'initialize' },
  );
  expect(await Array.fromAsync(copierWith(dynamodb).pairs(undefined, ending.signal))).toEqual([]);
  expect(calls).toBe(3);
  // The length of a pause is random.
  expect(pause).toHaveBeenCalledTimes(3);
});

test('a throttled call is repeated until it is accepted', async () => {
  await putItems(from, items(1));
  engine.decide((_, number) => (number % 3 === 0 ? 'through' : 'throttle'));
  const copier = copierWith();
  const [[pair] = []] = await Array.fromAsync(copier.pairs());
  expect(pair).toEqual({ item: items(1)[0], existing: undefined });
  await copier.put([{ item: { ...items(1)[0] }, overwrites: false }], () => {}, signal);
  const calls = ['Scan', 'BatchGetItem', 'PutItem'].flatMap((call) => [call, call, call]);
  expect(engine.calls).toEqual(calls);
});

test.each(['Scan', 'BatchGetItem'])(
  'items end at once when %s is throttled and the signal aborts; none counts as missing',
  async (throttled) => {
    await putItems(from, items(3));
    const ending = new AbortController();
    engine.decide((call) => {
      if (call !== throttled) return 'through';
      ending.abort();
      return 'throttle';
    });
    expect(await Array.fromAsync(copierWith().pairs(undefined, ending.signal))).toEqual([]);
  },
);
