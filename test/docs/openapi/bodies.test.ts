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
import { document, takenBy } from './document.ts';

const bodies = {
  Change: { schema: Change, isTold: takenBy('Change') },
  StockBalanceBatch: { schema: StockBalanceBatch, isTold: takenBy('StockBalanceBatch') },
};
type Body = keyof typeof bodies;

/** Whether a body is taken: by the document, and by the service. */
const verdicts = (name: Body, body: unknown) => ({
  told: bodies[name].isTold(body),
  taken: v.safeParse(bodies[name].schema, body, { abortEarly: true }).success,
});

const TAKEN = { told: true, taken: true };
const REFUSED = { told: false, taken: false };

const entry = { MaterialCode: 'A-1', StockBalance: 1.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };
const batchWith = (change: object) => ({ MaterialCodes: [{ ...entry, ...change }] });
const without = (field: keyof typeof entry) => {
  const { [field]: _, ...others } = entry;
  return { MaterialCodes: [others] };
};
const batchOf = (count: number) => ({
  MaterialCodes: Array.from({ length: count }, (_, index) => ({ ...entry, MaterialCode: `A-${index}` })),
});
const orders = (count: number) => Array(count).fill('OT0000001');

const NO_STRINGS = [null, 7, true, [], {}, ['A-1']];
const NO_OBJECTS = [null, 7, 'x', true, []];

const fields = {
  MaterialCode: {
    taken: [
      'A',
      'abc',
      'Сталь-10/А',
      '鋼',
      'e\u0301',
      '٣',
      ',',
      '/',
      '-',
      '𠀀',
      'A'.repeat(MAX_MATERIAL_CODE_LENGTH),
    ],
    refused: [
      '',
      ' ',
      'A B',
      'A\n',
      'A.',
      'A_',
      '\uD800',
      '½',
      'A'.repeat(MAX_MATERIAL_CODE_LENGTH + 1),
      ...NO_STRINGS,
    ],
  },
  StockBalance: {
    taken: [
      0,
      -0,
      1,
      -12.125,
      1e-3,
      MAX_BALANCE,
      -MAX_BALANCE,
      MIN_BALANCE_MAGNITUDE,
      -MIN_BALANCE_MAGNITUDE,
    ],
    refused: [
      MAX_BALANCE + 1,
      -MAX_BALANCE - 1,
      1e300,
      '7',
      '',
      null,
      true,
      [],
      [1],
      {},
      JSON.parse('1e400'),
    ],
  },
  StockBalanceUnit: {
    taken: ['kg', ' ', 'м³', '€', '😀', 'k'.repeat(MAX_UNIT_LENGTH), '😀'.repeat(MAX_UNIT_LENGTH)],
    refused: [
      '',
      'k\n',
      '\u0000',
      '\u0085',
      '\uD83D',
      '\uFFFD',
      'k'.repeat(MAX_UNIT_LENGTH + 1),
      '😀'.repeat(MAX_UNIT_LENGTH + 1),
      ...NO_STRINGS,
    ],
  },
  PurchaseOrders: {
    taken: [{}, ['OT1234567'], ['OT1234567', 'OT1234567'], orders(MAX_PURCHASE_ORDERS_PER_ENTRY)],
    refused: [
      [],
      orders(MAX_PURCHASE_ORDERS_PER_ENTRY + 1),
      { OT1234567: 1 },
      ['OT123456'],
      ['OT12345678'],
      ['ot1234567'],
      ['OT١234567'],
      ['OT1234567\n'],
      [7],
      [[]],
      null,
      'OT1234567',
      7,
    ],
  },
} satisfies Record<keyof typeof entry, { taken: unknown[]; refused: unknown[] }>;

const TIMESTAMPS = {
  taken: [
    '2026-03-01T08:15:30,250Z',
    '0000-01-01T00:00:00,000Z',
    '9999-12-31T23:59:59,999Z',
    '2024-02-29T00:00:00,000Z',
  ],
  refused: [
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
  ],
};

describe('document and service agree', () => {
  test.each(Object.entries(fields))('on %s', (field, { taken, refused }) => {
    for (const value of taken) {
      expect({ value, ...verdicts('StockBalanceBatch', batchWith({ [field]: value })) }).toEqual({
        value,
        ...TAKEN,
      });
    }
    for (const value of refused) {
      expect({ value, ...verdicts('StockBalanceBatch', batchWith({ [field]: value })) }).toEqual({
        value,
        ...REFUSED,
      });
    }
  });

  test('on Timestamp', () => {
    for (const Timestamp of TIMESTAMPS.taken) expect(verdicts('Change', { Timestamp })).toEqual(TAKEN);
    for (const Timestamp of TIMESTAMPS.refused) {
      expect({ Timestamp, ...verdicts('Change', { Timestamp }) }).toEqual({ Timestamp, ...REFUSED });
    }
  });

  test('on which fields have to be there, and on those that are not known', () => {
    const [Timestamp] = TIMESTAMPS.taken;
    const tampered = JSON.parse(`{"Timestamp": "${Timestamp}", "__proto__": {}}`);
    for (const body of [{}, { Timestamp, Extra: 1 }, { timestamp: Timestamp }, tampered, ...NO_OBJECTS]) {
      expect(verdicts('Change', body)).toEqual(REFUSED);
    }
    for (const field of ['MaterialCode', 'StockBalance', 'StockBalanceUnit', 'PurchaseOrders'] as const) {
      expect(verdicts('StockBalanceBatch', without(field))).toEqual(REFUSED);
    }
    const wrong = [{}, { ...batchOf(1), Extra: 1 }, batchWith({ Extra: 1 }), ...NO_OBJECTS];
    for (const body of [...wrong, ...NO_OBJECTS.map((each) => ({ MaterialCodes: [each] }))]) {
      expect(verdicts('StockBalanceBatch', body)).toEqual(REFUSED);
    }
  });

  test.each([
    [0, REFUSED],
    [1, TAKEN],
    [MAX_BATCH_ENTRIES, TAKEN],
    [MAX_BATCH_ENTRIES + 1, REFUSED],
  ])('on a batch of %i entries', (count, verdict) => {
    expect(verdicts('StockBalanceBatch', batchOf(count))).toEqual(verdict);
  });

  test.each([
    ['MaterialCode', MaterialCode],
    ['StockBalanceUnit', StockBalanceUnit],
  ])('on each character in a %s', (name, schema) => {
    const isTold = takenBy(name);
    const characters = Array.from({ length: 0x1_1000 }, (_, code) => String.fromCodePoint(code));
    const differing = characters.filter((text) => isTold(text) !== v.is(schema, text));
    expect(differing).toEqual([]);
  });
});

describe('what a schema cannot say is refused by the service, and its description says so', () => {
  const { schemas } = document.components;
  const told = {
    instant: schemas['Timestamp']?.['description'],
    balance: schemas['StockBalance']?.['description'],
    batch: Object(schemas['StockBalanceBatch']?.['properties']).MaterialCodes.description,
  };

  test.each([
    ['a day that no calendar has', 'Change', { Timestamp: '2026-02-30T00:00:00,000Z' }, told.instant],
    ['the hour 24', 'Change', { Timestamp: '2026-02-28T24:00:00,000Z' }, told.instant],
    ['a leap second', 'Change', { Timestamp: '2016-12-31T23:59:60,000Z' }, told.instant],
    ['a balance too near to zero', 'StockBalanceBatch', batchWith({ StockBalance: 9e-131 }), told.balance],
    ['one too near from below', 'StockBalanceBatch', batchWith({ StockBalance: -5e-324 }), told.balance],
  ] as const)('%s', (_, name, body, description) => {
    expect(verdicts(name, body)).toEqual({ told: true, taken: false });
    const [fault] = validate<v.GenericSchema>(bodies[name].schema, body).faults?.listed ?? [];
    expect(description).toContain(`Also refused, with these words: "${fault?.detail}"`);
  });

  test('a code that stands in its batch already', () => {
    const body = { MaterialCodes: [entry, { ...entry, StockBalance: 2 }] };
    expect(verdicts('StockBalanceBatch', body)).toEqual({ told: true, taken: false });
    expect(told.batch).toContain(
      'Also refused, at its place: a MaterialCode that stands in the batch already',
    );
  });
});
