import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../../docs/openapi/conversion.ts';
import {
  MAX_BALANCE,
  MAX_MATERIAL_CODE_LENGTH,
  MAX_PURCHASE_ORDERS_PER_ENTRY,
  MAX_UNIT_LENGTH,
  MIN_BALANCE_MAGNITUDE,
} from '../../../shared/limits.ts';
import { Change, Timestamp } from '../../../shared/schemas/change.ts';
import {
  MaterialCode,
  PurchaseOrders,
  StockBalance,
  StockBalanceBatch,
  StockBalanceEntry,
  StockBalanceUnit,
} from '../../../shared/schemas/stock-balance.ts';
import { validate } from '../../../shared/schemas/validate.ts';
import { acceptorOf, document } from './document.ts';

const entry = { MaterialCode: 'A-1', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const withoutCode = { StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const A_TIMESTAMP = '2026-03-01T08:15:30,250Z';
const orders = (count: number) => Array(count).fill('OT0000001');
const OF_EVERY_TYPE = [null, true, 7, '', 'x', [], {}, [null], ['A-1'], { a: 1 }];

/** A schema, and values that it accepts and refuses. */
const bodies: Record<string, [schema: v.GenericSchema, ...values: unknown[]]> = {
  Timestamp: [
    Timestamp,
    ...[A_TIMESTAMP, '0000-01-01T00:00:00,000Z', '9999-12-31T23:59:59,999Z', '2024-02-29T00:00:00,000Z'],
    ...['2026-03-01', '2026-03-01T08:15:30.250Z', '2026-03-01T08:15:30,25Z', '2026-03-01T08:15:30,250'],
    ...['2026-03-01T08:15:30,250z', `${A_TIMESTAMP}\n`, ` ${A_TIMESTAMP}`, A_TIMESTAMP.replace('2', '٢')],
  ],
  Change: [
    Change,
    { Timestamp: A_TIMESTAMP },
    { Timestamp: A_TIMESTAMP, Extra: 1 },
    { timestamp: A_TIMESTAMP },
    JSON.parse(`{"Timestamp": "${A_TIMESTAMP}", "__proto__": {}}`),
  ],
  MaterialCode: [
    MaterialCode,
    ...['abc', 'Сталь-10/А', 'e\u0301', 'A B', 'A\n'],
    ...[MAX_MATERIAL_CODE_LENGTH, MAX_MATERIAL_CODE_LENGTH + 1].map((length) => 'A'.repeat(length)),
  ],
  StockBalance: [
    StockBalance,
    ...[0, -0, -12.125, 1e-3, '7', JSON.parse('1e400')],
    ...[MAX_BALANCE, MAX_BALANCE + 1, MIN_BALANCE_MAGNITUDE].flatMap((most) => [most, -most]),
  ],
  StockBalanceUnit: [
    StockBalanceUnit,
    ...['kg', 'м³', 'k\n'],
    ...['k', '😀'].flatMap((unit) => [unit.repeat(MAX_UNIT_LENGTH), unit.repeat(MAX_UNIT_LENGTH + 1)]),
  ],
  PurchaseOrders: [
    PurchaseOrders,
    ...[['OT1234567', 'OT1234567'], { OT1234567: 1 }, 'OT1234567'],
    ...['OT1234567', 'OT123456', 'OT12345678', 'ot1234567', 'OT١234567', 'OT1234567\n', 7].map((order) => [
      order,
    ]),
    ...[MAX_PURCHASE_ORDERS_PER_ENTRY, MAX_PURCHASE_ORDERS_PER_ENTRY + 1].map(orders),
  ],
  StockBalanceEntry: [StockBalanceEntry, entry, { ...entry, Extra: 1 }, withoutCode],
  StockBalanceBatch: [
    StockBalanceBatch,
    { MaterialCodes: [entry, { ...entry, MaterialCode: 'A-2' }] },
    ...[{ MaterialCodes: [] }, { MaterialCodes: [7] }, { MaterialCodes: [entry, withoutCode] }],
    { MaterialCodes: [entry], Extra: 1 },
  ],
};

test.each(Object.entries(bodies))(
  'document and service accept and refuse the same: %s',
  (name, [schema, ...values]) => {
    const isDocumented = acceptorOf(name);
    const accepted = (accepts: (value: unknown) => boolean) => [...OF_EVERY_TYPE, ...values].filter(accepts);
    expect(accepted(isDocumented)).toEqual(accepted((value) => v.is(schema, value)));
    expect(accepted(isDocumented)).not.toEqual([]);
  },
);

const { schemas } = document.components;
const itemsOfBatch = Object(schemas['StockBalanceBatch']?.['properties']).MaterialCodes;

test.each([
  ['MaterialCode', MaterialCode],
  ['StockBalanceUnit', StockBalanceUnit],
])(
  'in a %s, the document accepts each character that the service accepts, and no other of ASCII',
  (name, schema) => {
    const isDocumented = acceptorOf(name);
    const [issue] = validate(schema, ' \n').issues?.listed ?? [];
    const exact: unknown = Object(schema.pipe[1]).requirement;
    for (const text of [issue?.detail, exact instanceof RegExp && exact.source])
      expect(schemas[name]?.['description']).toContain(text);
    const characters = Array.from({ length: 0x1_1000 }, (_, code) => String.fromCodePoint(code));
    expect(characters.filter((text) => !isDocumented(text) && v.is(schema, text))).toEqual([]);
    const ascii = characters.slice(0, 128);
    expect(ascii.filter((text) => isDocumented(text))).toEqual(ascii.filter((text) => v.is(schema, text)));
  },
);

describe('the service alone refuses, and the description says so', () => {
  test.each([
    ['a day that no calendar has', 'Timestamp', Timestamp, '2026-02-30T00:00:00,000Z'],
    ['the hour 24', 'Timestamp', Timestamp, '2026-02-28T24:00:00,000Z'],
    ['a balance too near to zero', 'StockBalance', StockBalance, 9e-131],
  ])('%s', (_, name, schema, value) => {
    expect([acceptorOf(name)(value), v.is(schema, value)]).toEqual([true, false]);
    const [issue] = validate<v.GenericSchema>(schema, value).issues?.listed ?? [];
    expect(schemas[name]?.['description']).toContain(`"${issue?.detail}"`);
  });

  test('a repeated code in a batch', () => {
    const body = { MaterialCodes: [entry, { ...entry, StockBalance: 2 }] };
    expect([acceptorOf('StockBalanceBatch')(body), v.is(StockBalanceBatch, body)]).toEqual([true, false]);
    expect(itemsOfBatch.description).toContain('Also refused: a MaterialCode');
  });
});

test.each<[string, v.GenericSchema, RegExp]>([
  [
    'the length of a text, which JSON Schema counts otherwise',
    v.pipe(v.string(), v.minLength(2)),
    /min_length/,
  ],
  [
    'a check of unknown arrays',
    v.pipe(
      v.array(v.string()),
      v.rawCheck(() => {}),
    ),
    /raw check/,
  ],
  ['a regex with the flag i', v.pipe(v.string(), v.regex(/a/i)), /one pattern of JSON Schema: \/a\/i/],
  ['a second regex', v.pipe(v.string(), v.regex(/^a/), v.regex(/b$/)), /one pattern of JSON Schema: \/b\$\//],
  ['a schema of its own', v.custom((value) => value === 1), /custom schema/],
])('the document refuses %s', (_, schema, message) => {
  expect(() => toComponents({ Odd: schema })).toThrow(message);
});
