import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { omit } from '../../../admin/lists/plan-import.ts';
import {
  type CatalogChange,
  type CatalogItem,
  catalogWriter,
  type OnWrite,
} from '../../../admin/store/catalog-writer.ts';
import type { AttributeValue } from '../../../shared/storage/attribute-json.ts';
import { createTable, rowsOf, startFaultyEngine, testClient } from '../../support/tables.ts';
import { ODD, putItems } from '../tables.ts';

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

const code = (identifier: string, attributes: CatalogItem = {}): CatalogItem => ({
  MaterialCode: { S: identifier },
  ...attributes,
});
const additions = (count: number): CatalogChange[] =>
  Array.from({ length: count }, (_, index) => {
    const identifier = `C${index}`;
    return { identifier, before: {}, after: code(identifier, { Name: { S: 'mine' } }) };
  });

const write = async (changes: CatalogChange[], ending = signal) => {
  const counts = { written: 0, unknown: 0, conflict: 0 };
  const onWrite: OnWrite = (_, outcome) => {
    counts[outcome] += 1;
  };
  const failure = await catalogWriter(client, 'MaterialCodes', table)
    .write(changes, onWrite, ending)
    .then(
      () => undefined,
      (error: Error) => error.name,
    );
  return { ...counts, failure };
};

const NOTHING = { written: 0, unknown: 0, conflict: 0, failure: undefined };

describe('a list', () => {
  it('is written to the end after all calls were throttled for longer than the SDK tries', async () => {
    tryOnce();
    engine.decide((_, number) => (number <= 3 ? 'throttled' : 'through'));
    expect(await write(additions(25))).toEqual({ ...NOTHING, written: 25 });
    expect(await rowsOf(table)).toHaveLength(25);
  });

  it('is written except for the row that somebody else has added meanwhile', async () => {
    await putItems(table, [code('C3', { Name: { S: 'other' } })]);
    expect(await write(additions(25))).toEqual({ ...NOTHING, written: 24, conflict: 1 });
    expect(await rowsOf(table)).toContainEqual(code('C3', { Name: { S: 'other' } }));
  });

  it('that is always throttled ends at once when the signal aborts', async () => {
    tryOnce();
    const ending = new AbortController();
    engine.decide((_, number) => {
      if (number === 3) ending.abort();
      return 'throttled';
    });
    expect(await write(additions(25), ending.signal)).toEqual(NOTHING);
  });
});

describe('a row', () => {
  let stored: CatalogItem;

  beforeEach(async () => {
    await putItems(table, [code('A', ODD)]);
    [stored = {}] = await rowsOf(table);
  });

  const change = (before: CatalogItem, after: CatalogItem) => write([{ identifier: 'A', before, after }]);
  const named = (text: string) => ({ ...stored, Name: { S: text } });
  const many = Array.from({ length: 250 }, (_, index): [string, AttributeValue] => [`n${index}`, { N: '1' }]);

  it.each<[string, () => CatalogItem]>([
    ['is changed in one attribute', () => named('new')],
    ['loses one attribute and gets another', () => ({ ...omit(stored, ['Name']), New: { N: '1' } })],
    ['gets more attributes than one expression can have', () => ({ ...stored, ...Object.fromEntries(many) })],
  ])('%s', async (_, to) => {
    expect(await change(stored, to())).toEqual({ ...NOTHING, written: 1 });
    expect(await rowsOf(table)).toEqual([to()]);
  });

  it('is removed with attributes of every kind', async () => {
    expect(await change(stored, {})).toEqual({ ...NOTHING, written: 1 });
    expect(await rowsOf(table)).toEqual([]);
  });

  it('keeps what somebody else has written into another attribute', async () => {
    await putItems(table, [{ ...stored, Other: { S: 'o' } }]);
    expect(await change(stored, named('new'))).toEqual({ ...NOTHING, written: 1 });
    expect(await rowsOf(table)).toEqual([{ ...named('new'), Other: { S: 'o' } }]);
  });

  const nameless = () => omit(stored, ['Name']);
  const plans: [string, () => CatalogItem, () => CatalogItem][] = [
    ['a change', () => stored, () => named('mine')],
    ['a new attribute', nameless, () => named('mine')],
    ['a removal', () => stored, () => ({})],
    ['an addition', () => ({}), () => code('A', { Name: { S: 'mine' } })],
  ];

  it.each(plans)('that somebody else has changed before %s is a conflict, and stays', async (_, from, to) => {
    await putItems(table, [named('other')]);
    expect(await change(from(), to())).toEqual({ ...NOTHING, conflict: 1 });
    expect(await rowsOf(table)).toEqual([named('other')]);
  });

  it('that somebody else has removed before a change is a conflict, and stays away', async () => {
    const [before, after] = [stored, named('mine')];
    await change(stored, {});
    expect(await change(before, after)).toEqual({ ...NOTHING, conflict: 1 });
    expect(await rowsOf(table)).toEqual([]);
  });

  it.each(plans)('is written after the answer to %s was lost', async (_, from, to) => {
    if (Object.keys(from()).length === 0) await change(stored, {});
    else await putItems(table, [from()]);
    engine.decide((_, number) => (number === 1 ? 'lost' : 'through'));
    expect(await change(from(), to())).toEqual({ ...NOTHING, written: 1 });
    expect(engine.calls).toHaveLength(2);
  });
});
