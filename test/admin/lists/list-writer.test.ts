import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listWriter, type OnWrite } from '../../../admin/lists/storage/list-writer.ts';
import { omit } from '../../../admin/lists/values/compare-values.ts';
import type { Item } from '../../../shared/storage/attribute-json.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import { createTable, itemsOf, startFaultyEngine, testClient } from '../../support/tables.ts';
import { codeOf, ODD, putItems } from '../tables.ts';

const engine = await startFaultyEngine();
afterAll(() => engine.stop());

let table: string;

beforeEach(async () => {
  engine.decide(() => 'through');
  table = await createTable('MaterialCodes');
});

const attributes = (count: number): Item =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, { N: '1' }]));

describe('a row', () => {
  let stored: Item;

  beforeEach(async () => {
    await putItems(table, [codeOf('A', ODD)]);
    [stored = {}] = await itemsOf(table);
  });

  const change = async (
    before: Item,
    after: Item,
    client = testClient(engine.endpoint),
    others: Item[] = [],
    outcomes: string[] = [],
  ) => {
    const onWrite: OnWrite = (_, outcome) => outcomes.push(outcome);
    const { write } = listWriter(client, 'MaterialCodes', table);
    const additions = others.map((other) => ({ identifier: 'B', before: {}, after: other }));
    await write([{ identifier: 'A', before, after }, ...additions], onWrite, new AbortController().signal);
    return outcomes;
  };
  const named = (text: string) => ({ ...stored, Name: { S: text } });

  it('is not renamed to a code that somebody else has added, even with the same values', async () => {
    const renamed = { ...stored, MaterialCode: { S: 'B' } };
    await putItems(table, [renamed]);
    expect(await change(stored, renamed)).toEqual(['conflict']);
    expect(await itemsOf(table)).toHaveLength(2);
  });

  it('that has more attributes than one expression can have is removed', async () => {
    const wide = { ...stored, ...attributes(250) };
    await putItems(table, [wide]);
    expect(await change(wide, {})).toEqual(['written']);
    expect(await itemsOf(table)).toEqual([]);
  });

  /** The SDK's own retries would take seconds. */
  const withoutRetries = () => {
    const { credentials, region } = testClient().config;
    return new DynamoDBClient({ endpoint: engine.endpoint, credentials, region, maxAttempts: 1 });
  };

  it('is changed once calls are no longer throttled', async () => {
    const client = withoutRetries();
    // Without pauses: the random half of a pause takes away the fixed half.
    const random = vi.spyOn(Math, 'random').mockReturnValue(-0.5);
    engine.decide((_, number) => (number < 3 ? 'throttle' : 'through'));
    expect(await change(stored, named('new'), client)).toEqual(['written']);
    random.mockRestore();
  });

  it('keeps what somebody else has written into another attribute', async () => {
    await putItems(table, [{ ...stored, Other: { S: 'o' } }]);
    expect(await change(stored, named('new'))).toEqual(['written']);
    expect(await itemsOf(table)).toEqual([{ ...named('new'), Other: { S: 'o' } }]);
  });

  const nameless = () => omit(stored, ['Name']);
  const plans: [string, () => Item, () => Item][] = [
    ['a change', () => stored, () => named('mine')],
    ['a new attribute', nameless, () => named('mine')],
    ['a removal', () => stored, () => ({})],
    ['an addition', () => ({}), () => codeOf('A', { Name: { S: 'mine' } })],
    ['a change of 150 attributes', () => stored, () => ({ ...stored, ...attributes(150) })],
    ['a new code', () => stored, () => ({ ...named('mine'), MaterialCode: { S: 'A-2' } })],
  ];

  it.each(plans)('that somebody else has changed before %s is a conflict, and stays', async (_, from, to) => {
    await putItems(table, [named('other')]);
    expect(await change(from(), to())).toEqual(['conflict']);
    expect(await itemsOf(table)).toEqual([named('other')]);
  });

  it('that somebody else has removed before a change is a conflict, and stays away', async () => {
    const [before, after] = [stored, named('mine')];
    await change(stored, {});
    expect(await change(before, after)).toEqual(['conflict']);
    expect(await change(before, {})).toEqual(['written']);
    expect(await itemsOf(table)).toEqual([]);
  });

  it('that got an attribute from somebody else is not removed', async () => {
    const theirs = { ...stored, New: { S: 'theirs' } };
    await putItems(table, [theirs]);
    engine.decide((call, _, { body }) =>
      call !== 'GetItem' || JSON.parse(String(body)).ConsistentRead ? 'through' : 'deny',
    );
    expect(await change(stored, {}, undefined, [codeOf('B')])).toEqual(['conflict', 'written']);
    expect(await itemsOf(table)).toEqual(expect.arrayContaining([theirs, codeOf('B')]));
  });

  it.each<[string, Fault, string[]]>([
    ['lost', 'loseResponse', ['unknown']],
    ['an error of the service', 'error', ['unknown']],
    ['a refusal', 'deny', []],
  ])(
    'that is written alone is unknown, or not written, if the response is %s',
    async (_, fault, expected) => {
      for (const [, from, to] of plans) {
        await putItems(
          table,
          [from()].filter((item) => Object.hasOwn(item, 'MaterialCode')),
        );
        if (Object.keys(from()).length === 0) await change(stored, {});
        engine.decide((call) => (call === 'GetItem' ? 'through' : fault));
        const outcomes: string[] = [];
        await expect(change(from(), to(), withoutRetries(), [], outcomes)).rejects.toThrow();
        expect(outcomes).toEqual(expected);
        engine.decide(() => 'through');
      }
    },
  );

  it.each(plans)('is written after the response to %s was lost', async (_, from, to) => {
    if (Object.keys(from()).length === 0) await change(stored, {});
    else await putItems(table, [from()]);
    engine.decide((call) => (['GetItem', engine.calls.at(-2)].includes(call) ? 'through' : 'loseResponse'));
    expect(await change(from(), to())).toEqual(['written']);
    expect(engine.calls.at(-1)).toBe(engine.calls.at(-2));
  });
});

/** Writes these changes, and counts each outcome and each call that writes. */
const writeAll = async (pairs: [Item, Item][]) => {
  const outcomes: string[] = [];
  const changes = pairs.map(([before, after]) => ({
    identifier: `${before['MaterialCode']?.S}`,
    before,
    after,
  }));
  const earlier = engine.calls.length;
  const { write } = listWriter(testClient(engine.endpoint), 'MaterialCodes', table);
  await write(changes, (_, outcome) => outcomes.push(outcome), new AbortController().signal);
  const calls = engine.calls.slice(earlier).filter((call) => call !== 'GetItem');
  const count = (all: string[]) =>
    Object.entries(Object.groupBy(all, String)).map(([of, a]) => [of, a?.length]);
  return Object.fromEntries([...count(outcomes), ...count(calls)]);
};

it('many rows are removed in transactions of ten, but for those that somebody else has changed', async () => {
  const rows = Array.from({ length: 40 }, (_, index) => codeOf(`R-${index}`));
  const theirs = [...rows.slice(0, 10), codeOf('R-15')].map((row) => ({ ...row, New: { S: 'theirs' } }));
  for (const group of [rows.slice(0, 20), rows.slice(20), theirs]) await putItems(table, group);
  const counts = await writeAll(rows.map((row) => [row, {}]));
  expect(counts).toEqual({ conflict: 11, written: 29, TransactWriteItems: 3 });
  expect(await itemsOf(table)).toEqual(expect.arrayContaining(theirs));
});

it('rows that get new codes or many attributes are written one by one', async () => {
  const [A, B] = [codeOf('A'), codeOf('B')];
  await putItems(table, [A, B]);
  const wide = [A, B].map((row): [Item, Item] => [row, { ...row, ...attributes(150) }]);
  expect(await writeAll(wide)).toEqual({ written: 2, PutItem: 2 });
  const moved = wide.map(([, row]): [Item, Item] => [
    row,
    { ...row, MaterialCode: { S: `${row['MaterialCode']?.S}-2` } },
  ]);
  expect(await writeAll(moved)).toEqual({ written: 2, TransactWriteItems: 2 });
  expect(await itemsOf(table)).toEqual(expect.arrayContaining(moved.map(([, row]) => row)));
});
