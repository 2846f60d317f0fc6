import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { plainBatch } from '../../../functions/http/plain-batch.ts';
import { StockBalanceBatch } from '../../../shared/schemas/stock-balance.ts';
import { batchOf } from '../../support/batches.ts';

const parsed = (body: unknown) => {
  const { success, output } = v.safeParse(StockBalanceBatch, body, { abortEarly: true });
  return success ? output : undefined;
};

/** Mostly right, and now and then anything that JSON can hold, or next to a limit. */
const or = <T>(usual: fc.Arbitrary<T>, ...odd: unknown[]) =>
  fc.oneof(
    { arbitrary: usual, weight: 150 },
    { arbitrary: fc.constantFrom(...odd), weight: 2 },
    { arbitrary: fc.jsonValue({ maxDepth: 1 }), weight: 1 },
  );

const order = or(
  fc.constantFrom('OT0000001', 'OT9999999'),
  'OT123456',
  'ot1234567',
  'OT12345678',
  'OT1234567\n',
  '',
);
const orders = or(
  fc.array(order, { minLength: 1, maxLength: 4 }),
  {},
  [],
  Array(100).fill('OT1234567'),
  Array(101).fill('OT1234567'),
);
const entry = fc.record({
  MaterialCode: or(
    fc.stringMatching(/^[\p{L}\p{M}\p{Nd}/,-]{1,12}$/u),
    'constructor',
    '',
    'a b',
    'x'.repeat(256),
    'x'.repeat(257),
    '𐐀'.repeat(256),
    'a\n',
  ),
  StockBalance: or(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    -0,
    1e-130,
    9e-131,
    2 ** 53,
    2 ** 53 - 1,
    1e300,
    '1',
  ),
  StockBalanceUnit: or(
    fc.constantFrom('kg', 'м³'),
    '',
    'k\u0000g',
    '\ud800',
    '\ufffd',
    '📦'.repeat(32),
    'k'.repeat(33),
  ),
  PurchaseOrders: orders,
});
const orWithMore = fc
  .tuple(entry, fc.nat(30))
  .map(([each, chance]) => (chance === 0 ? { ...each, More: 1 } : each));
const entries = fc.array(orWithMore, { maxLength: 3 });
const body = or(
  fc.record({ MaterialCodes: or(entries, {}, 'none') }),
  {},
  [],
  { MaterialCodes: [], More: 1 },
  null,
);

it('The short way takes what the schema takes, makes the same of it, and takes nothing else', () => {
  const tally = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(body, (sent) => {
      const wanted = parsed(sent);
      tally[wanted ? 'taken' : 'refused'] += 1;
      expect(plainBatch(sent)).toEqual(wanted);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(tally.taken, tally.refused)).toBeGreaterThan(200);
});

it.each([40_000, 40_001])('The short way takes no more entries than the schema: %i', (count) => {
  const sent = batchOf(count);
  expect(plainBatch(sent)).toEqual(parsed(sent));
});

it('The short way leaves a body as it was, which the schema may have to look at again', () => {
  const sent = { MaterialCodes: [...batchOf(3).MaterialCodes, { MaterialCode: 'no more' }] };
  const before = structuredClone(sent);
  expect(plainBatch(sent)).toBeUndefined();
  expect(sent).toEqual(before);
});

it.each(['__proto__', 'toString'])('A field %s of its own is one too many', (name) => {
  const text = `{"MaterialCodes":[{"MaterialCode":"a","StockBalance":1,"StockBalanceUnit":"kg","PurchaseOrders":{},"${name}":1}]}`;
  const body: unknown = JSON.parse(text);
  expect([plainBatch(body), parsed(body)]).toEqual([undefined, undefined]);
});
