import { expect, test } from 'vitest';
import { homoglyphs, replaceHomoglyphs } from '../../../admin/check/lookalikes.ts';

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
