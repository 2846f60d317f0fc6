import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { plainBatch } from '../../../functions/http/plain-batch.ts';
import { explainFaults } from '../../../shared/schemas/schema-faults.ts';
import { StockBalanceBatch } from '../../../shared/schemas/stock-balance.ts';

const valid = { MaterialCode: 'A-1/2,b', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };

const batch = (...changes: object[]) => ({
  MaterialCodes: changes.map((change, index) => ({ ...valid, MaterialCode: `A-${index}`, ...change })),
});

const faultsOf = (body: unknown) => {
  const { success: isTaken, output } = v.safeParse(StockBalanceBatch, body, { abortEarly: true });
  expect(plainBatch(body), 'the short way takes the same').toEqual(isTaken ? output : undefined);
  const faults = explainFaults(StockBalanceBatch, body);
  expect(isTaken, 'what is refused has a fault, and what is taken has none').toBe(faults.count === 0);
  return faults;
};

describe('an entry that is taken', () => {
  it.each([
    ['letters of both cases, digits and the three signs', 'aZ09/-,'],
    ['Cyrillic', 'Болт-М8'],
    ['Polish, German, Turkish', 'ŻółćÄßİı'],
    ['Chinese', '螺栓'],
    ['letters beyond the basic plane', '𐐀𐐨'],
    ['decomposed letters', 'e\u0301'],
    ['one character', 'x'],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters of four bytes', '𐐀'.repeat(256)],
  ])('has a code of %s', (_, MaterialCode) => {
    expect(faultsOf(batch({ MaterialCode })).count).toBe(0);
    expect(v.parse(StockBalanceBatch, batch({ MaterialCode })).MaterialCodes[0]?.MaterialCode).toBe(
      MaterialCode,
    );
  });

  it.each([0, -0, 1.125, -1.125, 9007199254740991, -9007199254740991, 1e-130])(
    'has the balance %d',
    (StockBalance) => {
      expect(faultsOf(batch({ StockBalance })).count).toBe(0);
    },
  );

  it.each(['kg', 'm³', 'шт.', ' ', '%', '𝔘'.repeat(32)])('has the unit "%s"', (StockBalanceUnit) => {
    expect(faultsOf(batch({ StockBalanceUnit })).count).toBe(0);
  });

  it('has no purchase orders, and none is an empty list from there on', () => {
    expect(v.parse(StockBalanceBatch, batch({})).MaterialCodes[0]?.PurchaseOrders).toEqual([]);
  });

  it('has repeated purchase orders, whose order and repeats stay', () => {
    const PurchaseOrders = ['OT0000002', 'OT0000001', 'OT0000002'];
    expect(v.parse(StockBalanceBatch, batch({ PurchaseOrders })).MaterialCodes[0]?.PurchaseOrders).toEqual(
      PurchaseOrders,
    );
  });

  it('has 100 purchase orders', () => {
    expect(faultsOf(batch({ PurchaseOrders: Array(100).fill('OT1234567') })).count).toBe(0);
  });

  it('differs from another in case or in composition alone', () => {
    const codes = ['a', 'A', 'а', '\u00e9', 'e\u0301'].map((MaterialCode) => ({ MaterialCode }));
    expect(faultsOf(batch(...codes)).count).toBe(0);
  });
});

describe('an entry that is refused', () => {
  it.each([
    ['nothing in its code', 'MaterialCode', ''],
    ['257 characters in its code', 'MaterialCode', 'x'.repeat(257)],
    ['a blank in its code', 'MaterialCode', 'A 1'],
    ['a newline after its code', 'MaterialCode', 'A1\n'],
    ['a point in its code', 'MaterialCode', 'A.1'],
    ['an underscore in its code', 'MaterialCode', 'A_1'],
    ['a backslash in its code', 'MaterialCode', 'A\\1'],
    ['an emoji in its code', 'MaterialCode', '🔩'],
    ['half a character in its code', 'MaterialCode', '\ud800'],
    ['a replacement character in its code', 'MaterialCode', 'A\ufffd'],
    ['a zero-width blank in its code', 'MaterialCode', 'A\u200b'],
    ['a number for a code', 'MaterialCode', 12],
    ['null for a code', 'MaterialCode', null],
    ['a string for a balance', 'StockBalance', '1.5'],
    ['null for a balance', 'StockBalance', null],
    ['true for a balance', 'StockBalance', true],
    ['a balance past 2^53 - 1', 'StockBalance', 9007199254740992],
    ['a balance past -(2^53 - 1)', 'StockBalance', -9007199254740992],
    ['an infinite balance', 'StockBalance', JSON.parse('1e400')],
    ['a balance too near to zero', 'StockBalance', 1e-131],
    ['a negative balance too near to zero', 'StockBalance', -5e-324],
    ['an empty unit', 'StockBalanceUnit', ''],
    ['a unit of 33 characters', 'StockBalanceUnit', 'x'.repeat(33)],
    ['a tab in its unit', 'StockBalanceUnit', 'k\tg'],
    ['a C1 control in its unit', 'StockBalanceUnit', 'k\u0085g'],
    ['half a character in its unit', 'StockBalanceUnit', 'k\udc00'],
    ['a damaged character in its unit', 'StockBalanceUnit', 'm\ufffd'],
    ['a number for a unit', 'StockBalanceUnit', 1],
    ['an empty array of orders', 'PurchaseOrders', []],
    ['101 orders', 'PurchaseOrders', Array(101).fill('OT1234567')],
    ['a filled object for orders', 'PurchaseOrders', { 1: 'OT1234567' }],
    ['null for orders', 'PurchaseOrders', null],
    ['a string for orders', 'PurchaseOrders', 'OT1234567'],
  ])('has %s', (_, field, value) => {
    expect(faultsOf(batch({ [field]: value }))).toMatchObject({
      count: 1,
      listed: [{ pointer: `#/MaterialCodes/0/${field}` }],
    });
  });

  it.each([
    'OT123456',
    'OT12345678',
    'ot1234567',
    'XX1234567',
    'XOT1234567',
    'OT123456٧',
    'OT1234567\n',
    '',
    7,
    null,
    ['OT1234567'],
  ])('has the purchase order %j', (order) => {
    expect(faultsOf(batch({ PurchaseOrders: ['OT1234567', order] }))).toMatchObject({
      count: 1,
      listed: [{ pointer: '#/MaterialCodes/0/PurchaseOrders/1' }],
    });
  });

  it('has an empty array of orders, and is told to send {}', () => {
    expect(faultsOf(batch({ PurchaseOrders: [] })).listed[0]?.detail).toContain('{}');
  });

  it.each(['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders'])('lacks %s', (field) => {
    const { [field]: _, ...rest }: Record<string, unknown> = valid;
    expect(faultsOf({ MaterialCodes: [rest] })).toEqual({
      count: 1,
      listed: [{ pointer: `#/MaterialCodes/0/${field}`, detail: `The field ${field} is missing.` }],
    });
  });

  it.each([[null], [[]], ['A'], [1]])('is %j', (entry) => {
    expect(faultsOf({ MaterialCodes: [entry] })).toMatchObject({
      count: 1,
      listed: [{ pointer: '#/MaterialCodes/0' }],
    });
  });
});

describe('a batch that is refused', () => {
  it('has all of its faults named at once, each with its place', () => {
    const faults = faultsOf(
      batch(
        { StockBalance: '1' },
        {},
        { MaterialCode: 'a b', Extra: 1, 'sl/ash~': 2 },
        { MaterialCode: 'A-1' },
      ),
    );
    expect(faults.listed.map(({ pointer }) => pointer).toSorted()).toEqual([
      '#/MaterialCodes/0/StockBalance',
      '#/MaterialCodes/2/Extra',
      '#/MaterialCodes/2/MaterialCode',
      '#/MaterialCodes/2/sl~1ash~0',
      '#/MaterialCodes/3/MaterialCode',
    ]);
    expect(faults.count).toBe(5);
  });

  it('repeats a code, and is told where it stood first', () => {
    expect(faultsOf(batch({ MaterialCode: 'Б' }, {}, { MaterialCode: 'Б' }))).toEqual({
      count: 1,
      listed: [
        {
          pointer: '#/MaterialCodes/2/MaterialCode',
          detail:
            'This MaterialCode stands in entry 0 already (counted from 0); send one entry per material.',
        },
      ],
    });
  });

  it.each([
    ['no field', {}, '#/MaterialCodes'],
    ['no array', { MaterialCodes: {} }, '#/MaterialCodes'],
    ['an empty array', { MaterialCodes: [] }, '#/MaterialCodes'],
    ['a field too many', { ...batch({}), Warehouse: 'x' }, '#/Warehouse'],
    ['no object', [batch({})], '#'],
  ])('has %s', (_, body, pointer) => {
    expect(faultsOf(body)).toMatchObject({ count: 1, listed: [{ pointer }] });
  });

  it('has a field whose name is no well-formed text, or too long to repeat', () => {
    const { listed } = faultsOf({ ...batch({}), '\ud800': 1, ['x'.repeat(1_000_000)]: 1, 'Поле %': 1 });
    expect(listed.map(({ pointer }) => pointer)).toEqual([
      '#/%EF%BF%BD',
      '#',
      '#/%D0%9F%D0%BE%D0%BB%D0%B5%20%25',
    ]);
  });

  it('has a field whose name is just short enough to repeat', () => {
    const { listed } = faultsOf({ ...batch({}), ['x'.repeat(128)]: 1, ['y'.repeat(129)]: 1 });
    expect(listed.map(({ pointer }) => pointer)).toEqual([`#/${'x'.repeat(128)}`, '#']);
  });
});
