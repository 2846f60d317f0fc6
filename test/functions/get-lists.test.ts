import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import { beforeEach, describe, expect, it } from 'vitest';
import { createHandler } from '../../functions/list-handler.ts';
import { listReader } from '../../functions/storage/list-reader.ts';
import { call, collectLog } from '../support/handlers.ts';
import { createTable, putRawItem, testClient } from '../support/tables.ts';

const client = testClient();
const log = collectLog();
let table: string;
let handler: ReturnType<typeof createHandler>;

beforeEach(async () => {
  table = await createTable('MaterialCodes', client);
  handler = createHandler('MaterialCodes', listReader(client, 'MaterialCodes', table));
});

const put = (MaterialCode: string, more: Record<string, AttributeValue> = {}) =>
  client.send(new PutItemCommand({ TableName: table, Item: { MaterialCode: { S: MaterialCode }, ...more } }));

/** A list of a table with so many pages. Each page has as many rows of this length, and they are not sorted. */
const listOf = (pages: number, rows: number, length: number, letter = 'x') => {
  let read = 0;
  const handle = async () => {
    read += 1;
    const key = (row: number) => ({ MaterialCode: { S: `${read}-${100 + rows - row}` } });
    const Filler = { S: letter.repeat(length) };
    const Items = Array.from({ length: rows }, (_, row) => ({ ...key(row), Filler }));
    const body = JSON.stringify({ Items, ...(read < pages ? { LastEvaluatedKey: key(rows) } : {}) });
    return { response: new HttpResponse({ statusCode: 200, headers: {}, body: Buffer.from(body) }) };
  };
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const engine = new DynamoDBClient({ region: 'eu-central-1', credentials, requestHandler: { handle } });
  const list = createHandler('MaterialCodes', listReader(engine, 'MaterialCodes', table));
  return { list, pagesRead: () => read };
};

describe('a list', () => {
  it('of purchase orders has the field names of orders, and logs its length without a metric', async () => {
    const orders = await createTable('PurchaseOrders', client);
    const Item = { PurchaseOrder: { S: 'OT1234567' }, Supplier: { S: 'X' } };
    await client.send(new PutItemCommand({ TableName: orders, Item }));
    const list = listReader(client, 'PurchaseOrders', orders);
    const { text, requestId } = await call(createHandler('PurchaseOrders', list));
    expect(text).toBe('{"PurchaseOrders":[{"PurchaseOrder":"OT1234567","Supplier":"X"}]}');
    expect(log.entries()).toMatchObject([{ code: 'request-served', requestId, status: 200, rowCount: 1 }]);
    expect(log.text()).not.toMatch(/_aws|incomplete/);
  });

  it('is complete over several pages, and sorted by code', async () => {
    const codes = ['A,1', 'A-10', 'A/2', 'a', 'b', 'б'];
    for (const code of codes.toReversed()) await put(code, { Filler: { S: 'x'.repeat(390_000) } });
    const { json } = await call(handler);
    expect(json.MaterialCodes.map((row: { MaterialCode: string }) => row.MaterialCode)).toEqual(codes);
  });

  const tooLarge = { level: 'ERROR', code: 'response-too-large', status: 500 };

  it.each([
    ['complete just below the limit of 6 MB', 20, 200],
    ['a 500 without details above it', 21, 500],
  ])('is %s (%i rows of 300 KB)', async (_, rows, expected) => {
    const { status, json } = await call(listOf(1, rows, 300_000).list);
    expect(status).toBe(expected);
    if (status === 200) {
      const codes = json.MaterialCodes.map((row: { MaterialCode: string }) => row.MaterialCode);
      expect(codes).toHaveLength(rows);
      return expect(codes).toEqual(codes.toSorted());
    }
    expect(json.detail).not.toContain('table');
    expect(log.entries()).toMatchObject([{ ...tooLarge, error: { name: 'ResponseTooLarge' } }]);
    expect(log.text()).toContain('The table is too large for one list');
  });

  it.each([
    [200, 2_097_000],
    [500, 2_100_000],
  ])(
    'is measured in bytes, not in characters: a %i for %i Chinese letters of 3 bytes',
    async (status, count) => {
      expect((await call(listOf(1, 1, count, '鋼').list)).status).toBe(status);
    },
  );

  it('is not read further once the table exceeds 19 MB', async () => {
    const { list, pagesRead } = listOf(30, 1, 1);
    expect((await call(list)).status).toBe(500);
    expect(pagesRead()).toBe(19);
    expect(log.entries()).toMatchObject([tooLarge]);
    expect(log.text()).toContain('The table has over 19 MB');
  });
});

describe('an attribute that an admin stored', () => {
  const attributes: [string, AttributeValue, string][] = [
    ['text', { S: 'Болт "M8"\n' }, '"Болт \\"M8\\"\\n"'],
    ['a long number', { N: '-12345678901234567890123456789012345' }, '-12345678901234567890123456789012345'],
    ['a fraction', { N: '0.30000000000000004' }, '0.30000000000000004'],
    ['false', { BOOL: false }, 'false'],
    ['null', { NULL: true }, 'null'],
    ['binary', { B: new Uint8Array([0, 255, 16]) }, '"AP8Q"'],
    ['a set of text', { SS: ['a'] }, '["a"]'],
    ['a set of numbers', { NS: ['123456789012345678'] }, '[123456789012345678]'],
    ['a set of binary', { BS: [new Uint8Array([1])] }, '["AQ=="]'],
    ['a list', { L: [{ N: '1' }, { S: 'x' }, { L: [] }] }, '[1,"x",[]]'],
    ['a map', { M: { b: { M: {} }, a: { N: '1' } } }, '{"a":1,"b":{}}'],
    ['an empty text', { S: '' }, '""'],
    ['toJSON', { S: 'x' }, '"x"'],
  ];

  it('is listed as JSON, to the last digit', async () => {
    for (const [name, value] of attributes) await put(name, { [name]: value });
    const { status, text } = await call(handler);
    expect(status).toBe(200);
    const rows = attributes.map(([name, , json]) => `{"MaterialCode":"${name}","${name}":${json}}`);
    expect(text.slice('{"MaterialCodes":['.length, -']}'.length)).toBe(rows.toSorted().join());
  });

  it('is left out under the name __proto__, and the number of such rows is logged', async () => {
    await put('A', { Name: { S: 'n' } });
    const nested = '{"M":{"__proto__":{"S":"x"}}}';
    await putRawItem(client, table, `{"MaterialCode":{"S":"B"},"__proto__":{"S":"p"},"Nested":${nested}}`);
    const rows = '{"MaterialCode":"A","Name":"n"},{"MaterialCode":"B","Nested":{"__proto__":"x"}}';
    expect((await call(handler)).text).toBe(`{"MaterialCodes":[${rows}]}`);
    expect(log.entries()).toMatchObject([{ code: 'request-served', rowCount: 2, incompleteRowCount: 1 }]);
  });

  it('comes after the code, sorted by name', async () => {
    await put('A', { b: { S: '2' }, Z: { S: '1' }, '0': { S: '0' } });
    const [row] = (await call(handler)).json.MaterialCodes;
    // JavaScript objects always list a name of digits first.
    expect(Object.entries(row)).toEqual([
      ['0', '0'],
      ['MaterialCode', 'A'],
      ['Z', '1'],
      ['b', '2'],
    ]);
  });
});
