import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { toComponents } from '../../../docs/openapi/conversion.ts';
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
import {
  NO_INSTANT,
  refusedBodies,
  TOO_SMALL,
  timestampCases,
  type ValueCase,
  valueCases,
} from '../../support/body-cases.ts';
import { acceptorOf, document } from './document.ts';

const entry = { MaterialCode: 'A-1', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const withoutCode = { StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const A_TIMESTAMP = '2026-03-01T08:15:30,250Z';
const OF_EVERY_TYPE = [null, true, 7, '', 'x', [], {}, [null], ['A-1'], { a: 1 }];

/** Only the service refuses a text of the right form that is no instant, and a balance too near to zero. */
const valuesOf = (cases: ValueCase[]): unknown[] =>
  cases
    .filter(({ json, refusal }) => json && refusal !== NO_INSTANT && refusal !== TOO_SMALL)
    .map(({ json = '' }) => JSON.parse(json));
/** The next test compares single characters. Of those beyond ASCII, the document accepts more. */
const textsOf = (cases: ValueCase[]) =>
  valuesOf(cases.filter(({ json = '', refusal }) => !refusal || !/[^\p{ASCII}]|\\uFFFD|\\ud/u.test(json)));

/** A schema, and values that it accepts and refuses. */
const bodies: Record<string, [schema: v.GenericSchema, ...values: unknown[]]> = {
  Timestamp: [Timestamp, ...valuesOf(timestampCases)],
  Change: [Change, { Timestamp: A_TIMESTAMP }, ...refusedBodies.changes.map(([body]) => JSON.parse(body))],
  MaterialCode: [MaterialCode, ...textsOf(valueCases.MaterialCode)],
  StockBalance: [StockBalance, ...valuesOf(valueCases.StockBalance)],
  StockBalanceUnit: [StockBalanceUnit, ...textsOf(valueCases.StockBalanceUnit), '😀'.repeat(33)],
  PurchaseOrders: [PurchaseOrders, ...valuesOf(valueCases.PurchaseOrders)],
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
  ...[{ any: 1 }, [], null, '', 0, false].map((other): [string, v.GenericSchema, RegExp] => [
    `a schema of its own for {} and ${JSON.stringify(other)}`,
    v.custom((value) => [{}, other].some((accepted) => isDeepStrictEqual(value, accepted))),
    /custom schema/,
  ]),
])('the document refuses %s', (_, schema, message) => {
  expect(() => toComponents({ Odd: schema })).toThrow(message);
});
