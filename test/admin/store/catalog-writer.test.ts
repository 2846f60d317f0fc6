import { type BatchWriteItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CatalogChange, catalogWriter } from '../../../admin/store/catalog-writer.ts';
import { createTable, rowsOf, startFaultyEngine, testClient } from '../../support/tables.ts';

const { signal } = new AbortController();
let engine: Awaited<ReturnType<typeof startFaultyEngine>>;
let client: DynamoDBClient;
let table: string;

beforeAll(async () => {
  engine = await startFaultyEngine();
});
afterAll(() => engine.stop());

beforeEach(async () => {
  client = testClient(engine.endpoint);
  engine.decide(() => 'through');
  table = await createTable('MaterialCodes');
});

/** The SDK's own retries would take seconds. */
const tryOnce = () => {
  const { credentials, region } = client.config;
  client = new DynamoDBClient({ endpoint: engine.endpoint, credentials, region, maxAttempts: 1 });
};

const puts = (count: number): CatalogChange[] =>
  Array.from({ length: count }, (_, index) => ({ put: { MaterialCode: { S: `C${index}` } } }));

const write = async (changes: CatalogChange[], ending = signal) => {
  const counts = { written: 0, unknown: 0 };
  const onBatch = ({ written, unknown }: typeof counts) => {
    counts.written += written;
    counts.unknown += unknown;
  };
  const failure = await catalogWriter(client, 'MaterialCodes', table)
    .write(changes, onBatch, ending)
    .then(
      () => undefined,
      (error: Error) => error.name,
    );
  return { ...counts, failure };
};

/** Answers like a table under load: writes some of a call, and leaves the others over. */
const takeAtATime = (most: number) =>
  client.middlewareStack.add(
    (next) => async (args) => {
      const input: BatchWriteItemCommandInput = Object(args.input);
      const requests = input.RequestItems?.[table] ?? [];
      const written = { ...input, RequestItems: { [table]: requests.slice(0, most) } };
      const { output, ...result } = await next({ ...args, input: written });
      const left = requests.slice(most);
      return {
        ...result,
        output: left.length > 0 ? { ...output, UnprocessedItems: { [table]: left } } : output,
      };
    },
    { step: 'initialize' },
  );

describe('a list', () => {
  it('is written to the end after all calls were throttled for longer than the SDK tries', async () => {
    tryOnce();
    engine.decide((_, number) => (number <= 3 ? 'throttled' : 'through'));
    expect(await write(puts(25))).toEqual({ written: 25, unknown: 0, failure: undefined });
  });

  it('is written to the end when the table leaves over most of a call', async () => {
    takeAtATime(10);
    expect(await write(puts(60))).toEqual({ written: 60, unknown: 0, failure: undefined });
    expect(await rowsOf(table)).toHaveLength(60);
    expect(engine.calls).toHaveLength(3 + 3 + 1);
  });

  it('is neither written nor unknown without permission, and no further call is made', async () => {
    engine.decide(() => 'denied');
    const outcome = await write(puts(1_000));
    expect(outcome).toEqual({ written: 0, unknown: 0, failure: 'AccessDeniedException' });
    expect(engine.calls).toHaveLength(8);
  });

  it('that is always throttled ends at once when the signal aborts', async () => {
    tryOnce();
    const ending = new AbortController();
    engine.decide((_, number) => {
      if (number === 3) ending.abort();
      return 'throttled';
    });
    expect(await write(puts(25), ending.signal)).toEqual({ written: 0, unknown: 0, failure: undefined });
  });
});
