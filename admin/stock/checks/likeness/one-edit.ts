import { charactersOf, differentMiddle } from './describe-difference.ts';

/** Longer codes are left out, because each has as many shorter forms as characters. */
const LONGEST = 40;

/**
 * For each code, the others that differ by one edit: a character added, removed or replaced, or two neighbours swapped.
 * Such codes are equal after at most one character of each is removed, so not every pair has to be compared.
 */
export const findOneEdit = (codes: readonly string[], others: readonly string[]): Map<string, string[]> => {
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
  streamed: readonly string[],
  onPair: (one: string, other: string) => void,
) => {
  const index = new Map<string, string[]>();
  for (const code of indexed) {
    for (const form of shorterForms(code)) {
      const same = index.get(form);
      if (same) same.push(code);
      else index.set(form, [code]);
    }
  }
  for (const other of streamed) {
    const pairs = new Set([...shorterForms(other)].flatMap((form) => index.get(form) ?? []));
    for (const code of pairs) onPair(code, other);
  }
};

/** The code, and the code without each one of its characters. */
const shorterForms = (code: string): Set<string> => {
  const forms = new Set<string>();
  if (code.length > LONGEST) return forms;
  forms.add(code);
  for (let at = 0; at < code.length; at += 1) forms.add(code.slice(0, at) + code.slice(at + 1));
  return forms;
};

const middleOf = (one: string, other: string) => differentMiddle(charactersOf(one), charactersOf(other));
const lengthOf = (text: string) => charactersOf(text).length;

const isOneEdit = (one: string, other: string) => {
  const { here, there } = middleOf(one, other);
  if (lengthOf(here) <= 1 && lengthOf(there) <= 1) return true;
  return here.length === 2 && here === [...there].reverse().join('');
};

/** Whether a digit is replaced by another one. Both codes may then be right, as numbers of one series are. */
export const isOtherDigit = (one: string, other: string) => {
  const { here, there } = middleOf(one, other);
  return /^\d$/.test(here) && /^\d$/.test(there);
};
