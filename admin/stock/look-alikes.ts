/** Pairs of letters that look the same. The second letter is a code point, because a reader could not see the difference. */
const PAIRS = `A0410 B0412 C0421 E0415 G050C H041D I0406 I04C0 J0408 K041A M041C O041E P0420 Q051A
  S0405 T0422 V0474 W051C X0425 Y0423 Y04AE
  a0430 c0441 d0501 e0435 h04BB i0456 j0458 l04CF o043E p0440 q051B s0455 v0475 w051D x0445 y0443
  A0391 B0392 E0395 H0397 I0399 J037F K039A M039C N039D O039F P03A1 T03A4 X03A7 Y03A5 Z0396
  j03F3 o03BF v03BD
  Г0393 П03A0 Ф03A6`;

/** Each Cyrillic or Greek letter with its look-alike: a Latin letter, or a Cyrillic letter if Latin has none. */
const likeLetters = new Map(
  PAIRS.split(/\s+/).map((pair) => {
    const like = String.fromCodePoint(Number.parseInt(pair.slice(1), 16));
    return [like, pair.slice(0, 1)];
  }),
);

const replaceHomoglyphs = (text: string) =>
  text.replaceAll(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => likeLetters.get(letter) ?? letter);

/** Removes invisible characters, and gives one form to texts that are encoded differently. */
const simplify = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    // Spreadsheets replace hyphens with other dashes.
    .replaceAll(/[\p{Dash_Punctuation}\u2212]/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Gives one form to both letter cases, to letters that look alike, and to a letter with and without its marks, as in Ś. More capitals look alike than small letters. */
export const fold = (text: string) =>
  replaceHomoglyphs(simplify(text).toUpperCase()).replaceAll(/\p{M}/gu, '').replaceAll('Ł', 'L');

export const ignoreCase = (text: string) => text.toLowerCase().replaceAll('ς', 'σ');

/** Two texts look alike if one of these functions gives them the same key. The closest likeness comes first. */
const keyFunctions = [
  (text: string) => replaceHomoglyphs(text),
  // Both orders of the two steps are needed: `В` looks like `B`, but `в` does not look like `b`.
  (text: string) => replaceHomoglyphs(ignoreCase(text)),
  (text: string) => ignoreCase(replaceHomoglyphs(text)),
];

/** For each code that looks like an earlier one, finds this original: a listed code if there is one, and then the closest. */
export const findOriginals = (listed: readonly string[], others: readonly string[]): Map<string, string> => {
  const codes = [...listed, ...others];
  const texts = codes.map(simplify);
  const found = new Map<string, string[]>();
  for (const toKey of keyFunctions) {
    const first = new Map<string, string>();
    for (const [index, code] of codes.entries()) {
      const key = toKey(texts[index] ?? '');
      const original = first.get(key);
      if (original === undefined) first.set(key, code);
      else found.set(code, [...(found.get(code) ?? []), original]);
    }
  }
  const isListed = new Set(listed);
  const choose = (originals: readonly string[]) =>
    originals.find((original) => isListed.has(original)) ?? originals[0] ?? '';
  return new Map([...found].map(([code, originals]) => [code, choose(originals)]));
};

/** Russian unit letters and their Latin equivalents: `кг` is `kg`. */
const unitLetters: Record<string, string> = { г: 'g', к: 'k', л: 'l', м: 'm', с: 'c', т: 't' };

export const simplifyUnit = (unit: string) =>
  replaceHomoglyphs(
    ignoreCase(simplify(unit)).replaceAll(/[гклмст]/g, (letter) => unitLetters[letter] ?? letter),
  )
    .replaceAll('.', '')
    .trim();
