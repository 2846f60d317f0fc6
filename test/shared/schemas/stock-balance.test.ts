import { describe, expect, it } from 'vitest';
import { MAX_BATCH_ENTRIES } from '../../../shared/schemas/limits.ts';
import { StockBalanceBatch } from '../../../shared/schemas/stock-balance.ts';
import { validate } from '../../../shared/schemas/validate.ts';
import { batchOf } from '../../support/batches.ts';

const valid = { MaterialCode: 'A-1/2,b', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };

const batch = (...changes: object[]) => ({
  MaterialCodes: changes.map((change, index) => ({ ...valid, MaterialCode: `A-${index}`, ...change })),
});

const check = (body: unknown) => validate(StockBalanceBatch, body);
const oneFault = (pointer: string, detail: string) => ({
  faults: { count: 1, listed: [{ pointer, detail }] },
});

describe('StockBalanceEntry', () => {
  const orders = ['OT0000002', 'OT0000001', 'OT0000002'];

  it.each<[keyof typeof valid, unknown[]]>([
    ['MaterialCode', ['aZ09/-,', 'Болт-М8ŻółćÄßİı螺栓', 'e\u0301', 'x', 'x'.repeat(256), '𐐀'.repeat(256)]],
    ['StockBalance', [0, -0, 1.125, -1.125, 9007199254740991, -9007199254740991, 1e-130, -1e-130]],
    ['StockBalanceUnit', ['kg', 'm³', 'шт.', ' ', '%', '𝔘'.repeat(32)]],
    ['PurchaseOrders', [orders, Array(100).fill('OT1234567')]],
  ])('accepts and keeps each %s of %j', (field, values) => {
    for (const value of values) {
      const body = batch({ PurchaseOrders: orders, [field]: value });
      expect(check(body)).toEqual({ output: body });
    }
  });

  it('reads PurchaseOrders {} as an empty list and leaves the sent body unchanged', () => {
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
  const NO_NUMBER = 'StockBalance must be a JSON number, without quotes.';
  const UNIT = 'StockBalanceUnit must have 1 to 32 characters of valid UTF-8, without control characters.';
  const ORDERS =
    'PurchaseOrders must be an array of 1 to 100 purchase orders, or the empty object {} if there are none';

  it.each([
    ['an empty code', 'MaterialCode', '', CODE],
    ['257 characters in its code', 'MaterialCode', 'x'.repeat(257), CODE],
    ['a blank in its code', 'MaterialCode', 'A 1', CODE],
    ['a newline after its code', 'MaterialCode', 'A1\n', CODE],
    ['an underscore in its code', 'MaterialCode', 'A_1', CODE],
    ['an emoji in its code', 'MaterialCode', '🔩', CODE],
    ['half a character in its code', 'MaterialCode', '\ud800', CODE],
    ['a zero-width blank in its code', 'MaterialCode', 'A\u200b', CODE],
    ['a number for a code', 'MaterialCode', 12, 'MaterialCode must be a string.'],
    ['a string for a balance', 'StockBalance', '1.5', NO_NUMBER],
    ['null for a balance', 'StockBalance', null, NO_NUMBER],
    ['a balance past 2^53 - 1', 'StockBalance', 9007199254740992, TOO_LARGE],
    ['a balance past -(2^53 - 1)', 'StockBalance', -9007199254740992, TOO_LARGE],
    ['an infinite balance', 'StockBalance', JSON.parse('1e400'), TOO_LARGE],
    ['a balance too near to zero', 'StockBalance', 1e-131, TOO_SMALL],
    ['a negative balance too near to zero', 'StockBalance', -5e-324, TOO_SMALL],
    ['an empty unit', 'StockBalanceUnit', '', UNIT],
    ['a unit of 33 characters', 'StockBalanceUnit', 'x'.repeat(33), UNIT],
    ['a tab in its unit', 'StockBalanceUnit', 'k\tg', UNIT],
    ['a C1 control in its unit', 'StockBalanceUnit', 'k\u0085g', UNIT],
    ['half a character in its unit', 'StockBalanceUnit', 'k\udc00', UNIT],
    ['a damaged character in its unit', 'StockBalanceUnit', 'm\ufffd', UNIT],
    ['a number for a unit', 'StockBalanceUnit', 1, 'StockBalanceUnit must be a string such as "kg".'],
    [
      'an empty array of orders',
      'PurchaseOrders',
      [],
      'PurchaseOrders is an empty array. Send the empty object {} if there are none.',
    ],
    ['101 orders', 'PurchaseOrders', Array(101).fill('OT1234567'), `${ORDERS}. This array is longer.`],
    ['a filled object for orders', 'PurchaseOrders', { 1: 'OT1234567' }, `${ORDERS}.`],
    ['null for orders', 'PurchaseOrders', null, `${ORDERS}.`],
    ['a string for orders', 'PurchaseOrders', 'OT1234567', `${ORDERS}.`],
  ])('refuses %s and says what to send', (_, field, value, detail) => {
    expect(check(batch({ [field]: value }))).toEqual(oneFault(`#/MaterialCodes/0/${field}`, detail));
  });

  const NO_ORDER = 'A purchase order must be OT and seven digits, such as OT1234567.';
  const NO_STRING = 'A purchase order must be a string: OT and seven digits.';

  it.each([
    ['OT123456', NO_ORDER],
    ['OT12345678', NO_ORDER],
    ['ot1234567', NO_ORDER],
    ['XX1234567', NO_ORDER],
    ['XOT1234567', NO_ORDER],
    ['OT123456٧', NO_ORDER],
    ['OT1234567\n', NO_ORDER],
    [7, NO_STRING],
    [null, NO_STRING],
  ])('refuses the purchase order %j and says what to send', (order, detail) => {
    expect(check(batch({ PurchaseOrders: ['OT1234567', order] }))).toEqual(
      oneFault('#/MaterialCodes/0/PurchaseOrders/1', detail),
    );
  });

  it.each(['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders'])(
    'refuses an entry without %s',
    (field) => {
      const { [field]: _, ...rest }: Record<string, unknown> = valid;
      expect(check({ MaterialCodes: [rest] })).toEqual(
        oneFault(`#/MaterialCodes/0/${field}`, `The field ${field} is missing.`),
      );
    },
  );

  it('refuses an unknown field and names the known fields', () => {
    expect(check(batch({ Extra: 1 }))).toEqual(
      oneFault(
        '#/MaterialCodes/0/Extra',
        'This field is unknown. Use only MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders.',
      ),
    );
  });

  it.each([[null], [[]], ['A'], [1]])('refuses the entry %j', (entry) => {
    expect(check({ MaterialCodes: [entry] })).toEqual(
      oneFault(
        '#/MaterialCodes/0',
        'An entry must be a JSON object with MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders.',
      ),
    );
  });
});

describe('StockBalanceBatch', () => {
  it('accepts codes that differ only in letter case or Unicode composition', () => {
    const codes = ['a', 'A', 'а', '\u00e9', 'e\u0301'].map((MaterialCode) => ({ MaterialCode }));
    expect(check(batch(...codes)).faults).toBeUndefined();
  });

  it('reports all faults of a batch at once, each with its place', () => {
    const { faults } = check(
      batch(
        { StockBalance: '1' },
        {},
        { MaterialCode: 'a b', Extra: 1, 'sl/ash~': 2 },
        { MaterialCode: 'A-1' },
      ),
    );
    expect(faults?.listed.map(({ pointer }) => pointer)).toEqual([
      '#/MaterialCodes/0/StockBalance',
      '#/MaterialCodes/2/MaterialCode',
      '#/MaterialCodes/2/Extra',
      '#/MaterialCodes/2/sl~1ash~0',
      '#/MaterialCodes/3/MaterialCode',
    ]);
    expect(faults?.count).toBe(5);
  });

  it('reports every repeated code and names the first entry with that code', () => {
    const detail = 'This MaterialCode is already in entry 0 (counted from 0). Send one entry per material.';
    const body = batch({ MaterialCode: 'Б' }, {}, { MaterialCode: 'Б' }, { MaterialCode: 'Б' });
    const listed = [2, 3].map((index) => ({ pointer: `#/MaterialCodes/${index}/MaterialCode`, detail }));
    expect(check(body)).toEqual({ faults: { count: 2, listed } });
  });

  it('reports a repeated code among entries without a code', () => {
    const { faults } = check(
      batch({ MaterialCode: 7 }, { MaterialCode: 7 }, { MaterialCode: 'A' }, { MaterialCode: 'A' }),
    );
    expect(faults?.listed.map(({ pointer }) => pointer)).toEqual(
      [0, 1, 3].map((index) => `#/MaterialCodes/${index}/MaterialCode`),
    );
  });

  it.each([
    ['no field', {}, '#/MaterialCodes', 'The field MaterialCodes is missing.'],
    [
      'no array',
      { MaterialCodes: {} },
      '#/MaterialCodes',
      'MaterialCodes must be an array of entries, one per material.',
    ],
    [
      'an empty array',
      { MaterialCodes: [] },
      '#/MaterialCodes',
      'MaterialCodes is empty. Send at least one entry.',
    ],
    [
      'a further field',
      { ...batch({}), Warehouse: 'x' },
      '#/Warehouse',
      'This field is unknown. Use only MaterialCodes.',
    ],
    ['no object', [batch({})], '#', 'The body must be a JSON object with exactly one field: MaterialCodes.'],
  ])('refuses a batch with %s', (_, body, pointer, detail) => {
    expect(check(body)).toEqual(oneFault(pointer, detail));
  });

  it('accepts the most entries', () => {
    expect(check(batchOf(MAX_BATCH_ENTRIES)).faults).toBeUndefined();
  });

  it.each([
    ['valid', {}],
    ['invalid', { StockBalance: '1' }],
  ])('refuses 40,001 %s entries with 413, whatever other fields there are', (_, change) => {
    const entries = Array(40_001).fill({ ...valid, ...change });
    expect(() => check({ MaterialCodes: entries, ...change })).toThrow(
      expect.objectContaining({
        status: 413,
        message: 'A batch can have at most 40,000 entries. Send fewer entries in one request.',
        faults: undefined,
      }),
    );
  });
});
