import { describe, expect, test } from 'vitest';
import { orderCases, valueCases } from '../../support/body-cases.ts';
import { issuesOf, nestedIn, read } from './rows.ts';

const DIGITS = '12345678901234567890123456789012345678';
const attributes = {
  ...{ Weight: { N: '7.85' }, Big: { N: DIGITS }, None: { NULL: true }, Yes: { BOOL: true } },
  Deep: { M: { list: { L: [{ S: 'x' }, { N: '1000' }, { M: {} }] } } },
  constructor: { S: 'c' },
};
const TEXT = `{"Weight":7.850,"Big":${DIGITS},"MaterialCode":"\\u0041","None":null,"Yes":true,
  "Deep":{"list":["x",1e3,{}]},"constructor":"c"}`;

describe('a JSON file is read', () => {
  test.each([
    ['an array', `[\n${TEXT}]`],
    ["the API's own response", `{"MaterialCodes":\n\n[${TEXT}]}`],
    ['a byte-order mark and blanks before it', `\uFEFF \r\n[${TEXT}]\n`],
  ])('as %s, each number to its last digit', async (_what, content) => {
    const row = { identifier: 'A', attributes, cleared: [], unit: 'entry', at: 1 };
    expect(await read(content)).toEqual([row]);
  });

  test('with nothing in it, and with 30 levels in an attribute', async () => {
    expect(await read('{"PurchaseOrders":[]}', 'PurchaseOrders')).toEqual([]);
    expect(await issuesOf(nestedIn(30))).toEqual([]);
  });
});

test.each([
  ['MaterialCodes', 'MaterialCode', valueCases.MaterialCode],
  ['PurchaseOrders', 'PurchaseOrder', orderCases],
] as const)(
  'a JSON file for %s has the keys that the interface accepts, and no other',
  async (list, key, cases) => {
    for (const { json = '', refusal } of cases) {
      // A file has messages of its own for other types, for no text and for half of a surrogate pair.
      if (!/^"(?!"|.ud)/.test(json)) continue;
      const file = `[{"${key}":${json}}]`;
      if (refusal)
        expect((await issuesOf(file, list)).join(), json).toContain(`not a valid ${key}: ${refusal}`);
      else expect(await read(file, list)).toMatchObject([{ identifier: JSON.parse(json) }]);
    }
  },
);

test('an object in the form of a set stays an object if DynamoDB would refuse the set', async () => {
  const values = [
    { SS: [] },
    { SS: ['a', 'a'] },
    { NS: ['1', '1.0'] },
    { NS: ['x'] },
    { B: '?' },
    { SS: ['a'], B: '' },
  ];
  for (const form of values) {
    const [row] = await read(JSON.stringify([{ MaterialCode: 'A', Tags: { DynamoDB: form } }]));
    expect(row?.attributes['Tags']).toHaveProperty('M.DynamoDB.M');
  }
});
