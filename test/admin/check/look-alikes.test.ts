import { describe, expect, test } from 'vitest';
import { entry, findingsOf } from './compared.ts';

const find = findingsOf.bind(undefined, 'look-alike');
const findCase = findingsOf.bind(undefined, 'case-differs');
const of = (client: string, ...codes: string[]) => ({ client, entries: codes.map((code) => entry(code)) });

const IN_LIST = 'If they are one material, remove the one that is wrong from the list.';

describe('codes that look alike', () => {
  test.each([
    [
      'Latin and Cyrillic',
      'A-1',
      '\u0410-1',
      '"\u0410" (U+0410, Cyrillic) where the other has "A" (U+0041, Latin), at 1',
    ],
    [
      'Latin and Greek',
      'BO',
      'B\u039F',
      '"\u039F" (U+039F, Greek) where the other has "O" (U+004F, Latin), at 2',
    ],
    [
      'Greek and Cyrillic',
      '\u0393',
      '\u0413',
      '"\u0413" (U+0413, Cyrillic) where the other has "\u0393" (U+0393, Greek), at 1',
    ],
    [
      'composed and decomposed',
      'Cafe\u0301',
      'Caf\u00E9',
      '"\u00E9" (U+00E9, Latin) where the other has "e\u0301" (U+0065 U+0301, Latin, decomposed), at 4',
    ],
    [
      'accents on letters of two scripts',
      '\u00CB',
      '\u0401',
      '"\u0401" (U+0401, Cyrillic) where the other has "\u00CB" (U+00CB, Latin), at 1',
    ],
    [
      'full-width forms',
      'AB',
      'A\uFF22',
      '"\uFF22" (U+FF22, Latin, full-width) where the other has "B" (U+0042, Latin), at 2',
    ],
    [
      'ligatures',
      'fit',
      '\uFB01t',
      '"\uFB01" (U+FB01, Latin, compatibility form) where the other has "fi" (U+0066 U+0069, Latin), at 1',
    ],
    ['dashes', 'A-1', 'A\u20131', '"\u2013" (U+2013) where the other has "-" (U+002D), at 2'],
    [
      'what cannot be seen',
      'A1',
      'A\u034F1',
      '"A\u034F" (U+0041 U+034F, Latin) where the other has "A" (U+0041, Latin), at 1',
    ],
    ['blanks', 'A1', 'A1 ', '" " (U+0020) where the other has nothing, at 3'],
  ])('are found: %s', (_, original, code, difference) => {
    expect(find({ codes: [code, original] })).toEqual([
      {
        client: '',
        subject: code,
        detail: `Is in the list and looks like ${original} of the list: ${difference}. ${IN_LIST}`,
      },
    ]);
  });

  test('are found between a snapshot and the list, which is told as the other one', () => {
    expect(find({ codes: ['\u0421-1'], latest: [of('north', 'C-1')] })).toEqual([
      {
        client: 'north',
        subject: 'C-1',
        detail:
          'Is sent by north and looks like \u0421-1 of the list: "C" (U+0043, Latin) where the other has "\u0421" (U+0421, Cyrillic), at 1. If they are one material, correct the one that is wrong.',
      },
    ]);
  });

  test('are found between the snapshots of clients', () => {
    const latest = [of('north', 'C-1'), of('south', '\u0421-1'), of('west', '\u0421-1')];
    expect(find({ latest })).toEqual([
      {
        client: '',
        subject: '\u0421-1',
        detail:
          'Is sent by south and west and looks like C-1 sent by north: "\u0421" (U+0421, Cyrillic) where the other has "C" (U+0043, Latin), at 1. If they are one material, let the warehouse system send one code for it.',
      },
    ]);
  });

  test('are found where they differ in case as well, the letters of other scripts told first', () => {
    const [found] = find({ codes: ['сталь-a'.replace('a', '\u0430'), 'СТАЛЬ-A'] });
    expect(found).toMatchObject({ subject: 'сталь-\u0430' });
    expect(found?.detail).toContain(
      'of the list: "\u0430" (U+0430, Cyrillic) where the other has "A" (U+0041, Latin), at 7; "с" (U+0441',
    );
    expect(found?.detail).toContain('; and so in 3 more.');
  });

  test('are found each but one', () => {
    const codes = ['AB', '\u0410B', 'A\u0412', '\u0410\u0412'];
    expect(find({ codes }).map(({ subject }) => subject)).toEqual(['A\u0412', '\u0410B', '\u0410\u0412']);
  });

  test('are not found among codes that a person can tell apart', () => {
    const codes = [
      'Болт-M8',
      'Bolt-M8',
      'Болт-8',
      'болт-в',
      'болт-b',
      'O1',
      '01',
      'I-1',
      'l-1',
      '1-1',
      'Ель',
      'Ёль',
    ];
    expect(find({ codes, latest: [of('north', 'Гайка-M8', 'Сталь-10/А')] })).toEqual([]);
  });
});

describe('codes that differ in upper and lower case alone', () => {
  test('are found, and are of a kind of their own', () => {
    const told = { codes: ['abc-1', 'БОЛТ-В'], latest: [of('north', 'ABC-1', 'болт-в')] };
    expect(findCase(told)).toEqual([
      {
        client: 'north',
        subject: 'ABC-1',
        detail:
          'Is sent by north and differs in upper and lower case alone from abc-1 of the list. If they are one material, correct the one that is wrong.',
      },
      {
        client: 'north',
        subject: 'болт-в',
        detail:
          'Is sent by north and differs in upper and lower case alone from БОЛТ-В of the list. If they are one material, correct the one that is wrong.',
      },
    ]);
    expect(find(told)).toEqual([]);
  });

  test('are not found where they differ in more', () => {
    expect(findCase({ codes: ['abc-1', 'ABC-2', 'Maß', 'MASS'] })).toEqual([]);
  });
});
