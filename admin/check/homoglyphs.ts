/** Pairs of letters that look the same. The second is a code point, because a reader could not see the difference. */
const PAIRS = `A0410 B0412 C0421 E0415 G050C H041D I0406 I04C0 J0408 K041A M041C O041E P0420 Q051A
  S0405 T0422 V0474 W051C X0425 Y0423 Y04AE
  a0430 c0441 d0501 e0435 h04BB i0456 j0458 l04CF o043E p0440 q051B s0455 v0475 w051D x0445 y0443
  A0391 B0392 E0395 H0397 I0399 J037F K039A M039C N039D O039F P03A1 T03A4 X03A7 Y03A5 Z0396
  j03F3 o03BF v03BD
  Г0393 П03A0 Ф03A6`;

/** Cyrillic and Greek letters with the letter that they look like: a Latin one, or a Cyrillic one where Latin has none. */
export const homoglyphs = PAIRS.split(/\s+/).map((pair) => {
  const like = String.fromCodePoint(Number.parseInt(pair.slice(1), 16));
  return [like, pair.slice(0, 1)] as const;
});

const letters = new Map(homoglyphs);

/** Replaces each letter by the one that it looks like. */
export const replaceHomoglyphs = (text: string) =>
  text.replaceAll(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, (letter) => letters.get(letter) ?? letter);
