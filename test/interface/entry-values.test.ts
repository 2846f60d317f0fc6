import { describe, expect, test } from 'vitest';
import { byCode } from '../support/batches.ts';
import { expectFault } from '../support/problem.ts';
import { GOOD } from './good-entry.ts';
import { isDeployment, useService } from './service.ts';

const service = useService();

const postEntries = (...entries: object[]) =>
  service().post('material-stock-balance', { MaterialCodes: entries });

/** Kept as it was sent, beside another entry of the same batch. */
const expectEntryKept = async (sent: object, stored: object = sent) => {
  const other = { ...GOOD, MaterialCode: 'other' };
  const answer = await postEntries({ ...GOOD, ...sent }, other);
  const expected = [
    { ...GOOD, PurchaseOrders: [], ...stored },
    { ...other, PurchaseOrders: [] },
  ];
  await service().expectBatch(answer, expected.toSorted(byCode));
};

describe('a MaterialCode', () => {
  test.each([
    'a',
    'ABC/12-3,4',
    'Сталь-10/А',
    '钢板-5',
    'فولاذ',
    'Größe',
    'é',
    '१२३',
    '/',
    '-',
    ',',
    '\u{20000}',
    'ABC'.repeat(85),
    'Ж'.repeat(256),
    '\u{20000}'.repeat(256),
    'constructor',
  ])('of %j is kept', async (MaterialCode) => {
    await expectEntryKept({ MaterialCode });
  });

  test.each([
    '',
    ' ',
    'A B',
    'A.B',
    'A_B',
    'A#1',
    'A\n',
    'A\u0000',
    'A\u200B',
    '😀',
    'A\uFFFD',
    'x'.repeat(257),
  ])('of %j is refused', async (MaterialCode) => {
    const answer = await postEntries({ ...GOOD, MaterialCode });
    expectFault(answer, '#/MaterialCodes/0/MaterialCode', '1 to 256 characters');
  });

  test.each([null, 1, {}, []])('that is no string is refused: %j', async (MaterialCode) => {
    const answer = await postEntries({ ...GOOD, MaterialCode });
    expectFault(answer, '#/MaterialCodes/0/MaterialCode', 'has to be a string');
  });

  test('that stands twice in a batch is refused at its second place', async () => {
    const answer = await postEntries(GOOD, { ...GOOD, MaterialCode: 'B' }, { ...GOOD, StockBalance: 1 });
    expectFault(answer, '#/MaterialCodes/2/MaterialCode', 'stands in entry 0 already');
  });

  test('is another one in another letter case or composition', async () => {
    const codes = ['abc', 'ABC', 'Abc', '\u00e9', 'e\u0301'];
    const answer = await postEntries(...codes.map((MaterialCode) => ({ ...GOOD, MaterialCode })));
    const expected = codes.map((MaterialCode) => ({ ...GOOD, MaterialCode, PurchaseOrders: [] }));
    await service().expectBatch(answer, expected.toSorted(byCode));
  });
});

describe('a StockBalance', () => {
  /** As text, since that is where digits are lost. */
  const postBalance = (digits: string) =>
    service().post(
      'material-stock-balance',
      `{"MaterialCodes":[{"MaterialCode":"ABC-1","StockBalance":${digits},"StockBalanceUnit":"kg","PurchaseOrders":{}}]}`,
    );

  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['-12.125', '-12.125'],
    ['0.001', '0.001'],
    ['1.10', '1.1'],
    ['1e3', '1000'],
    ['123456789012.345', '123456789012.345'],
    ['0.123456789012345', '0.123456789012345'],
    ['0.1000000000000000055511151231257827', '0.1'],
    ['9007199254740991', '9007199254740991'],
    ['-9007199254740991', '-9007199254740991'],
    ['9007199254740991.4', '9007199254740991'],
    ['1e-130', `0.${'0'.repeat(129)}1`],
  ])('of %s is kept as %s', async (sent, kept) => {
    const answer = await postBalance(sent);
    expect(answer.status).toBe(200);
    if (isDeployment) return;
    const [row] = await service().tables.select(
      `SELECT Balances."ABC-1".StockBalance FROM {BalanceSnapshots} WHERE Client = '${service().username}' AND SnapshotId = '${answer.json().SnapshotId}'`,
    );
    expect(row?.['StockBalance']?.N).toBe(kept);
  });

  test.each(['9007199254740992', '-9007199254740992', '1e16', '1e308', '1e999', '-1e999'])(
    'of %s is refused, since it could not be kept exactly',
    async (digits) => {
      expectFault(await postBalance(digits), '#/MaterialCodes/0/StockBalance', 'could not be kept exactly');
    },
  );

  test.each(['1e-131', '-5e-324'])('of %s is refused, since it could not be kept at all', async (digits) => {
    expectFault(await postBalance(digits), '#/MaterialCodes/0/StockBalance', 'nearer to zero');
  });

  test.each(['"7"', '"7,5"', 'null', 'true', '{}', '[1]'])('of %s is refused', async (value) => {
    expectFault(await postBalance(value), '#/MaterialCodes/0/StockBalance', 'JSON number, without quotes');
  });

  test.each(['1,5', '01', '+1', '.5', '5.', '0x10', 'NaN', 'Infinity', '1_000'])(
    'written as %s is no JSON, and the place is told',
    async (digits) => {
      const answer = await postBalance(digits);
      expect(answer.status).toBe(400);
      expect(answer.json().detail).toMatch(/line 1, column \d+/);
    },
  );
});

describe('a StockBalanceUnit', () => {
  test.each(['kg', 'шт', 'm²', 'pcs.', ' ', 'x'.repeat(32), '😀'.repeat(32)])(
    'of %j is kept',
    async (StockBalanceUnit) => {
      await expectEntryKept({ StockBalanceUnit });
    },
  );

  test.each(['', 'x'.repeat(33), 'k\tg', 'kg\u0000', 'kg\u0085', 'k\uFFFDg'])(
    'of %j is refused',
    async (unit) => {
      const answer = await postEntries({ ...GOOD, StockBalanceUnit: unit });
      expectFault(answer, '#/MaterialCodes/0/StockBalanceUnit', '1 to 32 characters');
    },
  );

  test.each([null, 1, {}])('that is no string is refused: %j', async (StockBalanceUnit) => {
    const answer = await postEntries({ ...GOOD, StockBalanceUnit });
    expectFault(answer, '#/MaterialCodes/0/StockBalanceUnit', 'has to be a string');
  });
});

describe('PurchaseOrders', () => {
  test('of {} are kept as none', async () => {
    await expectEntryKept({ PurchaseOrders: {} }, { PurchaseOrders: [] });
  });

  test.each([
    [['OT0000001']],
    [['OT9999999', 'OT0000001', 'OT9999999', 'OT9999999']],
    [Array.from({ length: 100 }, (_, index) => `OT${String(9_999_999 - index)}`)],
  ])('of %j are kept with their repeats, in their order', async (PurchaseOrders) => {
    await expectEntryKept({ PurchaseOrders });
  });

  test('of [] are refused with a message that says {}', async () => {
    const answer = await postEntries({ ...GOOD, PurchaseOrders: [] });
    expectFault(answer, '#/MaterialCodes/0/PurchaseOrders', 'send the empty object {} for none');
  });

  test('of 101 are refused', async () => {
    const answer = await postEntries({ ...GOOD, PurchaseOrders: Array(101).fill('OT0000001') });
    expectFault(answer, '#/MaterialCodes/0/PurchaseOrders', '1 to 100');
  });

  test.each([
    'OT123456',
    'OT12345678',
    'ot1234567',
    'ОТ1234567',
    'OT１２３４５６７',
    'OT1234567 ',
    'XX1234567',
    '',
  ])('of another shape are refused: %j', async (order) => {
    const answer = await postEntries({ ...GOOD, PurchaseOrders: ['OT0000001', order] });
    expectFault(answer, '#/MaterialCodes/0/PurchaseOrders/1', 'OT and seven digits');
  });

  test.each([null, 'OT0000001', 1, { 1: 'OT0000001' }])('of another kind are refused: %j', async (orders) => {
    const answer = await postEntries({ ...GOOD, PurchaseOrders: orders });
    expectFault(answer, '#/MaterialCodes/0/PurchaseOrders', 'or the empty object {} for none');
  });
});

describe('a field that is not known is refused', () => {
  test.each(['Comment', 'stockBalance', '__proto__', 'constructor', 'a/b~c'])(
    'in an entry: %s',
    async (name) => {
      const entry = JSON.stringify(GOOD).replace('{', `{${JSON.stringify(name)}:1,`);
      const answer = await service().post('material-stock-balance', `{"MaterialCodes":[${entry}]}`);
      const token = name.replace('~', '~0').replace('/', '~1');
      expectFault(
        answer,
        `#/MaterialCodes/0/${token}`,
        'MaterialCode, StockBalance, StockBalanceUnit and PurchaseOrders',
      );
    },
  );
});

describe('of a key that is repeated', () => {
  test('the last counts in an entry', async () => {
    const entry =
      '{"StockBalance":"x","MaterialCode":"first","MaterialCode":"last","StockBalance":1,"StockBalance":2,"StockBalanceUnit":"kg","PurchaseOrders":[],"PurchaseOrders":{}}';
    const answer = await service().post('material-stock-balance', `{"MaterialCodes":[${entry}]}`);
    await service().expectBatch(answer, [
      { MaterialCode: 'last', StockBalance: 2, StockBalanceUnit: 'kg', PurchaseOrders: [] },
    ]);
  });
});
