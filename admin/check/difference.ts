const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Han',
].map((name) => ({ name, begins: new RegExp(`^\\p{Script=${name}}`, 'u') }));

const MOST_PLACES = 3;
const MOST_CODE_POINTS = 4;

/** Letters with the marks that stand on them, as a person counts them. */
const charactersOf = (text: string): string[] => text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];

type Difference = { here: string; there: string; at: number };

const isCase = ({ here, there }: Difference) => here.toLowerCase() === there.toLowerCase();

/** Which characters of two texts that look alike differ, and where: counted from 1. */
export const differenceInWords = (text: string, other: string) => {
  // Upper and lower case can be seen, so whatever cannot comes first.
  const differences = differencesOf(charactersOf(text), charactersOf(other)).sort(
    (one, second) => Number(isCase(one)) - Number(isCase(second)),
  );
  const told = differences.slice(0, MOST_PLACES).map(({ here, there, at }) => {
    return `${characterInWords(here)} where the other has ${characterInWords(there)}, at ${at}`;
  });
  const left = differences.length - told.length;
  return [...told, ...(left > 0 ? [`and so in ${left} more`] : [])].join('; ');
};

const differencesOf = (here: readonly string[], there: readonly string[]): Difference[] => {
  if (here.length !== there.length) return [differentMiddle(here, there)];
  return here.flatMap((character, index) => {
    const other = there[index] ?? '';
    return character === other ? [] : [{ here: character, there: other, at: index + 1 }];
  });
};

/** Where one has more characters than the other, what is left between a common beginning and a common end. */
const differentMiddle = (here: readonly string[], there: readonly string[]): Difference => {
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

const characterInWords = (text: string) => {
  if (text === '') return 'nothing';
  const facts = [codePointsOf(text), scriptOf(text), formOf(text)].filter((fact) => fact !== '');
  return `"${text}" (${facts.join(', ')})`;
};

const codePointsOf = (text: string) => {
  const numbers = Array.from(text, (sign) => {
    return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return numbers.length > MOST_CODE_POINTS
    ? `${numbers.slice(0, MOST_CODE_POINTS).join(' ')} …`
    : numbers.join(' ');
};

const scriptOf = (text: string) => SCRIPTS.find(({ begins }) => begins.test(text))?.name ?? '';

const formOf = (text: string) => {
  if (/[\uFF01-\uFF60]/.test(text)) return 'full-width';
  if (text.normalize('NFKC') !== text.normalize('NFC')) return 'compatibility form';
  return text.normalize('NFC') === text ? '' : 'decomposed';
};
