import { type AttributeValue, BatchWriteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createHandler as codesHandler } from '../../functions/get-material-codes.ts';
import { createHandler as ordersHandler } from '../../functions/get-purchase-orders.ts';
import { catalogReader } from '../../functions/store/catalog-reader.ts';
import { call, collectLog } from '../support/handlers.ts';
import { createTable, putRawItem, testClient } from '../support/tables.ts';

const client = testClient();
const log = collectLog();
let table: string;
let handler: ReturnType<typeof codesHandler>;

beforeEach(async () => {
  table = await createTable('MaterialCodes', client);
  handler = codesHandler({ catalog: catalogReader(client, 'MaterialCodes', table) });
});

const put = (MaterialCode: string, more: Record<string, AttributeValue> = {}) =>
  client.send(new PutItemCommand({ TableName: table, Item: { MaterialCode: { S: MaterialCode }, ...more } }));

const putMany = async (rows: Record<string, AttributeValue>[]) => {
  for (let from = 0; from < rows.length; from += 25) {
    const requests = rows.slice(from, from + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
};

describe('a list', () => {
  it('is [] for an empty table', async () => {
    const { status, text, headers } = await call(handler);
    expect(status).toBe(200);
    expect(text).toBe('{"MaterialCodes":[]}');
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  });

  it('is sorted by code', async () => {
    for (const code of ['б', 'b', 'A/2', 'a', 'A-10', 'A,1']) await put(code);
    const { json } = await call(handler);
    expect(json.MaterialCodes.map((row: { MaterialCode: string }) => row.MaterialCode)).toEqual(
      ['б', 'b', 'A/2', 'a', 'A-10', 'A,1'].toSorted(),
    );
  });

  it('of purchase orders has the field names of orders, and logs its length without a metric', async () => {
    const orders = await createTable('PurchaseOrders', client);
    await client.send(
      new PutItemCommand({
        TableName: orders,
        Item: { PurchaseOrder: { S: 'OT1234567' }, Supplier: { S: 'X' } },
      }),
    );
    const catalog = catalogReader(client, 'PurchaseOrders', orders);
    const { text, requestId } = await call(ordersHandler({ catalog }));
    expect(text).toBe('{"PurchaseOrders":[{"PurchaseOrder":"OT1234567","Supplier":"X"}]}');
    expect(log.entries()).toMatchObject([{ code: 'request-served', requestId, status: 200, entryCount: 1 }]);
    expect(log.text()).not.toContain('_aws');
  });

  it('is complete over many pages and all segments', async () => {
    await putLong(250, 20_000);
    const { json } = await call(handler);
    expect(json.MaterialCodes.map((row: { MaterialCode: string }) => row.MaterialCode)).toEqual(
      Array.from({ length: 250 }, (_, index) => `M-${index}`).toSorted(),
    );
  });

  it('ignores the headers and the body of the request', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '0', 'Accept-Encoding': '' };
    expect((await call(handler, { headers, body: '' })).status).toBe(200);
    expect((await call(handler, { headers: { 'Content-Type': 'text/plain' }, body: 'x' })).status).toBe(200);
  });

  const putLong = (count: number, length: number) =>
    putMany(
      Array.from({ length: count }, (_, index) => ({
        MaterialCode: { S: `M-${index}` },
        Filler: { S: 'x'.repeat(length) },
      })),
    );

  it('answers 500 without details if it is too large, and logs the reason', async () => {
    await putLong(25, 300_000);
    const { status, json } = await call(handler);
    expect(status).toBe(500);
    expect(json.detail).not.toContain('table');
    const error = { name: 'ResponseTooLarge' };
    expect(log.entries()).toMatchObject([{ level: 'ERROR', code: 'answer-too-large', status: 500, error }]);
    expect(log.text()).toContain('The table is too large for one list');
  });

  it('is not read further once the table exceeds 19 MB', async () => {
    await putLong(75, 390_000);
    expect((await call(handler)).status).toBe(500);
    expect(log.entries()).toMatchObject([{ level: 'ERROR', code: 'answer-too-large' }]);
    expect(log.text()).toContain('The table has over 19 MB');
  });

  it('is complete just below the size limit', async () => {
    await putLong(20, 300_000);
    const { status, json } = await call(handler);
    expect(status).toBe(200);
    expect(json.MaterialCodes).toHaveLength(20);
  });
});

describe('an attribute that an admin stored', () => {
  it.each<[string, AttributeValue, string]>([
    ['text', { S: 'Болт "M8"\n' }, '"Болт \\"M8\\"\\n"'],
    [
      'a number of 38 digits',
      { N: '-12345678901234567890123456789012345678' },
      '-12345678901234567890123456789012345678',
    ],
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
  ])('is listed as JSON, to the last digit: %s', async (_, value, json) => {
    await put('A', { Extra: value });
    const { status, text } = await call(handler);
    expect(status).toBe(200);
    expect(text).toBe(`{"MaterialCodes":[{"MaterialCode":"A","Extra":${json}}]}`);
  });

  it('is listed even if it is named toJSON', async () => {
    await put('A', { toJSON: { S: 'x' } });
    expect((await call(handler)).text).toBe('{"MaterialCodes":[{"MaterialCode":"A","toJSON":"x"}]}');
  });

  it('is left out under the name __proto__, and the number of such rows is logged', async () => {
    await put('A', { Name: { S: 'n' } });
    const nested = '{"M":{"__proto__":{"S":"x"}}}';
    await putRawItem(client, table, `{"MaterialCode":{"S":"B"},"__proto__":{"S":"p"},"Nested":${nested}}`);
    const rows = '{"MaterialCode":"A","Name":"n"},{"MaterialCode":"B","Nested":{"__proto__":"x"}}';
    expect((await call(handler)).text).toBe(`{"MaterialCodes":[${rows}]}`);
    expect(log.entries()).toMatchObject([{ code: 'request-served', entryCount: 2, incompleteRowCount: 1 }]);
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
