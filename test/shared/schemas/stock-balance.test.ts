import { describe, expect, it } from 'vitest';
import { MAX_BATCH_ENTRIES } from '../../../shared/limits.ts';
import { StockBalanceBatch } from '../../../shared/schemas/stock-balance.ts';
import { validate } from '../../../shared/schemas/validate.ts';
import { batchOf } from '../../support/batches.ts';

const valid = { MaterialCode: 'A-1/2,b', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };

const batch = (...changes: object[]) => ({
  MaterialCodes: changes.map((change, index) => ({ ...valid, MaterialCode: `A-${index}`, ...change })),
});

const check = (body: unknown) => validate(StockBalanceBatch, body);
const oneError = (pointer: string, detail: string) => ({
  issues: { count: 1, listed: [{ pointer, detail }] },
});

describe('an entry', () => {
  const orders = ['OT0000002', 'OT0000001', 'OT0000002'];

  it.each<[keyof typeof valid, unknown[]]>([
    ['MaterialCode', ['aZ09/-,', 'Болт-М8ŻółćÄßİı螺栓', 'e\u0301', 'x', 'x'.repeat(256), '𐐀'.repeat(256)]],
    ['StockBalance', [0, -0, 1.125, -1.125, 9007199254740991, -9007199254740991, 1e-130, -1e-130]],
    ['StockBalanceUnit', ['kg', 'm³', 'шт.', ' ', '%', '𝔘'.repeat(32)]],
    ['PurchaseOrders', [orders, Array(100).fill('OT1234567')]],
  ])('is accepted and kept with each %s of %j', (field, values) => {
    for (const value of values) {
      const body = batch({ PurchaseOrders: orders, [field]: value });
      expect(check(body)).toEqual({ output: body });
    }
  });

  it('is read with an empty list for PurchaseOrders {}, and the sent body is unchanged', () => {
    const body = batch({});
    expect(check(body)).toEqual({ output: batch({ PurchaseOrders: [] }) });
    expect(body).toEqual(batch({ PurchaseOrders: {} }));
  });

  const CODE =
    'MaterialCode must have 1 to 256 characters: letters of any script, digits, "/", "-" and ",". Spaces and other characters are not allowed.';
  const TOO_LARGE =
    'StockBalance must be between -9,007,199,254,740,991 and 9,007,199,254,740,991. Larger amounts cannot be stored exactly.';
  const TOO_SMALL =
    'StockBalance is too close to zero: the smallest amount that can be stored is 1e-130. Send 0 if there is no stock.';
  const UNIT = 'StockBalanceUnit must have 1 to 32 characters of valid UTF-8, without control characters.';
  const ORDERS =
    'PurchaseOrders must be an array of 1 to 100 purchase orders, or the empty object {} if there are none';
  const NO_ORDERS = 'PurchaseOrders is an empty array. Send the empty object {} if there are none.';

  it.each<[string, string, unknown[]]>([
    ['MaterialCode', CODE, ['', 'x'.repeat(257), 'A 1', 'A1\n', 'A_1', '🔩', '\ud800']],
    ['MaterialCode', 'MaterialCode must be a string.', [12]],
    ['MaterialCode', 'The field MaterialCode is missing.', [undefined]],
    ['StockBalance', 'StockBalance must be a JSON number, without quotes.', ['1.5', null]],
    ['StockBalance', TOO_LARGE, [2 ** 53, -(2 ** 53), JSON.parse('1e400')]],
    ['StockBalance', TOO_SMALL, [1e-131, -5e-324]],
    ['StockBalanceUnit', UNIT, ['', 'x'.repeat(33), 'k\tg', 'k\u001fg', 'k\u0085g', 'k\udc00', 'm\ufffd']],
    ['StockBalanceUnit', 'StockBalanceUnit must be a string such as "kg".', [1]],
    ['PurchaseOrders', NO_ORDERS, [[]]],
    ['PurchaseOrders', `${ORDERS}. This array is longer.`, [Array(101).fill('OT1234567')]],
    ['PurchaseOrders', `${ORDERS}.`, [{ 1: 'OT1234567' }, null, 'OT1234567']],
  ])('is refused with a wrong %s: %s', (field, detail, values) => {
    for (const value of values) {
      const found = check(batch({ [field]: value }));
      expect(found, JSON.stringify(value)).toEqual(oneError(`#/MaterialCodes/0/${field}`, detail));
    }
  });

  it.each<[string, unknown[]]>([
    [
      'A purchase order must be OT and seven digits, such as OT1234567.',
      ['OT123456', 'OT12345678', 'ot1234567', 'XOT1234567', 'OT123456٧', 'OT1234567\n'],
    ],
    ['A purchase order must be a string: OT and seven digits.', [7, null]],
  ])('is refused with a wrong purchase order: %s', (detail, values) => {
    for (const value of values) {
      const found = check(batch({ PurchaseOrders: ['OT1234567', value] }));
      expect(found, JSON.stringify(value)).toEqual(oneError('#/MaterialCodes/0/PurchaseOrders/1', detail));
    }
  });
});

describe('a batch', () => {
  const FIELDS = 'MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders';
  const NO_ARRAY = 'MaterialCodes must be an array of entries, one per material.';
  const NO_OBJECT = 'The body must be a JSON object with exactly one field: MaterialCodes.';

  it.each<[string, unknown, string, string]>([
    ['no field', {}, '#/MaterialCodes', 'The field MaterialCodes is missing.'],
    ['no array', { MaterialCodes: {} }, '#/MaterialCodes', NO_ARRAY],
    ['no entry', batch(), '#/MaterialCodes', 'MaterialCodes is empty. Send at least one entry.'],
    ['another field', { ...batch({}), X: 1 }, '#/X', 'This field is unknown. Use only MaterialCodes.'],
    ['no object', [batch({})], '#', NO_OBJECT],
    [
      'another field in an entry',
      batch({ X: 1 }),
      '#/MaterialCodes/0/X',
      `This field is unknown. Use only ${FIELDS}.`,
    ],
    ...[null, [], 'A', 1].map((entry): [string, unknown, string, string] => [
      `the entry ${JSON.stringify(entry)}`,
      { MaterialCodes: [entry] },
      '#/MaterialCodes/0',
      `An entry must be a JSON object with ${FIELDS}.`,
    ]),
  ])('is refused with %s', (_, body, pointer, detail) => {
    expect(check(body)).toEqual(oneError(pointer, detail));
  });

  it('is refused for every repeated code, with the first entry that has it', () => {
    const detail = 'This MaterialCode is already in entry 0 (counted from 0). Send one entry per material.';
    const body = batch({ MaterialCode: 'Б' }, {}, { MaterialCode: 'Б' }, { MaterialCode: 'Б' });
    const listed = [2, 3].map((index) => ({ pointer: `#/MaterialCodes/${index}/MaterialCode`, detail }));
    expect(check(body)).toEqual({ issues: { count: 2, listed } });
  });

  it('is refused for a repeated code among entries without a code', () => {
    const codes = [7, 7, 'A', 'A'].map((MaterialCode) => ({ MaterialCode }));
    expect(check(batch(...codes)).issues?.listed.map(({ pointer }) => pointer)).toEqual(
      [0, 1, 3].map((index) => `#/MaterialCodes/${index}/MaterialCode`),
    );
  });

  it('is accepted with the most entries', () => {
    expect(check(batchOf(MAX_BATCH_ENTRIES)).issues).toBeUndefined();
  });

  it.each([
    ['valid', {}],
    ['invalid', { StockBalance: '1' }],
  ])('is refused for its 40,001 %s entries alone, with 413', (_, change) => {
    const entries = Array(40_001).fill({ ...valid, ...change });
    const message = 'A batch can have at most 40,000 entries. Send fewer entries in one request.';
    expect(() => check({ MaterialCodes: entries, ...change })).toThrow(
      expect.objectContaining({ status: 413, message, issues: undefined }),
    );
  });
});
