import { type BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Item } from '../../../admin/store/scan-pages.ts';
import { type Pair, type Put, type PutOutcome, tableCopier } from '../../../admin/store/table-copier.ts';
import { type Fate, startFaultyEngine } from '../../support/faulty-engine.ts';
import { createTable, rowsOf, testClient } from '../../support/tables.ts';
import { putItems } from '../table-items.ts';

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

/** What is throttled longer than the SDK tries is a matter of seconds, unless it tries once. */
const tryOnce = () => {
  const { credentials, region } = client.config;
  client = new DynamoDBClient({ endpoint: engine.endpoint, credentials, region, maxAttempts: 1 });
};

const twoTables = async (table: Parameters<typeof createTable>[0]) => {
  [from, to] = await Promise.all([createTable(table), createTable(table)]);
};

const fill = putItems;

const code = (text: string, more: Item = {}): Item => ({ MaterialCode: { S: text }, ...more });
const codes = (count: number) => Array.from({ length: count }, (_, index) => code(`C-${index}`));
const change = (client: string, index: number): Item => ({
  Client: { S: client },
  Timestamp: { S: `2026-03-01T08:15:30,${100 + index}Z` },
});

const restorerOf = (keys = ['MaterialCode']) => tableCopier(client, { from, to, keys });

const pairsOf = async (keys?: string[], ending = signal): Promise<Pair[]> =>
  (await Array.fromAsync(restorerOf(keys).pairs(undefined, ending))).flat();

const newPuts = (items: readonly Item[]) => items.map((item) => ({ item, overwrites: false }));

/** What is told of puts, and how they end. */
const put = async (puts: readonly Put[], ending = signal) => {
  const told = { written: 0, unknown: 0, existing: 0 };
  const items: Item[] = [];
  const onPut = (_: Put, outcome: PutOutcome) => {
    told[outcome.is] += 1;
    if (outcome.is === 'existing') items.push(outcome.existing);
  };
  const failure = await restorerOf()
    .put(puts, onPut, ending)
    .then(
      () => undefined,
      (error: Error) => error.name,
    );
  return { ...told, items, failure };
};

const ALL_WELL = { unknown: 0, existing: 0, items: [], failure: undefined };

/** As the platform answers where items are large: with the first so many, and the other keys left over. */
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
  beforeEach(() => twoTables('MaterialCodes'));

  it('are told from one another by all attributes of their key, however many there are', async () => {
    await twoTables('ChangeTimestamps');
    const changes = Array.from({ length: 230 }, (_, index) => change(`client ${index % 2}`, index));
    await fill(from, changes);
    await fill(to, [...changes.slice(0, 120), change('client 1', 200), change('client 0', 201)]);
    const pairs = await pairsOf(['Client', 'Timestamp']);
    expect(pairs).toHaveLength(230);
    const existing = pairs.filter((pair) => pair.existing);
    expect(existing).toHaveLength(120);
    for (const pair of existing) expect(pair.existing).toEqual(pair.item);
  });

  it('are read to the end where one answer does not hold them', async () => {
    const large = Array.from({ length: 6 }, (_, index) =>
      code(`large-${index}`, { Filler: { S: 'x'.repeat(390_000) } }),
    );
    for (const item of large) await Promise.all([fill(from, [item]), fill(to, [item])]);
    const pairs = await pairsOf();
    expect(pairs.map(({ item }) => item['MaterialCode']?.S).toSorted()).toEqual(
      large.map(({ MaterialCode }) => MaterialCode?.S),
    );
    for (const { item, existing } of pairs) expect(existing).toEqual(item);
    expect(engine.calls.filter((call) => call === 'Scan').length).toBeGreaterThan(2);
  });

  it('are read as they are at the moment, in both tables', async () => {
    await fill(from, codes(1));
    const inputs: unknown[] = [];
    client.middlewareStack.add(
      (next) => (args) => {
        inputs.push(args.input);
        return next(args);
      },
      { step: 'initialize' },
    );
    await pairsOf();
    expect(inputs).toEqual([
      expect.objectContaining({ TableName: from, ConsistentRead: true }),
      { RequestItems: { [to]: { Keys: codes(1), ConsistentRead: true } } },
    ]);
  });

  it('are asked for again where an answer leaves keys over', async () => {
    await fill(from, codes(40));
    await fill(to, codes(40));
    answerAtATime(15);
    const pairs = await pairsOf();
    for (const { item, existing } of pairs) expect(existing).toEqual(item);
    expect(engine.calls).toEqual(['Scan', 'BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  });

  it.each(['throttled', 'broken', 'cut'] as const)(
    'are all there where calls are %s now and then',
    async (fate) => {
      await fill(from, codes(250));
      await fill(to, codes(240));
      engine.decide((_, number) => (number % 3 === 1 ? fate : 'through'));
      const pairs = await pairsOf();
      expect(pairs).toHaveLength(250);
      expect(pairs.filter(({ existing }) => existing)).toHaveLength(240);
    },
  );

  it('are waited for where all calls are throttled for longer than the SDK tries', async () => {
    await fill(from, codes(3));
    await fill(to, codes(3));
    tryOnce();
    engine.decide((_, number) => ([1, 2, 4, 5].includes(number) ? 'throttled' : 'through'));
    const pairs = await pairsOf();
    expect(pairs.map(({ existing }) => existing)).not.toContain(undefined);
    expect(pairs).toHaveLength(3);
    expect(engine.calls).toEqual(['Scan', 'Scan', 'Scan', 'BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  });

  it('are an error where they may not be read', async () => {
    engine.decide(() => 'denied');
    await expect(pairsOf()).rejects.toThrow('not authorized');
  });

  it.each(['Scan', 'BatchGetItem'])(
    'end at once where %s is throttled and that is called off; none is told as absent',
    async (throttled) => {
      tryOnce();
      await fill(from, codes(3));
      await fill(to, codes(3));
      const ending = new AbortController();
      engine.decide((call) => {
        if (call !== throttled) return 'through';
        ending.abort();
        return 'throttled';
      });
      expect(await pairsOf(undefined, ending.signal)).toEqual([]);
    },
  );

  it('end with the page at hand where that is called off', async () => {
    await fill(from, codes(250));
    const ending = new AbortController();
    const seen: Pair[] = [];
    for await (const pairs of restorerOf().pairs(undefined, ending.signal)) {
      seen.push(...pairs);
      ending.abort();
    }
    expect(seen).toHaveLength(100);
    expect(engine.calls).toEqual(['Scan', 'BatchGetItem']);
  });
});

describe('items that are put', () => {
  beforeEach(() => twoTables('MaterialCodes'));

  it.each<Fate>(['throttled', 'broken', 'cut'])(
    'are all written where calls are %s now and then',
    async (fate) => {
      engine.decide((_, number) => ([2, 20].includes(number) ? fate : 'through'));
      expect(await put(newPuts(codes(60)))).toEqual({ ...ALL_WELL, written: 60 });
      expect(await rowsOf(to)).toHaveLength(60);
    },
  );

  it('are waited for where all calls are throttled for longer than the SDK tries', async () => {
    tryOnce();
    engine.decide((_, number) => (number <= 3 ? 'throttled' : 'through'));
    expect(await put(newPuts(codes(1)))).toEqual({ ...ALL_WELL, written: 1 });
    expect(engine.calls).toHaveLength(4);
  });

  it('are neither written nor unknown where that is not permitted, and few calls are made', async () => {
    engine.decide(() => 'denied');
    const told = await put(newPuts(codes(200)));
    expect(told).toEqual({ ...ALL_WELL, written: 0, failure: 'AccessDeniedException' });
    expect(engine.calls).toHaveLength(8);
  });

  it('are no more once a call has failed for good, and what was on its way is told of', async () => {
    engine.decide((_, number) => (number === 20 ? 'denied' : 'through'));
    const { written, failure } = await put(newPuts(codes(400)));
    expect(failure).toBe('AccessDeniedException');
    expect(engine.calls.length).toBeLessThan(40);
    expect(await rowsOf(to)).toHaveLength(written);
  });

  it('that are throttled without end are left at once where that is called off', async () => {
    tryOnce();
    const ending = new AbortController();
    engine.decide((_, number) => {
      if (number === 3) ending.abort();
      return 'throttled';
    });
    expect(await put(newPuts(codes(1)), ending.signal)).toEqual({ ...ALL_WELL, written: 0 });
    expect(engine.calls).toHaveLength(3);
  });
});
