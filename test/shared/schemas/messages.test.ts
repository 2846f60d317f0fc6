import { describe, expect, it } from 'vitest';
import { Change } from '../../../shared/schemas/change.ts';
import { explainFaults } from '../../../shared/schemas/schema-faults.ts';
import { batchTooLong, StockBalanceBatch } from '../../../shared/schemas/stock-balance.ts';

/** The person who reads these has to mend a program that nobody here has seen. */

const entry = { MaterialCode: 'A-1', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const batchWith = (change: object) => ({ MaterialCodes: [{ ...entry, ...change }] });
const wordsFor = (schema: Parameters<typeof explainFaults>[0], body: unknown) =>
  explainFaults(schema, body).listed.map(({ detail }) => detail);

describe('a refusal says what to send instead of', () => {
  it.each([
    [[], ['The body has to be a JSON object with the one field Timestamp.']],
    [{ Timestamp: 1 }, ['Timestamp has to be a string of the form YYYY-MM-DDThh:mm:ss,mmmZ.']],
    [
      { Timestamp: '2026-11-21' },
      [
        'Timestamp has to have the form YYYY-MM-DDThh:mm:ss,mmmZ: UTC, with a comma and three digits before the Z.',
      ],
    ],
    [
      { Timestamp: '2026-02-28T00:00:00,000Z and on' },
      [
        'Timestamp has to have the form YYYY-MM-DDThh:mm:ss,mmmZ: UTC, with a comma and three digits before the Z.',
      ],
    ],
    [
      { Timestamp: 'at 2026-02-28T00:00:00,000Z' },
      [
        'Timestamp has to have the form YYYY-MM-DDThh:mm:ss,mmmZ: UTC, with a comma and three digits before the Z.',
      ],
    ],
    [
      { Timestamp: '2026-02-30T00:00:00,000Z' },
      [
        'Timestamp has the right form and names no real instant; check the day of the month, the hour (00 to 23), the minute and the second (00 to 59).',
      ],
    ],
    [
      { Timestamp: '2026-02-28T00:00:00,000Z', Other: 1 },
      ['This field is not known; what is taken is Timestamp.'],
    ],
  ])('the change %j', (body, words) => {
    expect(wordsFor(Change, body)).toEqual(words);
  });

  const orders =
    'PurchaseOrders has to be an array of 1 to 100 purchase orders, or the empty object {} for none';

  it.each([
    [7, ['The body has to be a JSON object with the one field MaterialCodes.']],
    [{ MaterialCodes: {} }, ['MaterialCodes has to be an array of entries, one per material.']],
    [{ MaterialCodes: [] }, ['MaterialCodes is empty; send at least one entry.']],
    [
      { MaterialCodes: [7] },
      [
        'An entry has to be a JSON object with MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders.',
      ],
    ],
    [
      batchWith({ Extra: 1 }),
      [
        'This field is not known; what is taken is MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders.',
      ],
    ],
    [batchWith({ MaterialCode: 7 }), ['MaterialCode has to be a string.']],
    [
      batchWith({ MaterialCode: '' }),
      [
        'MaterialCode takes 1 to 256 characters: letters of any script, digits, "/", "-" and ",". Spaces and other signs are not taken.',
      ],
    ],
    [batchWith({ StockBalance: '7' }), ['StockBalance has to be a JSON number, without quotes.']],
    [
      batchWith({ StockBalance: 1e16 }),
      [
        'StockBalance has to lie between -9,007,199,254,740,991 and 9,007,199,254,740,991; it could not be kept exactly beyond.',
      ],
    ],
    [
      batchWith({ StockBalance: 1e-200 }),
      ['StockBalance is nearer to zero than the 1e-130 that can be kept; send 0 where none is meant.'],
    ],
    [batchWith({ StockBalanceUnit: 7 }), ['StockBalanceUnit has to be a string such as "kg".']],
    [
      batchWith({ StockBalanceUnit: '' }),
      ['StockBalanceUnit takes 1 to 32 characters of well-formed UTF-8, without control characters.'],
    ],
    [batchWith({ PurchaseOrders: 7 }), [`${orders}.`]],
    [batchWith({ PurchaseOrders: { OT0000001: 1 } }), [`${orders}.`]],
    [batchWith({ PurchaseOrders: Array(101).fill('OT0000001') }), [`${orders}; this array is longer.`]],
    [
      batchWith({ PurchaseOrders: [] }),
      ['PurchaseOrders is an empty array; send the empty object {} for none.'],
    ],
    [
      batchWith({ PurchaseOrders: [7, 'OT1'] }),
      [
        'A purchase order has to be a string: OT and seven digits.',
        'A purchase order has to be OT and seven digits, such as OT1234567.',
      ],
    ],
  ])('the batch %j', (body, words) => {
    expect(wordsFor(StockBalanceBatch, body)).toEqual(words);
  });
});

describe('a batch', () => {
  const of = (count: number) => ({ MaterialCodes: Array(count).fill(entry) });

  it('of 40,000 is not too long', () => {
    expect(batchTooLong(of(40_000))).toBeUndefined();
  });

  it('of 40,001 is, and is told how many are taken', () => {
    expect(batchTooLong(of(40_001))).toBe('A batch takes at most 40,000 entries; send fewer in one request.');
  });

  it.each([undefined, null, [], 'x', {}, { MaterialCodes: 'x'.repeat(50_000) }])(
    'that is none is not too long, whatever else it is',
    (body) => {
      expect(batchTooLong(body)).toBeUndefined();
    },
  );
});
