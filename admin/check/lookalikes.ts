import { replaceHomoglyphs } from './homoglyphs.ts';

/** Removes invisible characters, and gives different encodings one form. */
const simplify = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    // Spreadsheets put other dashes where a hyphen is typed.
    .replaceAll(/[\p{Dash_Punctuation}\u2212]/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();

const sigma = (text: string) => text.replaceAll('ς', 'σ');
export const ignoreCase = (text: string) => sigma(text.toLowerCase());

/** Two texts look alike if one of these maps both to the same key. The closest likeness comes first. */
const looks = [
  (text: string) => replaceHomoglyphs(text),
  // Both orders are needed: `В` looks like `B`, but `в` does not look like `b`.
  (text: string) => replaceHomoglyphs(ignoreCase(text)),
  (text: string) => ignoreCase(replaceHomoglyphs(text)),
];

/** Finds the earlier codes that each code looks like, the closest first. */
export const findOriginals = (codes: readonly string[]): Map<string, string[]> => {
  const texts = codes.map(simplify);
  const originals = new Map<string, string[]>();
  for (const look of looks) {
    const first = new Map<string, string>();
    for (const [index, code] of codes.entries()) {
      const key = look(texts[index] ?? '');
      const original = first.get(key);
      if (original === undefined) first.set(key, code);
      else originals.set(code, [...(originals.get(code) ?? []), original]);
    }
  }
  return originals;
};

/** Russian unit letters and their Latin equivalents: `кг` is `kg`. */
const unitLetters: Record<string, string> = { г: 'g', к: 'k', л: 'l', м: 'm', с: 'c', т: 't' };

/** Two units that may be the same have the same result. */
export const simplifyUnit = (unit: string) =>
  replaceHomoglyphs(
    ignoreCase(simplify(unit)).replaceAll(/[гклмст]/g, (letter) => unitLetters[letter] ?? letter),
  )
    .replaceAll('.', '')
    .trim();
