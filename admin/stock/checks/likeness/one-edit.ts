import { charactersOf, differentMiddle } from './describe-spelling.ts';

/** Longer codes are left out, because a code has as many shorter forms as characters. */
const LONGEST = 40;

/**
 * For each code, the codes of `others` that differ by one edit: a character added, removed or replaced, or two neighbours swapped.
 * If each of two such codes loses at most one character, the same text can be left. So an index of these shorter texts finds the pairs.
 */
export const findNearCodes = (codes: readonly string[], others: readonly string[]): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  const add = (code: string, other: string) => {
    if (code !== other && isOneEdit(code, other)) found.set(code, [...(found.get(code) ?? []), other]);
  };
  // The index is built from the smaller set.
  if (codes.length <= others.length) {
    findPairs(codes, others, add);
  } else {
    findPairs(others, codes, (other, code) => add(code, other));
  }
  return found;
};

const findPairs = (
  indexed: readonly string[],
  lookedUp: readonly string[],
  onPair: (indexed: string, lookedUp: string) => void,
) => {
  const index = new Map<string, string[]>();
  for (const code of indexed) {
    for (const form of shorterForms(code)) {
      const codesOfForm = index.get(form);
      if (codesOfForm) codesOfForm.push(code);
      else index.set(form, [code]);
    }
  }
  for (const lookedUpCode of lookedUp) {
    const nearCodes = new Set([...shorterForms(lookedUpCode)].flatMap((form) => index.get(form) ?? []));
    for (const code of nearCodes) onPair(code, lookedUpCode);
  }
};

/** The code, and each text that is left when the code loses one character. */
const shorterForms = (code: string): Set<string> => {
  const characters = charactersOf(code);
  if (characters.length > LONGEST) return new Set();
  return new Set([code, ...characters.map((_, index) => characters.toSpliced(index, 1).join(''))]);
};

const middleOf = (code: string, other: string) => differentMiddle(charactersOf(code), charactersOf(other));
const lengthOf = (text: string) => charactersOf(text).length;

const isOneEdit = (code: string, other: string) => {
  const { here, there } = middleOf(code, other);
  if (lengthOf(here) <= 1 && lengthOf(there) <= 1) return true;
  return here.length === 2 && here === [...there].reverse().join('');
};

/** Whether only one digit differs. Then both codes may be right, as numbers of a series. */
export const differInOneDigit = (code: string, other: string) => {
  const { here, there } = middleOf(code, other);
  return /^\d$/.test(here) && /^\d$/.test(there);
};
