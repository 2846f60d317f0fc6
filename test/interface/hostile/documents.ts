import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.ts';
import type { Node } from './json-text.ts';

/** This text is in many bodies, so that a test can search responses and logs for it. */
export const BODY_MARKER = 'Примета7Q';
/** A year that no other test sends. */
export const YEAR_MARKER = '7341';

type Field = readonly [string, Node];

/** Rarely an odd value, so that about half of all documents are valid. */
const mostly = <T>(right: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: odd });

const raw = (text: string): Node => ({ raw: text });
const string = (text: string): Node => ({ string: text });
const list = (items: readonly Node[]): Node => ({ items });
const object = (fields: readonly Field[]): Node => ({ fields });

const loneSurrogate = fc
  .tuple(fc.string({ maxLength: 3 }), fc.constantFrom('\uD800', '\uDFFF', '\uDC00\uD800'))
  .map(([before, half]) => before + half);
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
  loneSurrogate,
  fc.constantFrom('', ' ', '\u0000', '\uFEFF', '\uFFFD', '__proto__', 'constructor', 'null', '\u2028'),
);

const LEAVES = ['null', 'true', 'false', '0', '-1', '1e999', '""', '{}', '[]', '[[]]', '{"":0}'];
const anyValue: fc.Arbitrary<Node> = fc.oneof(
  fc.constantFrom(...LEAVES).map(raw),
  fc.json({ maxDepth: 3 }).map(raw),
  anyText.map(string),
);

const CODE_SIGNS = [...'ABCxyz019/-,ЖёÅß钢فא१\u0301\u093F\u{20000}\u{1E900}'];
const code = fc.oneof(
  fc.string({ unit: fc.constantFrom(...CODE_SIGNS), minLength: 1, maxLength: 12 }),
  fc.nat({ max: 99_999 }).map((number) => `${BODY_MARKER}${number}`),
  fc.constantFrom('constructor', 'toString', 'hasOwnProperty', 'valueOf'),
);
const oddCode = fc.oneof(
  anyText,
  fc.integer({ min: 255, max: 257 }).map((length) => 'Ж'.repeat(length)),
  code.map((text) => `${text} `),
  fc.constant('SAME'),
);

const digits = fc.oneof(
  fc.integer().map(String),
  fc.integer({ min: -99_999_999, max: 99_999_999 }).map((thousandths) => String(thousandths / 1_000)),
  fc.double({ min: -9e15, max: 9e15, noNaN: true }).map((double) => JSON.stringify(double)),
  fc.constantFrom('0', '-0', '0e5', '1E+2', '12.50', '9007199254740991', '-9007199254740991', '1e-130'),
);
const oddDigits = fc.oneof(
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.constantFrom('9007199254740992', '-1e16', '1e309', '1e-131', '5e-324', '01', '+1', '.5', '1.', '0x1'),
);

const unit = fc.oneof(
  fc.constantFrom('kg', 'шт', 'm²', 'т', 'kg/m', BODY_MARKER),
  // Text that normalization, trimming or case folding would change.
  fc.constantFrom('e\u0301', '\u212B', 'ﬁ', 'ＫＧ', ' kg ', '\u202Ekg', '👨‍👩‍👧', '\u{1FFFF}', '\u2028', 'İ'),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }),
);
const oddUnit = fc.oneof(
  anyText,
  fc.integer({ min: 31, max: 34 }).map((length) => '📦'.repeat(length)),
);

const order = fc.stringMatching(/^OT[0-9]{7}$/);
const oddOrder = fc.oneof(
  anyText,
  fc.constantFrom('OT123456', 'OT12345678', 'ot1234567', 'ОТ1234567', 'OT1234567\n', 'OT१२३४५६७'),
);
const orders = fc.oneof(
  fc.constant(object([])),
  fc.array(mostly(order, oddOrder).map(string), { minLength: 1, maxLength: 4 }).map(list),
);
const oddOrders = fc.oneof(
  fc.integer({ min: 99, max: 101 }).map((count) => list(Array(count).fill(string('OT0000007')))),
  fc.array(anyValue, { maxLength: 3 }).map(list),
  fc.constant(object([['1', string('OT0000001')]])),
);

const field = (name: string, value: fc.Arbitrary<Node>): fc.Arbitrary<Field> =>
  mostly(value, anyValue).map((node) => [name, node] as const);

const oddName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'materialCode', 'StockBalance ', '', 'a/b~1', '\uD800'),
  anyText,
);

/** The fields in any order, sometimes with an extra, a missing or a repeated field. */
const objectOf = (fields: readonly fc.Arbitrary<Field>[]): fc.Arbitrary<Node> =>
  fc
    .tuple(...fields)
    .chain((right) =>
      mostly(
        fc.shuffledSubarray(right, { minLength: right.length }),
        fc.oneof(
          fc.shuffledSubarray(right),
          fc.tuple(oddName, anyValue).map((odd) => [odd, ...right]),
          fc.tuple(fc.constantFrom(...right), anyValue).map(([[name], value]) => [[name, value], ...right]),
          fc.tuple(fc.constantFrom(...right), anyValue).map(([[name], value]) => [...right, [name, value]]),
        ) as fc.Arbitrary<Field[]>,
      ),
    )
    .map(object);

const entry = objectOf([
  field('MaterialCode', mostly(code, oddCode).map(string)),
  field('StockBalance', mostly(digits, oddDigits).map(raw)),
  field('StockBalanceUnit', mostly(unit, oddUnit).map(string)),
  field('PurchaseOrders', mostly(orders, oddOrders)),
]);

export const batch: fc.Arbitrary<Node> = objectOf([
  field('MaterialCodes', fc.array(mostly(entry, anyValue), { minLength: 1, maxLength: 4 }).map(list)),
]);

/** Most are real instants. Many others have the first month, day or hour that does not exist. */
const timestamp = fc.stringMatching(
  /^7341-(0[1-9]|1[0-3])-(0[1-9]|[12][0-9]|3[0-2])T([01][0-9]|2[0-4]):[0-5][0-9]:[0-5][0-9],[0-9]{3}Z$/,
);
const oddTimestamp = fc.oneof(
  anyText,
  timestamp.map((text) => text.replace(',', '.')),
  timestamp.map((text) => text.toLowerCase()),
  timestamp.map((text) => `${text}\n`),
  timestamp.map((text) => text.replace('Z', '+00:00')),
  timestamp.map((text) => text.replace(/\d/, '٣')),
  timestamp.map((text) => text.replace(/:\d\d/, ':60')),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().replace('.', ',')),
);
const leapDays = fc.integer({ min: 1800, max: 2400 }).map((year) => `${year}-02-29T00:00:00,000Z`);

export const change: fc.Arbitrary<Node> = objectOf([
  field('Timestamp', fc.oneof({ weight: 12, arbitrary: timestamp }, leapDays, oddTimestamp).map(string)),
]);

const NESTINGS = [
  ['[', ']'],
  ['{"MaterialCodes":[', ']}'],
  ['{"__proto__":', '}'],
] as const;

export const anyDocument: fc.Arbitrary<Node> = fc.oneof(
  anyValue,
  fc.array(fc.tuple(oddName, anyValue), { maxLength: 4 }).map(object),
  fc
    .tuple(fc.constantFrom(...NESTINGS), fc.integer({ min: 1, max: 30_000 }), fc.boolean())
    .map(([[opening, closing], depth, isClosed]) =>
      raw(opening.repeat(depth) + (isClosed ? closing.repeat(depth) : '')),
    ),
);
