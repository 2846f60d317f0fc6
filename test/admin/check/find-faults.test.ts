import { describe, expect, test } from 'vitest';
import type { Latest } from '../../../admin/check/comparison.ts';
import { findFaults } from '../../../admin/check/find-faults.ts';
import type { Kind } from '../../../admin/check/finding.ts';

const entry = (MaterialCode: string, StockBalanceUnit = 'kg', PurchaseOrders: string[] = []) => ({
  MaterialCode,
  StockBalance: 1,
  StockBalanceUnit,
  PurchaseOrders,
});

const sent = (client: string, ...codes: string[]): Latest => ({
  client,
  entries: codes.map((code) => entry(code)),
});
const naming = (client: string, orders: Record<string, string[]>): Latest => ({
  client,
  entries: Object.entries(orders).map(([code, names]) => entry(code, 'kg', names)),
});
const inUnits = (client: string, units: Record<string, string>): Latest => ({
  client,
  entries: Object.entries(units).map(([code, unit]) => entry(code, unit)),
});

type Given = {
  codes?: (string | Record<string, unknown>)[];
  orders?: string[];
  latest?: Latest[];
};

/** The findings of one kind as "client subject: detail". A code alone is a row without attributes. */
const findingsOf = (kind: Kind, { codes = [], orders = [], latest = [] }: Given) =>
  findFaults({
    codes: codes.map((row) => (typeof row === 'string' ? { MaterialCode: row } : row)),
    orders,
    latest,
  })
    .filter((finding) => finding.kind === kind)
    .map(({ client, subject, detail }) => `${client} ${subject}: ${detail}`);

const testFindings = (kind: Kind, cases: [title: string, given: Given, ...found: string[]][]) => {
  test.each(cases)(`${kind}: %s`, (_, given, ...found) => {
    expect(findingsOf(kind, given)).toEqual(found);
  });
};

const CYRILLIC_A = '\u0410';
const LATIN_OR_CYRILLIC = `"${CYRILLIC_A}" (U+0410, Cyrillic) where the other has "A" (U+0041, Latin), at character 1`;
const UNLISTED = 'Has a balance, but is not in the list';
const add = (name: string) => `Add ${name} to the list, or correct it in the warehouse system.`;
const CORRECT = 'Correct the wrong code.';
const CASE = 'differs only in letter case';

describe('codes that the list lacks', () => {
  testFindings('unlisted-code', [
    [
      'each client that sends a code has its own finding, in order',
      { codes: ['ABC-1'], latest: [sent('south', 'NEW-2', 'NEW-1'), sent('north', 'NEW-2', 'ABC-1')] },
      `south NEW-1: ${UNLISTED}. ${add('NEW-1')}`,
      `north NEW-2: ${UNLISTED}. ${add('NEW-2')}`,
      `south NEW-2: ${UNLISTED}. ${add('NEW-2')}`,
    ],
    [
      'names the code of the list that looks the same',
      { codes: ['ABC-1'], latest: [sent('north', `${CYRILLIC_A}BC-1`)] },
      `north ${CYRILLIC_A}BC-1: ${UNLISTED}. It looks like ABC-1 in the list: ${LATIN_OR_CYRILLIC}. ${CORRECT}`,
    ],
    [
      'names the code of the list that differs in case',
      { codes: ['Болт-1'], latest: [sent('north', 'БОЛТ-1')] },
      `north БОЛТ-1: ${UNLISTED}. It ${CASE} from Болт-1 in the list. ${CORRECT}`,
    ],
    [
      'proposes the code of the list that it looks like, not one that differs in one edit',
      { codes: ['ABC-1', 'ABC-2', 'ABB-1'], latest: [sent('north', 'abc-1')] },
      `north abc-1: ${UNLISTED}. It ${CASE} from ABC-1 in the list. ${CORRECT}`,
    ],
    [
      'does not compare codes that are not in the list',
      { latest: [sent('north', 'ABC-1', 'abc-1')] },
      `north ABC-1: ${UNLISTED}. ${add('ABC-1')}`,
      `north abc-1: ${UNLISTED}. ${add('abc-1')}`,
    ],
    [
      'finds nothing if the list has all',
      { codes: ['ABC-1', 'constructor'], latest: [sent('north', 'ABC-1', 'constructor')] },
    ],
  ]);
});

describe('a code that the list lacks and that differs in one edit', () => {
  const proposed = (codes: string[], ...latest: Latest[]) =>
    findingsOf('unlisted-code', { codes, latest }).map((found) => /Did you mean (.*?)\?/.exec(found)?.[1]);

  test.each([
    ['a character less', 'Kabel-8/02', 'Kabel-8/002'],
    ['a character more', 'Kabel-8/0022', 'Kabel-8/002'],
    ['another character', 'Kabel-8/0O2', 'Kabel-8/002'],
    ['another first character', 'Cabel-8/002', 'Kabel-8/002'],
    ['another last character', 'Сталь-10/Б', 'Сталь-10/А'],
    ['two characters swapped', 'Kable-8/002', 'Kabel-8/002'],
    ['nothing left but one character', 'A', 'AB'],
  ])('by %s gets a proposal: %s', (_, code, listed) => {
    expect(proposed([listed, 'Rohr-4/014'], sent('north', code))).toEqual([listed]);
  });

  test.each([
    ['two edits', 'Kabl-8/02'],
    ['two characters swapped that are not neighbours', 'Kebal-8/002'],
    ['more than 40 characters', `${'K'.repeat(40)}2`],
  ])('gets none for %s: %s', (_, code) => {
    expect(proposed(['Kabel-8/002', 'K'.repeat(40)], sent('north', code))).toEqual([undefined]);
  });

  test('gets the code without a balance, not one that is sent, too', () => {
    expect(proposed(['AB-1', 'AC-1'], sent('north', 'A-1'), sent('south', 'AB-1'))).toEqual(['AC-1']);
    expect(proposed(['AB-1'], sent('north', 'A-1', 'AB-1'))).toEqual(['AB-1']);
  });

  test('gets no other number of the series that the client sends, too', () => {
    expect(proposed(['A-1', 'A-2'], sent('north', 'A-1', 'A-2', 'A-3'))).toEqual([undefined]);
    expect(proposed(['A-1', 'A-2'], sent('north', 'A-1', 'A-3'))).toEqual(['A-2']);
    expect(proposed(['A-1'], sent('north', 'A-3'), sent('south', 'A-1'))).toEqual(['A-1']);
  });

  test('is found whether the list or the batch is longer', () => {
    const many = Array.from({ length: 9 }, (_, index) => `M-${index}/${index}`);
    expect(proposed(['AB-1'], sent('north', ...many, 'A-1'))[0]).toBe('AB-1');
    expect(proposed(['AB-1', ...many], sent('north', 'A-1'))).toEqual(['AB-1']);
  });
});

describe('codes in the list without a balance', () => {
  const none = (snapshots: string) => `Is in the list, but has no balance in ${snapshots}.`;
  const ofNorth = none('the latest snapshot of north');
  const advice =
    'Remove it from the list if it is no longer used. Otherwise, have the warehouse system send its balance, even if that is 0.';

  testFindings('no-balance', [
    ['one client', { codes: ['OLD-1', 'A'], latest: [sent('north', 'A')] }, ` OLD-1: ${ofNorth} ${advice}`],
    [
      'two clients',
      { codes: ['OLD-1'], latest: [sent('north', 'A'), sent('south', 'A')] },
      ` OLD-1: ${none('any of the latest snapshots of north and south')} ${advice}`,
    ],
    [
      'seven clients',
      { codes: ['OLD-1'], latest: [...'abcdefg'].map((client) => sent(client, 'A')) },
      ` OLD-1: ${none('any of the latest snapshots of a, b, c, d, e and 2 more')} ${advice}`,
    ],
    [
      'names the sent code that looks the same',
      { codes: ['ABC-1'], latest: [sent('north', `${CYRILLIC_A}BC-1`)] },
      ` ABC-1: ${ofNorth} ${CYRILLIC_A}BC-1 has a balance and looks the same. ${CORRECT}`,
    ],
    [
      'names the sent code that differs in case',
      { codes: ['ABC-1'], latest: [sent('north', 'abc-1')] },
      ` ABC-1: ${ofNorth} abc-1 has a balance and ${CASE}. ${CORRECT}`,
    ],
    [
      'finds nothing if any client has one',
      { codes: ['A', 'B'], latest: [sent('north', 'A'), sent('south', 'B')] },
    ],
    ['finds nothing if no client has sent a snapshot', { codes: ['A', 'B'] }],
  ]);
});

describe('codes that look alike', () => {
  const ONE = 'If both mean the same material,';
  const LATIN_O = '"O" (U+004F, Latin), at character 2';
  const GREEK_G = '"\u0393" (U+0393, Greek), at character 1';
  test.each([
    ['Latin and Cyrillic', 'A-1', '\u0410-1', LATIN_OR_CYRILLIC],
    ['Latin and Greek', 'BO', 'B\u039F', `"\u039F" (U+039F, Greek) where the other has ${LATIN_O}`],
    ['Greek and Cyrillic', '\u0393', '\u0413', `"\u0413" (U+0413, Cyrillic) where the other has ${GREEK_G}`],
    [
      'composed and decomposed',
      'Cafe\u0301',
      'Caf\u00E9',
      '"\u00E9" (U+00E9, Latin) where the other has "e\u0301" (U+0065 U+0301, Latin, decomposed), at character 4',
    ],
    [
      'accents on letters of two scripts',
      '\u00CB',
      '\u0401',
      '"\u0401" (U+0401, Cyrillic) where the other has "\u00CB" (U+00CB, Latin), at character 1',
    ],
    [
      'full-width forms',
      'AB',
      'A\uFF22',
      '"\uFF22" (U+FF22, Latin, full-width) where the other has "B" (U+0042, Latin), at character 2',
    ],
    [
      'ligatures',
      'fit',
      '\uFB01t',
      '"\uFB01" (U+FB01, Latin, compatibility form) where the other has "fi" (U+0066 U+0069, Latin), at character 1',
    ],
    ['dashes', 'A-1', 'A\u20131', '"\u2013" (U+2013) where the other has "-" (U+002D), at character 2'],
    [
      'invisible characters',
      'A1',
      'A\u034F1',
      '"A\u034F" (U+0041 U+034F, Latin) where the other has "A" (U+0041, Latin), at character 1',
    ],
    ['blanks', 'A1', 'A1 ', '" " (U+0020) where the other has nothing, at character 3'],
  ])('are found: %s', (_, original, code, difference) => {
    const advice = `${ONE} remove the wrong code from the list.`;
    const detail = `Is in the list and looks like ${original} in the list: ${difference}. ${advice}`;
    expect(findingsOf('look-alike', { codes: [code, original] })).toEqual([` ${code}: ${detail}`]);
  });

  const CYRILLIC_C = '"\u0421" (U+0421, Cyrillic)';
  const LATIN_C = '"C" (U+0043, Latin)';
  testFindings('look-alike', [
    [
      'the code of the list is the original of a sent code',
      { codes: ['\u0421-1'], latest: [sent('north', 'C-1')] },
      `north C-1: Is sent by north and looks like \u0421-1 in the list: ${LATIN_C} where the other has ${CYRILLIC_C}, at character 1. ${ONE} correct the wrong code.`,
    ],
    [
      'compares the snapshots of clients',
      { latest: [sent('north', 'C-1'), sent('south', '\u0421-1'), sent('west', '\u0421-1')] },
      ` \u0421-1: Is sent by south and west and looks like C-1 sent by north: ${CYRILLIC_C} where the other has ${LATIN_C}, at character 1. ${ONE} have the warehouse system send only one of them.`,
    ],
    [
      'finds nothing among codes that a person can tell apart',
      {
        codes: 'Болт-M8 Bolt-M8 Болт-8 болт-в болт-b O1 01 I-1 l-1 1-1 Ель Ёль'.split(' '),
        latest: [sent('north', 'Гайка-M8', 'Сталь-10/А')],
      },
    ],
  ]);

  test('that also differ in case are described by their letters first', () => {
    expect(findingsOf('look-alike', { codes: ['сталь-\u0430', 'СТАЛЬ-A'] })).toEqual([
      expect.stringMatching(
        /^ сталь-\u0430: .* in the list: "\u0430" \(U\+0430, Cyrillic\) where the other has "A" \(U\+0041, Latin\), at character 7; "с" \(U\+0441.*; and 3 more differences\./,
      ),
    ]);
  });

  test('are all found except the first', () => {
    const codes = ['AB', '\u0410B', 'A\u0412', '\u0410\u0412'];
    const subjects = findingsOf('look-alike', { codes }).map((found) => found.split(':')[0]);
    expect(subjects).toEqual([' A\u0412', ' \u0410B', ' \u0410\u0412']);
  });

  const inCase = { codes: ['abc-1', 'БОЛТ-В'], latest: [sent('north', 'ABC-1', 'болт-в')] };
  const differs = (original: string) =>
    `Is sent by north and ${CASE} from ${original} in the list. ${ONE} correct the wrong code.`;
  testFindings('case-differs', [
    [
      'codes that differ only in case',
      inCase,
      `north ABC-1: ${differs('abc-1')}`,
      `north болт-в: ${differs('БОЛТ-В')}`,
    ],
    ['finds nothing if codes differ in more', { codes: ['abc-1', 'ABC-2', 'Maß', 'MASS'] }],
  ]);
  testFindings('look-alike', [['does not repeat a difference in case', inCase]]);
});

describe('purchase orders', () => {
  const [first, second] = ['OT0000001', 'OT0000002'];
  const manyCodes = Array.from({ length: 1_234 }, (_, index) => `M-${1_000 + index}`);
  const lacks = (materials: string) => `${materials} it, but it is not in the list. ${add('it')}`;

  testFindings('unlisted-order', [
    [
      'names the materials of each client',
      {
        orders: [first],
        latest: [
          naming('south', { B: [second, second], A: [first, second] }),
          naming('north', { C: [second] }),
        ],
      },
      `north ${second}: ${lacks('1 material (C) names')}`,
      `south ${second}: ${lacks('2 materials (A and B) name')}`,
    ],
    [
      'names the first of many materials',
      { latest: [naming('north', Object.fromEntries(manyCodes.map((code) => [code, [first]])))] },
      `north ${first}: ${lacks('1,234 materials (M-1000, M-1001, M-1002, M-1003, M-1004 and 1,229 more) name')}`,
    ],
    [
      'finds nothing if the list has all',
      { orders: [first, second], latest: [naming('north', { A: [second], B: [] })] },
    ],
  ]);
  testFindings('unused-order', [
    [
      'an order of the list that no balance names',
      { orders: [second, first], latest: [naming('north', { A: [second] })] },
      ` ${first}: Is in the list, but no balance in the latest snapshot of north names it. Remove it from the list if it is closed.`,
    ],
    [
      'finds nothing if any client names it',
      {
        orders: [first, second],
        latest: [naming('north', { A: [first] }), naming('south', { A: [second] })],
      },
    ],
    ['finds nothing if no client has sent a snapshot', { orders: [first] }],
  ]);
});

describe('units', () => {
  const sameEntries = [entry('A'), entry('B'), entry('C', 'm')];
  const inList = (name: string) =>
    `north A: Is in "kg", but ${name} is "t" in the list. Correct the wrong unit.`;
  const withRow = (attributes: object) => ({
    codes: [{ MaterialCode: 'A', ...attributes }],
    latest: [inUnits('north', { A: 'kg' })],
  });

  testFindings('unit-differs', [
    [
      'between clients',
      {
        latest: [
          inUnits('north', { A: 'kg', B: 'm' }),
          inUnits('south', { A: 't', B: 'm' }),
          inUnits('west', { A: 'kg' }),
        ],
      },
      ' A: Comes in "kg" from north and west and "t" from south. Have all clients send the same unit.',
    ],
    ['from Unit in the list', withRow({ Unit: 't' }), inList('Unit')],
    [
      'from StockBalanceUnit in the list, before Unit',
      withRow({ StockBalanceUnit: 't', Unit: 'kg' }),
      inList('StockBalanceUnit'),
    ],
    ['from a text in the list, not a number', withRow({ StockBalanceUnit: 7, Unit: 't' }), inList('Unit')],
    [
      'finds nothing if units are the same or not in the list',
      {
        codes: [{ MaterialCode: 'A', Unit: 'kg' }, { MaterialCode: 'B', Unit: 7 }, 'C'],
        latest: ['north', 'south'].map((client) => ({ client, entries: sameEntries })),
      },
    ],
  ]);

  const latestWith = (...units: string[]) => [
    { client: 'north', entries: ['kg', 'kg', ...units].map((unit, index) => entry(`A-${index}`, unit)) },
  ];
  const HAS_K = 'where the other has "k" (U+006B, Latin), at character 1';
  const HAS_G = 'where the other has "g" (U+0067, Latin), at character 2';

  test.each([
    ['KG', `"K" (U+004B, Latin) ${HAS_K}; "G" (U+0047, Latin) ${HAS_G}`],
    ['кг', `"к" (U+043A, Cyrillic) ${HAS_K}; "г" (U+0433, Cyrillic) ${HAS_G}`],
    ['kg ', '" " (U+0020) where the other has nothing, at character 3'],
    ['kg.', '"." (U+002E) where the other has nothing, at character 3'],
    ['ｋg', `"ｋ" (U+FF4B, Latin, full-width) ${HAS_K}`],
  ])('%j may be the same as kg', (unit, difference) => {
    const detail = `May be the same unit as "kg", which 2 balances have: ${difference}. 1 balance has it, such as the balance of A-2. If it is the same, have all clients send one of the two.`;
    expect(findingsOf('unit-differs', { latest: latestWith(unit) })).toEqual([`north ${unit}: ${detail}`]);
  });

  test.each([
    ['м', 'm'],
    ['м²', 'm2'],
    ['см', 'cm'],
    ['Шт.', 'шт'],
    ['\u00B5m', '\u03BCm'],
  ])('%s may be the same as the more usual %s', (odd, usual) => {
    const latest = [inUnits('north', { A: odd, B: usual }), inUnits('south', { C: usual, D: odd, E: usual })];
    const [found = '', ...others] = findingsOf('unit-differs', { latest });
    const detail = ` ${odd}: May be the same unit as "${usual}", which 3 balances have: `;
    expect(found.startsWith(detail)).toBe(true);
    expect(found).toContain('2 balances have it, such as the balance of A.');
    expect(others).toEqual([]);
  });

  test('that look different are not found', () => {
    const latest = latestWith('g', 't', 'т/м', 'm', 'шт', 'pcs', 'm2', 'm3', 'л');
    expect(findingsOf('unit-differs', { latest })).toEqual([]);
  });
});

describe('all findings', () => {
  test('are sorted by severity, then by kind, then by subject, then by client, in any order of the input', () => {
    const order = 'OT0000001';
    const north = { client: 'north', entries: [entry('ABC-1', 't'), entry('NEW-1', 'kg', [order])] };
    const south = sent('south', 'NEW-1', 'abc-1');
    const codes = ['ABC-1', 'OLD-2', 'OLD-1', '\u041ELD-1'].map((MaterialCode) => ({
      MaterialCode,
      Unit: 'kg',
    }));
    const orders = ['OT0000003', 'OT0000002'];
    const found = findFaults({ codes, orders, latest: [north, south] });
    expect(found.map(({ kind, subject, client }) => `${kind} ${subject} ${client}`)).toEqual([
      'unit-differs ABC-1 north',
      'look-alike \u041ELD-1 ',
      'case-differs abc-1 south',
      'unlisted-code NEW-1 north',
      'unlisted-code NEW-1 south',
      'unlisted-code abc-1 south',
      `unlisted-order ${order} north`,
      'no-balance OLD-1 ',
      'no-balance OLD-2 ',
      'no-balance \u041ELD-1 ',
      'unused-order OT0000002 ',
      'unused-order OT0000003 ',
    ]);
    const reversed = { codes: codes.toReversed(), orders: orders.toReversed(), latest: [south, north] };
    expect(findFaults(reversed)).toEqual(
      found.map((finding) => ({
        ...finding,
        detail: finding.detail.replace('north and south', 'south and north'),
      })),
    );
  });
});
