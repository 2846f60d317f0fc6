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

describe('homoglyphs', () => {
  test('have the scripts of their table, the same case, and one entry each', () => {
    for (const [letter, like, script, other] of pairs) {
      expect(letter).toMatch(script);
      expect(like).toMatch(other);
      expect(isUpper(like)).toBe(isUpper(letter));
      expect(like.normalize('NFKD')).toBe(like);
    }
    expect(new Set(pairs.map(([, like]) => like)).size).toBe(pairs.length);
  });

  test('become the same letter, and other letters stay', () => {
    expect(replaceHomoglyphs('АВСЕНІЈКМОРЅТУХ аеорсухіј')).toBe('ABCEHIJKMOPSTYX aeopcyxij');
    expect(replaceHomoglyphs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ ον ΓΠΦ')).toBe('ABEZHIKMNOPTYX ov ГПФ');
    expect(replaceHomoglyphs('вктмн бгджя ABC-1 鋼')).toBe('вктмн бгджя ABC-1 鋼');
  });
});
