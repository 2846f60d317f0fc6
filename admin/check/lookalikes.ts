import { withPlainLetters } from './homoglyphs.ts';

/** Without what cannot be seen, and with one form for what differs in its encoding alone. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    // Spreadsheets put other dashes where a hyphen is typed.
    .replaceAll(/[\p{Dash_Punctuation}\u2212]/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();

const sigma = (text: string) => text.replaceAll('ς', 'σ');
export const caseless = (text: string) => sigma(text.toLowerCase());

/** A sign that two texts share which are the same to the eye, or but for upper and lower case, the closest first. */
const looks = [
  (text: string) => withPlainLetters(text),
  // Both ways, since `В` looks like `B`, and `в` like no `b`.
  (text: string) => withPlainLetters(caseless(text)),
  (text: string) => caseless(withPlainLetters(text)),
];

/** Of codes that look alike, the first is the original of the others: what each looks like, the closest first. */
export const originalsAmong = (codes: readonly string[]): Map<string, string[]> => {
  const texts = codes.map(plain);
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

/** Letters of Russian units, by those that mean the same: `кг` is `kg`. */
const unitLetters: Record<string, string> = { г: 'g', к: 'k', л: 'l', м: 'm', с: 'c', т: 't' };

/** A sign that units share which may well be the same one. */
export const unitLook = (unit: string) =>
  withPlainLetters(caseless(plain(unit)).replaceAll(/[гклмст]/g, (letter) => unitLetters[letter] ?? letter))
    .replaceAll('.', '')
    .trim();
