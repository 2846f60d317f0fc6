import { describe, expect, test } from 'vitest';
import { homoglyphs, replaceHomoglyphs } from '../../../admin/check/homoglyphs.ts';

const LATIN = /^\p{Script=Latin}$/u;
const CYRILLIC = /^\p{Script=Cyrillic}$/u;
const GREEK = /^\p{Script=Greek}$/u;

const pairs = [
  ...homoglyphs.cyrillic.map((pair) => [...pair, LATIN, CYRILLIC] as const),
  ...homoglyphs.greek.map((pair) => [...pair, LATIN, GREEK] as const),
  ...homoglyphs.greekAsCyrillic.map((pair) => [...pair, CYRILLIC, GREEK] as const),
];

const isUpper = (letter: string) => letter !== letter.toLowerCase();

describe('letters that look alike', () => {
  test.each(pairs)('%s and %s are of the scripts that they are told to be', (letter, like, script, other) => {
    expect(letter).toMatch(script);
    expect(like).toMatch(other);
    expect(isUpper(like)).toBe(isUpper(letter));
    expect(like.normalize('NFKD')).toBe(like);
  });

  test('are told once each', () => {
    const likes = pairs.map(([, like]) => like);
    expect(new Set(likes).size).toBe(likes.length);
    expect(likes.length).toBe(58);
  });

  test('become the same, and others stay', () => {
    expect(replaceHomoglyphs('АВСЕНІЈКМОРЅТУХ аеорсухіј')).toBe('ABCEHIJKMOPSTYX aeopcyxij');
    expect(replaceHomoglyphs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ ον ΓΠΦ')).toBe('ABEZHIKMNOPTYX ov ГПФ');
    expect(replaceHomoglyphs('вктмн бгджя ABC-1 鋼')).toBe('вктмн бгджя ABC-1 鋼');
  });
});
