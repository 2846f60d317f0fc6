import { describe, expect, test } from 'vitest';
import { orderCases, valueCases } from '../../support/body-cases.ts';
import { issuesOf, read } from './rows.ts';

const DIGITS = '12345678901234567890123456789012345678';
const attributes = {
  ...{ Weight: { N: '7.85' }, Big: { N: DIGITS }, None: { NULL: true }, Yes: { BOOL: true } },
  Deep: { M: { list: { L: [{ S: 'x' }, { N: '1000' }, { M: {} }] } } },
  constructor: { S: 'c' },
};
const TEXT = `{"Weight":7.850,"Big":${DIGITS},"MaterialCode":"\\u0041","None":null,"Yes":true,
  "Deep":{"list":["x",1e3,{}]},"constructor":"c"}`;

const nestedIn = (levels: number) =>
  `[{"MaterialCode":"A","Deep":${'['.repeat(levels)}${']'.repeat(levels)}}]`;

const OTHER_LIST = /: this is a file of the other list$/m;

describe('a JSON file is read', () => {
  test.each([
    ['an array', `[\n${TEXT}]`, 2],
    ["the API's own response", `{"MaterialCodes":\n\n[${TEXT}]}`, 3],
    ['a byte-order mark and blanks before it', `\uFEFF \r\n[${TEXT}]\n`, 2],
  ])('as %s, each number to its last digit', async (_what, content, line) => {
    expect(await read(content)).toEqual([{ identifier: 'A', attributes, cleared: [], line, entry: 1 }]);
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

describe('a JSON file is refused', () => {
  test('for all that is wrong with it, line by line', async () => {
    const content = `[
      {"MaterialCode": "A", "Weight": 1e400,
       "Weight": 123456789012345678901234567890123456789},
      {"MaterialCode": "A B"}, {"Name": "x"}, {"MaterialCode": 7},
      "C", [],
      {"MaterialCode": "D", "": 1, "__proto__": 2, "Broken": "\\ud800"},
      {"MaterialCode": "E"},
      {"MaterialCode": "E"},
      {"MaterialCode": "F",}
    ]`;
    expect(await issuesOf(content)).toEqual([
      'The file is refused because of 13 errors. Nothing was written.',
      expect.stringMatching(/^line 2: entry 1: "1e400" is a number out of range/),
      'line 3: entry 1: the name "Weight" is twice in one object',
      expect.stringMatching(/^line 3: entry 1: "1234.*" is a number of 39 digits/),
      expect.stringMatching(/^line 4: entry 2: "A B" is not a valid MaterialCode/),
      'line 4: entry 3: the row has no MaterialCode',
      'line 4: entry 4: MaterialCode must be a string',
      'line 5: entry 5: a row must be an object',
      'line 5: entry 6: a row must be an object',
      'line 6: entry 7: the name of an attribute is empty',
      expect.stringMatching(/^line 6: entry 7: an attribute cannot have the name __proto__/),
      'line 6: entry 7: the text contains half of a surrogate pair',
      'line 8: entry 9: the MaterialCode "E" is already in entry 8',
      expect.stringMatching(/^line 9: this is not JSON: a name in double quotes is expected at line 9/),
    ]);
  });

  test.each([
    ['a comment', '[\n// no\n{"MaterialCode":"A"}]', /^line 2: this is not JSON/m],
    ['an end that is missing', '[{"MaterialCode":"A"}', /this is not JSON: it ends where/],
    ['what follows its end', '[{"MaterialCode":"A"}] x', /this is not JSON: the end/],
    ['a row outside an array', '{"MaterialCode":"A"}', /the file must be an array of objects/],
    ['the other list', '{"PurchaseOrders":[{"PurchaseOrder":"OT1234567"}]}', OTHER_LIST],
    ['rows of the other list', '[{"PurchaseOrder":"OT1234567"}]', OTHER_LIST],
    ['a document of another kind', '{"Clients":[]}', /"Clients" is not known here; the file must be an arra/],
    ['nothing in its object', '{}', /the file must be an array of objects/],
    ['a list that is none', '{"MaterialCodes":{}}', /MaterialCodes must be an array/],
    ['40 levels', nestedIn(40), /nested deeper than 30/],
    ['a hundred thousand levels', '['.repeat(100_000), /nested deeper/],
    ['more than 64 MB', Buffer.from(`[${' '.repeat(64 * 1024 * 1024)}]`), /larger than 64 MB/],
  ])('for %s', async (_what, content, words) => {
    expect((await issuesOf(content)).join('\n')).toMatch(words);
  });
});
