/** Pairs of letters that look the same. The second is a code point, because a reader could not see the difference. */
const CYRILLIC = `A0410 B0412 C0421 E0415 G050C H041D I0406 I04C0 J0408 K041A M041C O041E P0420 Q051A
  S0405 T0422 V0474 W051C X0425 Y0423 Y04AE
  a0430 c0441 d0501 e0435 h04BB i0456 j0458 l04CF o043E p0440 q051B s0455 v0475 w051D x0445 y0443`;

const GREEK = `A0391 B0392 E0395 H0397 I0399 J037F K039A M039C N039D O039F P03A1 T03A4 X03A7 Y03A5 Z0396
  j03F3 o03BF v03BD`;

/** Latin has no letters like these. */
const GREEK_AS_CYRILLIC = 'Г0393 П03A0 Ф03A6';

const pairsOf = (table: string) =>
  table
    .split(/\s+/)
    .map((pair): readonly [letter: string, like: string] => [
      pair.slice(0, 1),
      String.fromCodePoint(Number.parseInt(pair.slice(1), 16)),
    ]);

export const homoglyphs = {
  cyrillic: pairsOf(CYRILLIC),
  greek: pairsOf(GREEK),
  greekAsCyrillic: pairsOf(GREEK_AS_CYRILLIC),
};

const letters = new Map(
  Object.values(homoglyphs)
    .flat()
    .map(([letter, like]) => [like, letter]),
);

/** Replaces each letter by the one that it looks like. */
export const replaceHomoglyphs = (text: string) =>
  text.replaceAll(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => letters.get(letter) ?? letter);
