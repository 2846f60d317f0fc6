import { describe, expect, test } from 'vitest';
import { batchOf, largeBatch, newTimestamp, storedBatch } from '../support/batches.ts';
import { expectError, expectProblem } from '../support/problem.ts';
import { isDeployment, useService } from './service.ts';

const service = useService();

const GOOD = { MaterialCode: 'ABC-1', StockBalance: 12.5, StockBalanceUnit: 'kg', PurchaseOrders: {} };

const postBatch = (body: object | string) => service().post('material-stock-balance', body);
const postEntries = (...entries: object[]) => postBatch({ MaterialCodes: entries });

/** JSON.stringify would lose digits of the balance. */
const postBalance = (digits: string) =>
  postBatch(
    `{"MaterialCodes":[{"MaterialCode":"ABC-1","StockBalance":${digits},"StockBalanceUnit":"kg","PurchaseOrders":{}}]}`,
  );

/** Each value with the words that its refusal has. */
const withWords = (refusals: [values: unknown[], words: string][]) =>
  refusals.flatMap(([values, words]) => values.map((value): [unknown, string] => [value, words]));

describe('a Timestamp', () => {
  const sendChange = (Timestamp: unknown) => service().post('changes', { Timestamp });

  test.each(['2024-02-29T23:59:59,999Z', '2000-02-29T00:00:00,000Z', '0001-01-01T00:00:00,001Z'])(
    'is stored exactly as sent: %s',
    async (Timestamp) => {
      await service().expectChange(await sendChange(Timestamp), { Client: service().userName, Timestamp });
    },
  );

  const wrongForms = [
    ...['2026-03-01T08:15:30.123Z', '2026-03-01T08:15:30Z', '2026-03-01T08:15:30,12Z'],
    ...['2026-03-01T08:15:30,1234Z', '2026-03-01T08:15:30,123', '2026-03-01 08:15:30,123Z'],
    ...['2026-03-01t08:15:30,123z', ' 2026-03-01T08:15:30,123Z', '2026-03-01T08:15:30,123Z\n'],
    ...['२०२६-03-01T08:15:30,123Z', ''],
  ];
  const noInstants = [
    ...['2026-02-30T08:15:30,123Z', '1900-02-29T08:15:30,123Z', '2026-13-01T08:15:30,123Z'],
    ...['2026-03-00T08:15:30,123Z', '2026-03-01T24:00:00,000Z', '2026-03-01T08:60:30,123Z'],
    '2026-03-01T08:15:60,123Z',
  ];
  test.each(
    withWords([
      [wrongForms, 'YYYY-MM-DDThh:mm:ss,mmmZ'],
      [noInstants, 'does not exist'],
      [[null, 1_767_225_600, {}, [], true], 'must be a string'],
    ]),
  )('is refused if it is %j: %s', async (Timestamp, words) => {
    expectError(await sendChange(Timestamp), '#/Timestamp', words);
  });

  test('is refused if it is missing', async () => {
    expectError(await service().post('changes', {}), '#/Timestamp', 'The field Timestamp is missing');
  });
});

/** Some codes differ only in letter case or composition. */
const CODES = ['a', 'A', 'Сталь-10/А', '钢板-5', 'فولاذ', 'é', 'e\u0301', '१२३', '/', '-', ',', '\u{20000}'];
const LONG_CODES = ['ABC'.repeat(85), 'Ж'.repeat(256), '\u{20000}'.repeat(256), 'constructor'];
const UNITS = ['kg', 'шт', 'm²', 'pcs.', ' ', 'x'.repeat(32), '😀'.repeat(32)];
const ORDERS = [
  ['OT0000001'],
  ['OT9999999', 'OT0000001', 'OT9999999', 'OT9999999'],
  Array.from({ length: 100 }, (_, index) => `OT${String(9_999_999 - index)}`),
];

test('a batch is stored as sent, with codes, units and orders of all kinds', async () => {
  const variants = [
    ...[...CODES, ...LONG_CODES].map((MaterialCode) => ({ MaterialCode })),
    ...UNITS.map((StockBalanceUnit) => ({ StockBalanceUnit })),
    ...ORDERS.map((PurchaseOrders) => ({ PurchaseOrders })),
  ];
  const entries = variants.map((variant, index) => ({ ...GOOD, MaterialCode: `N-${index}`, ...variant }));
  await service().expectBatch(await postEntries(...entries), storedBatch({ MaterialCodes: entries }));
});

const BAD_CODES = ['', 'A B', 'A.B', 'A_B', 'A\n', 'A\u0000', 'A\u200B', '😀', 'A\uFFFD', 'x'.repeat(257)];
const BAD_UNITS = ['', 'x'.repeat(33), 'k\tg', 'kg\u0000', 'kg\u0085', 'k\uFFFDg'];
const BAD_ORDERS = ['OT123456', 'OT12345678', 'ot1234567', 'ОТ1234567', 'OT１２３４５６７', 'OT1234567 ', ''];

const fieldRefusals: Record<string, [unknown[], string][]> = {
  MaterialCode: [
    [BAD_CODES, '1 to 256 characters'],
    [[null, 1, {}, []], 'must be a string'],
  ],
  StockBalanceUnit: [
    [BAD_UNITS, '1 to 32 characters'],
    [[null, 1, {}], 'must be a string'],
  ],
  PurchaseOrders: [
    [[[]], 'Send the empty object {}'],
    [[Array(101).fill('OT0000001')], '1 to 100'],
    [[null, 'OT0000001', 1, { 1: 'OT0000001' }], 'or the empty object {}'],
  ],
};

describe('an entry', () => {
  describe.each(Object.entries(fieldRefusals))('is refused with the %s', (field, refusals) => {
    test.each(withWords(refusals))('%j: %s', async (value, words) => {
      // U+FFFD is escaped, because a body with the character itself counts as not UTF-8.
      const body = JSON.stringify({ MaterialCodes: [{ ...GOOD, [field]: value }] }).replaceAll(
        '\uFFFD',
        '\\uFFFD',
      );
      const response = await service().post('material-stock-balance', body);
      expectError(response, `#/MaterialCodes/0/${field}`, words);
    });
  });

  test.each(BAD_ORDERS)('is refused with the purchase order %j and a pointer to it', async (order) => {
    const response = await postEntries({ ...GOOD, PurchaseOrders: ['OT0000001', order] });
    expectError(response, '#/MaterialCodes/0/PurchaseOrders/1', 'OT and seven digits');
  });

  test('is refused if an earlier entry has the same MaterialCode', async () => {
    const response = await postEntries(GOOD, { ...GOOD, MaterialCode: 'B' }, { ...GOOD, StockBalance: 1 });
    expectError(response, '#/MaterialCodes/2/MaterialCode', 'is already in entry 0');
  });
});

describe('a StockBalance', () => {
  /** Dynoxide returns all digits. Dynalite and DynamoDB Local return an exponent. Nobody has measured DynamoDB itself. */
  const SMALLEST = [`0.${'0'.repeat(129)}1`, '1e-130'];

  test.each<[string, string | string[]]>([
    ['0', '0'],
    ['-0.0', '0'],
    ['-12.125', '-12.125'],
    ['1.10', '1.1'],
    ['1e3', '1000'],
    ['123456789012.345', '123456789012.345'],
    ['0.1000000000000000055511151231257827', '0.1'],
    ['9007199254740991', '9007199254740991'],
    ['-9007199254740991', '-9007199254740991'],
    ['9007199254740991.4', '9007199254740991'],
    ['1e-130', SMALLEST],
  ])('of %s is stored as %s', async (digits, storedDigits) => {
    const response = await postBalance(digits);
    expect(response.status).toBe(200);
    if (isDeployment) return;
    const { SnapshotId } = response.json();
    expect([storedDigits].flat()).toContain(
      await service().tables.balance(service().userName, SnapshotId, 'ABC-1'),
    );
  });

  test.each([
    ...['9007199254740992', '-9007199254740992', '1e16', '1e308', '1e999', '-1e999'].map(
      (digits) => [digits, 'cannot be stored exactly'] as const,
    ),
    ...['1e-131', '-5e-324'].map((digits) => [digits, 'too close to zero'] as const),
    ...['"7"', '"7,5"', 'null', 'true', '{}', '[1]'].map(
      (value) => [value, 'JSON number, without quotes'] as const,
    ),
  ])('of %s is refused: %s', async (digits, words) => {
    expectError(await postBalance(digits), '#/MaterialCodes/0/StockBalance', words);
  });

  test.each(['1,5', '01', '+1', '.5', '5.', '0x10', 'NaN', 'Infinity', '1_000'])(
    'of %s is a JSON error, with line and column',
    async (digits) => {
      const response = await postBalance(digits);
      expect(response.status).toBe(400);
      expect(response.json().detail).toMatch(/line 1, column \d+/);
    },
  );
});

describe('an unknown field', () => {
  test.each(['Comment', 'stockBalance', '__proto__', 'constructor', 'a/b~c'])(
    'is refused in an entry: %s',
    async (name) => {
      const entry = JSON.stringify(GOOD).replace('{', `{${JSON.stringify(name)}:1,`);
      const response = await postBatch(`{"MaterialCodes":[${entry}]}`);
      const token = name.replace('~', '~0').replace('/', '~1');
      const knownFields = 'MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders';
      expectError(response, `#/MaterialCodes/0/${token}`, knownFields);
    },
  );

  test.each([
    ['batch', 'material-stock-balance', 'MaterialCodes', [GOOD]],
    ['change', 'changes', 'Timestamp', newTimestamp()],
  ])('is refused in a %s', async (_, path, known, value) => {
    const response = await service().post(path, { [known]: value, Source: 'wms' });
    expectError(response, '#/Source', `Use only ${known}`);
  });
});

describe('a batch', () => {
  const batchCount = async () => (isDeployment ? 0 : (await service().tables.batches()).size);

  test.each([
    ['an empty array', [], 'at least one entry'],
    ['an object', { 'ABC-1': GOOD }, 'must be an array of entries'],
  ])('is refused with %s', async (_, MaterialCodes, words) => {
    expectError(await postBatch({ MaterialCodes }), '#/MaterialCodes', words);
  });

  test('is refused with one error in its last entry, and nothing is stored', async () => {
    const before = await batchCount();
    const batch = { MaterialCodes: [...batchOf(500).MaterialCodes, { ...GOOD, StockBalance: '1' }] };
    expectError(await postBatch(batch), '#/MaterialCodes/500/StockBalance', 'JSON number');
    expect(await batchCount()).toBe(before);
  });

  test('gets a 413 with 40,001 entries, and nothing is stored', async () => {
    const before = await batchCount();
    const response = await postBatch(batchOf(40_001));
    expectProblem(response, 413);
    expect(response.json().detail).toContain('at most 40,000 entries');
    expect(await batchCount()).toBe(before);
  });

  // A local engine needs seconds for 40,000 entries. test/soak sends them.
  test('is stored whole in several items', async () => {
    const batch = isDeployment ? batchOf(40_000) : largeBatch();
    await service().expectBatch(await postBatch(batch), storedBatch(batch));
  });
});
