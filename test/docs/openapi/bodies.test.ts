import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Change } from '../../../shared/schemas/change.ts';
import {
  MAX_BALANCE,
  MAX_BATCH_ENTRIES,
  MAX_MATERIAL_CODE_LENGTH,
  MAX_PURCHASE_ORDERS_PER_ENTRY,
  MAX_UNIT_LENGTH,
  MIN_BALANCE_MAGNITUDE,
} from '../../../shared/schemas/limits.ts';
import { MaterialCode, StockBalanceBatch, StockBalanceUnit } from '../../../shared/schemas/stock-balance.ts';
import { validate } from '../../../shared/schemas/validate.ts';
import { acceptorOf, document } from './document.ts';

const bodies = {
  Change: { schema: Change, isDocumented: acceptorOf('Change') },
  StockBalanceBatch: { schema: StockBalanceBatch, isDocumented: acceptorOf('StockBalanceBatch') },
};
type Body = keyof typeof bodies;

/** Whether the document and the service accept a body. */
const verdicts = (name: Body, body: unknown) => ({
  document: bodies[name].isDocumented(body),
  service: v.safeParse(bodies[name].schema, body, { abortEarly: true }).success,
});

const REFUSED_BY_SERVICE = { document: true, service: false };

const entry = { MaterialCode: 'A-1', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const batchWith = (change: object) => ({ MaterialCodes: [{ ...entry, ...change }] });
const batchWithout = (field: string) => JSON.parse(JSON.stringify(batchWith({ [field]: undefined })));
const batchOf = (count: number) => ({
  MaterialCodes: Array.from({ length: count }, (_, index) => ({ ...entry, MaterialCode: `A-${index}` })),
});
const orders = (count: number) => Array(count).fill('OT0000001');

const NO_STRINGS = [null, 7, true, [], {}, ['A-1']];
const NO_OBJECTS = [null, 7, 'x', true, []];

const fields = {
  MaterialCode: {
    accepted: ['abc', 'Сталь-10/А', 'e\u0301', 'A'.repeat(MAX_MATERIAL_CODE_LENGTH)],
    refused: ['', 'A B', 'A\n', 'A'.repeat(MAX_MATERIAL_CODE_LENGTH + 1), ...NO_STRINGS],
  },
  StockBalance: {
    accepted: [
      0,
      -0,
      -12.125,
      1e-3,
      ...[MAX_BALANCE, MIN_BALANCE_MAGNITUDE].flatMap((most) => [most, -most]),
    ],
    refused: [MAX_BALANCE + 1, -MAX_BALANCE - 1, JSON.parse('1e400'), '7', '', null, true, [], [1], {}],
  },
  StockBalanceUnit: {
    accepted: ['kg', 'м³', ...['k', '😀'].map((character) => character.repeat(MAX_UNIT_LENGTH))],
    refused: [
      '',
      'k\n',
      ...['k', '😀'].map((character) => character.repeat(MAX_UNIT_LENGTH + 1)),
      ...NO_STRINGS,
    ],
  },
  PurchaseOrders: {
    accepted: [{}, ['OT1234567'], ['OT1234567', 'OT1234567'], orders(MAX_PURCHASE_ORDERS_PER_ENTRY)],
    refused: [
      ...['OT123456', 'OT12345678', 'ot1234567', 'OT١234567', 'OT1234567\n', 7, []].map((order) => [order]),
      orders(MAX_PURCHASE_ORDERS_PER_ENTRY + 1),
      ...[[], { OT1234567: 1 }, null, 'OT1234567', 7],
    ],
  },
} satisfies Record<keyof typeof entry, { accepted: unknown[]; refused: unknown[] }>;

const [A_TIMESTAMP, ...OTHER_TIMESTAMPS] = [
  '2026-03-01T08:15:30,250Z',
  '0000-01-01T00:00:00,000Z',
  '9999-12-31T23:59:59,999Z',
  '2024-02-29T00:00:00,000Z',
] as const;
const NO_TIMESTAMPS = [
  '',
  '2026-03-01',
  '2026-03-01T08:15:30.250Z',
  '2026-03-01T08:15:30,25Z',
  '2026-03-01T08:15:30,250',
  '2026-03-01T08:15:30,250z',
  '2026-03-01T08:15:30,250Z\n',
  ' 2026-03-01T08:15:30,250Z',
  '٢026-03-01T08:15:30,250Z',
  ...NO_STRINGS,
];

const values = [
  ...Object.entries(fields).map(([field, { accepted, refused }]) => ({
    field,
    name: 'StockBalanceBatch' as const,
    accepted: accepted.map((value) => batchWith({ [field]: value })),
    refused: [...refused.map((value) => batchWith({ [field]: value })), batchWithout(field)],
  })),
  {
    field: 'Timestamp',
    name: 'Change' as const,
    accepted: [A_TIMESTAMP, ...OTHER_TIMESTAMPS].map((Timestamp) => ({ Timestamp })),
    refused: [{}, ...NO_TIMESTAMPS.map((Timestamp) => ({ Timestamp }))],
  },
  {
    field: 'a whole change',
    name: 'Change' as const,
    accepted: [],
    refused: [
      { Timestamp: A_TIMESTAMP, Extra: 1 },
      { timestamp: A_TIMESTAMP },
      JSON.parse(`{"Timestamp": "${A_TIMESTAMP}", "__proto__": {}}`),
      ...NO_OBJECTS,
    ],
  },
  {
    field: 'a whole batch',
    name: 'StockBalanceBatch' as const,
    accepted: [1, MAX_BATCH_ENTRIES].map(batchOf),
    refused: [
      ...[0, MAX_BATCH_ENTRIES + 1].map(batchOf),
      {},
      { ...batchOf(1), Extra: 1 },
      batchWith({ Extra: 1 }),
      ...NO_OBJECTS,
      ...NO_OBJECTS.map((value) => ({ MaterialCodes: [value] })),
    ],
  },
];

describe('document and service accept and refuse the same', () => {
  test.each(values)('values of $field', ({ name, accepted, refused }) => {
    const accepting = { document: true, service: true };
    for (const body of accepted) expect({ body, ...verdicts(name, body) }).toEqual({ body, ...accepting });
    const refusing = { document: false, service: false };
    for (const body of refused) expect({ body, ...verdicts(name, body) }).toEqual({ body, ...refusing });
  });

  test.each([
    ['MaterialCode', MaterialCode],
    ['StockBalanceUnit', StockBalanceUnit],
  ])('each character in a %s', (name, schema) => {
    const isDocumented = acceptorOf(name);
    const [fault] = validate(schema, ' \n').faults?.listed ?? [];
    expect(document.components.schemas[name]?.['description']).toContain(fault?.detail);
    const characters = Array.from({ length: 0x1_1000 }, (_, code) => String.fromCodePoint(code));
    expect(characters.filter((text) => isDocumented(text) !== v.is(schema, text))).toEqual([]);
  });
});

describe('the service alone refuses, and the description says so', () => {
  const { schemas } = document.components;
  const descriptions = {
    instant: schemas['Timestamp']?.['description'],
    balance: schemas['StockBalance']?.['description'],
    batch: Object(schemas['StockBalanceBatch']?.['properties']).MaterialCodes.description,
  };

  test.each([
    ['a day that no calendar has', 'Change', { Timestamp: '2026-02-30T00:00:00,000Z' }, 'instant'],
    ['the hour 24', 'Change', { Timestamp: '2026-02-28T24:00:00,000Z' }, 'instant'],
    ['a leap second', 'Change', { Timestamp: '2016-12-31T23:59:60,000Z' }, 'instant'],
    ['a balance too near to zero', 'StockBalanceBatch', batchWith({ StockBalance: 9e-131 }), 'balance'],
    [
      'a negative balance too near to zero',
      'StockBalanceBatch',
      batchWith({ StockBalance: -5e-324 }),
      'balance',
    ],
  ] as const)('%s', (_, name, body, description) => {
    expect(verdicts(name, body)).toEqual(REFUSED_BY_SERVICE);
    const [fault] = validate<v.GenericSchema>(bodies[name].schema, body).faults?.listed ?? [];
    expect(descriptions[description]).toContain(`"${fault?.detail}"`);
  });

  test('a repeated code in a batch', () => {
    const body = { MaterialCodes: [entry, { ...entry, StockBalance: 2 }] };
    expect(verdicts('StockBalanceBatch', body)).toEqual(REFUSED_BY_SERVICE);
    expect(descriptions.batch).toContain('Also refused: a MaterialCode');
  });
});
