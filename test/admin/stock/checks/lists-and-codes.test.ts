import { describe, expect, test } from 'vitest';
import type { Kind } from '../../../../admin/stock/checks/kinds.ts';
import { homoglyphs, replaceHomoglyphs } from '../../../../admin/stock/look-alikes.ts';
import { entry } from '../make-stock.ts';
import { findingsIn, type Given, inUnits, type Latest, linesOf, naming, sent } from './checked-stock.ts';

const testFindings = (kind: Kind, cases: [title: string, given: Given, ...found: string[]][]) => {
  test.each(cases)(`${kind}: %s`, (_, given, ...found) => {
    expect(linesOf(kind, given)).toEqual(found);
  });
};

const CYRILLIC_A = '\u0410';
const LATIN_OR_CYRILLIC = `"${CYRILLIC_A}" (U+0410, Cyrillic) where the other has "A" (U+0041, Latin), at character 1`;
const UNLISTED = 'Has a balance, but is not in the list';
const add = (name: string) => `Add ${name} to the list, or correct it in the warehouse system.`;
const CORRECT = 'Correct the wrong code.';
const CASE = 'differs only in letter case';

testFindings('unlisted-code', [
  [
    'names each warehouse that sends it',
    { codes: ['ABC-1'], latest: [sent('south', 'NEW-1', 'ABC-1'), sent('north', 'NEW-1')] },
    `north NEW-1: ${UNLISTED}. ${add('NEW-1')}`,
    `south NEW-1: ${UNLISTED}. ${add('NEW-1')}`,
  ],
  [
    'names the code of the list that looks the same',
    { codes: ['ABC-1'], latest: [sent('north', `${CYRILLIC_A}BC-1`)] },
    `north ${CYRILLIC_A}BC-1: ${UNLISTED}. It looks like ABC-1 in the list: ${LATIN_OR_CYRILLIC}. ${CORRECT}`,
  ],
  [
    'names the code of the list that differs in case, not one that differs in one edit',
    { codes: ['Болт-1', 'Болт-2'], latest: [sent('north', 'БОЛТ-1')] },
    `north БОЛТ-1: ${UNLISTED}. It ${CASE} from Болт-1 in the list. ${CORRECT}`,
  ],
  [
    'names the code of the list, not a sent one that looks more like it',
    { codes: ['ab'], latest: [sent('north', 'AB', `${CYRILLIC_A}B`)] },
    `north AB: ${UNLISTED}. It ${CASE} from ab in the list. ${CORRECT}`,
    expect.stringMatching(/ It looks like ab in the list: .* Correct the wrong code\.$/),
  ],
  ['finds none if the list has all', { codes: ['A', 'toString'], latest: [sent('north', 'A', 'toString')] }],
]);

describe('a code that the list lacks and that differs in one edit', () => {
  const proposed = (codes: string[], ...latest: Latest[]) =>
    linesOf('unlisted-code', { codes, latest }).map((found) => /Did you mean (.*?)\?/.exec(found)?.[1]);

  test.each([
    ['a character less', 'Kabel-8/02', 'Kabel-8/002'],
    ['a character more', 'Kabel-8/0022', 'Kabel-8/002'],
    ['another character', 'Kabel-8/0O2', 'Kabel-8/002'],
    ['another first character', 'Cabel-8/002', 'Kabel-8/002'],
    ['another last character', 'Сталь-10/Б', 'Сталь-10/А'],
    ['two characters swapped', 'Kable-8/002', 'Kabel-8/002'],
    ['nothing left but one character', 'A', 'AB'],
    ['one of 40 characters replaced', `${'K'.repeat(39)}2`, 'K'.repeat(40)],
    ['a letter with its accent more', 'Kabel-8/00\u0438\u03062', 'Kabel-8/002'],
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

  test('gets no other number of the series that the warehouse sends, too', () => {
    expect(proposed(['A-1', 'A-2'], sent('north', 'A-1', 'A-2', 'A-3'))).toEqual([undefined]);
    expect(proposed(['A-1', 'A-2'], sent('north', 'A-1', 'A-3'))).toEqual(['A-2']);
    expect(proposed(['A-1'], sent('north', 'A-3'), sent('south', 'A-1'))).toEqual(['A-1']);
  });
});

const none = (batches: string) =>
  `Is in the list, but has no balance in ${batches}. Remove it from the list if it is no longer used. Otherwise, have the warehouse system send its balance, even if the balance is 0.`;
testFindings('no-balance', [
  [
    'two warehouses',
    { codes: ['OLD-1'], latest: [sent('north', 'A'), sent('south', 'A')] },
    ` OLD-1: ${none('any of the latest batches of north and south')}`,
  ],
  [
    'names the sent code that looks the same',
    { codes: ['ABC-1'], latest: [sent('north', `${CYRILLIC_A}BC-1`)] },
    ` ABC-1: Is in the list, but has no balance in the latest batch of north. ${CYRILLIC_A}BC-1 has a balance and looks the same. ${CORRECT}`,
  ],
  [
    'names no code of the list that looks the same',
    { codes: ['ABC-1', `${CYRILLIC_A}BC-1`], latest: [sent('north', 'B', `${CYRILLIC_A}BC-1`)] },
    ` ABC-1: ${none('the latest batch of north')}`,
  ],
  ['finds none if any warehouse has one', { codes: ['A'], latest: [sent('north', 'A'), sent('south', 'B')] }],
  ['finds nothing if no warehouse has sent a batch', { codes: ['A', 'B'] }],
]);

describe('codes that look alike', () => {
  const ONE = 'If both mean the same material,';
  test.each([
    ['Latin and Cyrillic', 'A-1', '\u0410-1', LATIN_OR_CYRILLIC],
    ['Latin and Greek', 'BO', 'B\u039F', '"\u039F" (U+039F, Greek) where the other has "O" (U+004F, Latin)'],
    ['Greek and Cyrillic', '\u0393', '\u0413', '"\u0413" (U+0413, Cyrillic) where the other has "\u0393"'],
    ['an accent apart', 'Cafe\u0301', 'Caf\u00E9', '"\u00E9" (U+00E9, Latin) where the other has "e\u0301"'],
    ['accents on letters of two scripts', '\u00CB', '\u0401', '"\u0401" (U+0401, Cyrillic) where the other'],
    ['full-width forms', 'AB', 'A\uFF22', '"\uFF22" (U+FF22, Latin, full-width) where the other has "B"'],
    ['ligatures', 'fit', '\uFB01t', '"\uFB01" (U+FB01, Latin, compatibility form) where the other has "fi"'],
    ['dashes', 'A-1', 'A\u20131', '"\u2013" (U+2013) where the other has "-" (U+002D), at character 2'],
    ['invisible characters', 'A1', 'A\u034F1', '"A\u034F" (U+0041 U+034F, Latin) where the other has "A"'],
    ['blanks', 'A1', 'A1 ', '" " (U+0020) where the other has nothing, at character 3'],
  ])('are found: %s', (_, original, code, difference) => {
    const detail = `Is in the list and looks like ${original} in the list: ${difference}`;
    const found = linesOf('look-alike', { codes: [code, original] });
    expect(found).toEqual([expect.stringContaining(` ${code}: ${detail}`)]);
    expect(found[0]).toContain(`. ${ONE} remove the wrong code from the list.`);
  });

  const CYRILLIC_C = '"\u0421" (U+0421, Cyrillic)';
  const LATIN_C = '"C" (U+0043, Latin)';
  const apart = 'Болт-M8 Bolt-M8 Болт-8 болт-в болт-b O1 01 I-1 l-1 1-1 Ель Ёль'.split(' ');
  const inCase = { codes: ['abc-1', 'БОЛТ-В', 'ψυξισ'], latest: [sent('north', 'ABC-1', 'болт-в', 'ΨΥΞΙΣ')] };
  testFindings('look-alike', [
    [
      'the code of the list is the original of a sent code',
      { codes: ['\u0421-1'], latest: [sent('north', 'C-1')] },
      `north C-1: Is sent by north and looks like \u0421-1 in the list: ${LATIN_C} where the other has ${CYRILLIC_C}, at character 1. ${ONE} correct the wrong code.`,
    ],
    [
      'compares the batches of warehouses',
      {
        latest: [
          ...[...'abcdefg'].map((name) => sent(name, 'C-1')),
          sent('south', '\u0421-1'),
          sent('west', '\u0421-1'),
        ],
      },
      ` \u0421-1: Is sent by south and west and looks like C-1 sent by a, b, c, d, e and 2 more: ${CYRILLIC_C} where the other has ${LATIN_C}, at character 1. ${ONE} have the warehouse system send only one of the codes.`,
    ],
    [
      'finds nothing among codes that a person can tell apart',
      { codes: apart, latest: [sent('north', 'Гайка')] },
    ],
    ['does not repeat a difference in case', inCase],
    [
      'ignores a code that the latest batch left out',
      { batches: { north: ['\u0421-1', 'C-1'].map((code, at) => ({ at: at + 1, ...sent('north', code) })) } },
    ],
  ]);

  test('that also differ in case are described by their letters first', () => {
    const [found] = linesOf('look-alike', { codes: ['сталь-\u0430', 'СТАЛЬ-A'] });
    expect(found).toMatch(/^ сталь-\u0430: .* "\u0430" .* has "A" .*, at character 7; "с" .*; and 3 more/);
  });

  test('are all found except the first', () => {
    const codes = ['AB', '\u0410B', 'A\u0412', '\u0410\u0412'];
    const subjects = linesOf('look-alike', { codes }).map((found) => found.split(':')[0]);
    expect(subjects).toEqual([' A\u0412', ' \u0410B', ' \u0410\u0412']);
  });

  const differs = (original: string) =>
    `Is sent by north and ${CASE} from ${original} in the list. ${ONE} correct the wrong code.`;
  testFindings('case-differs', [
    [
      'codes',
      inCase,
      `north ABC-1: ${differs('abc-1')}`,
      `north ΨΥΞΙΣ: ${differs('ψυξισ')}`,
      `north болт-в: ${differs('БОЛТ-В')}`,
    ],
    ['finds nothing if codes differ in more', { codes: ['abc-1', 'ABC-2', 'Maß', 'MASS'] }],
  ]);
});

const [first, second] = ['OT0000001', 'OT0000002'];
const lacks = (materials: string) => `${materials} it, but it is not in the list. ${add('it')}`;

testFindings('unlisted-order', [
  [
    'names the materials of each warehouse',
    { orders: [first], latest: [naming('south', { B: [second, second], A: [first, second] })] },
    `south ${second}: ${lacks('2 materials (A and B) name')}`,
  ],
  [
    'is an order with any signs, which somebody edited by hand',
    { orders: [first], latest: [naming('north', { A: ['"\\', first] })] },
    `north "\\: ${lacks('1 material (A) names')}`,
  ],
  ['finds none if the list has all', { orders: [first, second], latest: [naming('north', { A: [second] })] }],
]);
testFindings('unused-order', [
  [
    'an order of the list that no balance of any warehouse names',
    { orders: [second, first], latest: [naming('north', { A: [second] }), naming('south', { A: [] })] },
    ` ${first}: Is in the list, but no balance in any of the latest batches of north and south names it. Remove it from the list if it is closed.`,
  ],
  ['finds nothing if no warehouse has sent a batch', { orders: [first] }],
]);

describe('units', () => {
  const withRow = (attributes: object) => ({
    codes: [{ MaterialCode: 'A', ...attributes }],
    latest: [inUnits('north', { A: 'kg' })],
  });
  const west = inUnits('west', { A: 'kg' });
  const inList = (name: string) =>
    `north A: Has the unit "kg", but ${name} is "t" in the list. Correct the wrong unit.`;

  testFindings('unit-differs', [
    [
      'between warehouses',
      { latest: [inUnits('north', { A: 'kg', B: 'm' }), inUnits('south', { A: 't', B: 'm' }), west] },
      ' A: Comes in "kg" from north and west and "t" from south. Have all warehouses send the same unit.',
    ],
    ['from Unit, a text, in the list', withRow({ StockBalanceUnit: 7, Unit: 't' }), inList('Unit')],
    ['before Unit', withRow({ StockBalanceUnit: 't', Unit: 'kg' }), inList('StockBalanceUnit')],
    ['finds none if units are the same or not in the list', withRow({ Unit: 'kg', StockBalanceUnit: 7 })],
  ]);

  const latestWith = (...units: string[]) => [
    { client: 'north', entries: ['kg', 'kg', ...units].map((unit, index) => entry(`A-${index}`, 1, unit)) },
  ];
  const HAS_K = 'where the other has "k" (U+006B, Latin), at character 1';

  test.each([
    ['KG', `"K" (U+004B, Latin) ${HAS_K}; "G" (U+0047, Latin) where the other has "g" (U+0067, Latin)`],
    ['кг', `"к" (U+043A, Cyrillic) ${HAS_K}; "г" (U+0433, Cyrillic)`],
    ['kg ', '" " (U+0020) where the other has nothing, at character 3'],
    ['kg.', '"." (U+002E) where the other has nothing, at character 3'],
    ['ｋg', `"ｋ" (U+FF4B, Latin, full-width) ${HAS_K}`],
  ])('%j may be the same as kg', (unit, difference) => {
    const [found = ''] = linesOf('unit-differs', { latest: latestWith(unit) });
    const detail = `May be the same unit as "kg", which 2 balances have: ${difference}`;
    expect(found.startsWith(`north ${unit}: ${detail}`)).toBe(true);
    expect(found).toContain(
      ` 1 balance has "${unit}", such as the balance of A-2. If both mean the same unit, `,
    );
  });

  test.each([
    ['м', 'm'],
    ['м²', 'm2'],
    ['см', 'cm'],
    ['Шт.', 'шт'],
    ['\u00B5m', '\u03BCm'],
  ])('%s may be the same as the more usual %s', (odd, usual) => {
    const latest = [inUnits('north', { A: odd, B: usual }), inUnits('south', { C: usual, D: odd, E: usual })];
    expect(linesOf('unit-differs', { latest })).toEqual([
      expect.stringContaining(` ${odd}: May be the same unit as "${usual}", which 3 balances have: `),
    ]);
  });

  test('that look different are not found', () => {
    const latest = latestWith('g', 't', 'т/м', 'm', 'шт', 'pcs', 'm2', 'm3', 'л');
    expect(linesOf('unit-differs', { latest })).toEqual([]);
  });
});

test('findings are sorted by severity, kind, subject and client, in any order of the input', () => {
  const order = 'OT0000001';
  const north = { client: 'north', entries: [entry('ABC-1', 1, 't'), entry('NEW-1', 1, 'kg', [order])] };
  const south = sent('south', 'NEW-1', 'abc-1');
  const listed = ['ABC-1', 'OLD-2', 'OLD-1', '\u041ELD-1'];
  const codes = listed.map((MaterialCode) => ({ MaterialCode, Unit: 'kg' }));
  const orders = ['OT0000003', 'OT0000002'];
  const found = findingsIn({ codes, orders, latest: [north, south] });
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
  const kindsAndSubjects = findingsIn(reversed).map(({ kind, subject }) => [kind, subject]);
  expect(kindsAndSubjects).toEqual(found.map(({ kind, subject }) => [kind, subject]));
});

const scriptOf = (letter: string) =>
  ['Latin', 'Cyrillic', 'Greek'].find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(letter));
const isUpper = (letter: string) => letter !== letter.toLowerCase();

test('homoglyphs are of two scripts and one case, and each has one entry', () => {
  for (const [like, letter] of homoglyphs) {
    const scripts = `${scriptOf(like)} like ${scriptOf(letter)}`;
    expect(scripts).toMatch(/^(Cyrillic|Greek) like Latin$|^Greek like Cyrillic$/);
    expect(isUpper(like)).toBe(isUpper(letter));
    expect(like.normalize('NFKD')).toBe(like);
  }
  expect(new Map(homoglyphs).size).toBe(homoglyphs.length);
});

test('homoglyphs become the same letter, and other letters stay', () => {
  expect(replaceHomoglyphs('АВСЕНІЈКМОРЅТУХ аеорсухіј')).toBe('ABCEHIJKMOPSTYX aeopcyxij');
  expect(replaceHomoglyphs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ ον ΓΠΦ')).toBe('ABEZHIKMNOPTYX ov ГПФ');
  expect(replaceHomoglyphs('вктмн бгджя ABC-1 鋼')).toBe('вктмн бгджя ABC-1 鋼');
});
