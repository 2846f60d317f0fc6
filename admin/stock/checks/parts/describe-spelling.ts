import { type Marked, withoutMarks } from '../../../text/marked.ts';
import { countOf } from '../../../text/words.ts';
import { ignoreCase } from '../../look-alikes.ts';

const SCRIPTS =
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Thai Hangul Hiragana Katakana Han'
    .split(' ')
    .map((name) => ({ name, begins: new RegExp(`^\\p{Script=${name}}`, 'u') }));

const MAX_DIFFERENCES = 3;
const MAX_CODE_POINTS = 4;

/** Letters with their accents, as a person counts them. */
export const charactersOf = (text: string): string[] => text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];

type TextDifference = { here: string; there: string; at: number };

const isCase = ({ here, there }: TextDifference) => here.toLowerCase() === there.toLowerCase();

export const differsOnlyInCase = (code: string, original: string) =>
  ignoreCase(code) === ignoreCase(original);

/** A person can see a difference in letter case. For other differences, the text names the code points. */
export const describeLikeness = (code: string, original: string, where: string) =>
  withoutMarks(markLikeness(code, original, where));

export const markLikeness = (code: string, original: string, where: string): Marked =>
  differsOnlyInCase(code, original)
    ? [`differs only in letter case from ${original} ${where}`]
    : ['looks like ', ...markSpelling(original, code), ` ${where}: ${describeSpelling(code, original)}`];

/** Marks the letters of a text that only look like those of the other text. */
export const markSpelling = (text: string, other: string): Marked => {
  const letters = charactersOf(text);
  const parts: Marked[number][] = [];
  let end = 0;
  for (const difference of differencesOf(letters, charactersOf(other))) {
    const { here: letter, at } = difference;
    if (letter === '' || isCase(difference)) continue;
    parts.push(letters.slice(end, at - 1).join(''), { letter, name: nameOf(letter) });
    end = at - 1 + charactersOf(letter).length;
  }
  return [...parts, letters.slice(end).join('')].filter((part) => part !== '');
};

const nameOf = (letter: string) =>
  [scriptOf(letter), formOf(letter)].filter((fact) => fact !== '').join(', ') || codePointsOf(letter);

/** Describes the characters that differ between two texts that look alike. The first character has the number 1. */
export const describeSpelling = (text: string, other: string) => {
  // A person can see a difference in case, so other differences come first.
  const differences = differencesOf(charactersOf(text), charactersOf(other)).sort(
    (first, second) => Number(isCase(first)) - Number(isCase(second)),
  );
  const described = differences.slice(0, MAX_DIFFERENCES).map(({ here, there, at }) => {
    return `${describeCharacter(here)} where the other has ${describeCharacter(there)}, at character ${at}`;
  });
  const more = differences.length - described.length;
  return [...described, ...(more > 0 ? [`and ${countOf(more, 'more difference')}`] : [])].join('; ');
};

const differencesOf = (here: readonly string[], there: readonly string[]): TextDifference[] => {
  if (here.length !== there.length) return [differentMiddle(here, there)];
  return here.flatMap((character, index) => {
    const other = there[index] ?? '';
    return character === other ? [] : [{ here: character, there: other, at: index + 1 }];
  });
};

/** What is between the common beginning and the common end. */
export const differentMiddle = (here: readonly string[], there: readonly string[]): TextDifference => {
  const shorter = Math.min(here.length, there.length);
  let start = 0;
  while (start < shorter && here[start] === there[start]) start += 1;
  let end = 0;
  while (end < shorter - start && here.at(-1 - end) === there.at(-1 - end)) end += 1;
  return {
    here: here.slice(start, here.length - end).join(''),
    there: there.slice(start, there.length - end).join(''),
    at: start + 1,
  };
};

const describeCharacter = (text: string) => {
  if (text === '') return 'nothing';
  const facts = [codePointsOf(text), scriptOf(text), formOf(text)].filter((fact) => fact !== '');
  return `"${text}" (${facts.join(', ')})`;
};

export const codePointsOf = (text: string) => {
  const numbers = Array.from(text, (codePoint) => {
    return `U+${(codePoint.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return numbers.length > MAX_CODE_POINTS
    ? `${numbers.slice(0, MAX_CODE_POINTS).join(' ')} …`
    : numbers.join(' ');
};

const scriptOf = (text: string) => SCRIPTS.find(({ begins }) => begins.test(text))?.name ?? '';

const formOf = (text: string) => {
  if (/[\uFF01-\uFF60]/.test(text)) return 'full-width';
  if (text.normalize('NFKC') !== text.normalize('NFC')) return 'compatibility form';
  return text.normalize('NFC') === text ? '' : 'decomposed';
};
