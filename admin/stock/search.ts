import { fold } from './look-alikes.ts';

/** `A B, C` asks for rows with both A and B, or with C. A pasted column has a line for each. */
export const splitSearch = (search: string): string[][] =>
  search
    // The page shows a number as 1 000, with such a blank.
    .replaceAll(/(?<=\d)[\u00a0\u202f](?=\d{3})/g, '')
    .split(/[,;](?:\s|$)|[\n\t]/)
    .map((part) => part.split(/\s+/).filter(Boolean))
    .filter((words) => words.length > 0);

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** The numbers that a folded word may mean: `1.234` is written for 1.234 and for 1234. */
export const numbersOf = (word: string) => {
  const withoutGroups = word.replaceAll(/[.,](?=\d{3}(?!\d))/g, '');
  const texts = [word, withoutGroups].map((text) => text.replace(',', '.'));
  return [
    ...new Set(
      texts
        .filter((text) => NUMBER.test(text))
        .map(Number)
        .filter(Number.isFinite),
    ),
  ];
};

/** Returns a function that tells whether a search finds a row by its folded texts or its balance. Texts have numbers with a point. */
export const finderOf = (search: string) => {
  const alternatives = splitSearch(search).map((words) =>
    words.map(fold).map((word) => {
      const numbers = numbersOf(word);
      return { texts: numbers.length > 0 ? [word, word.replace(',', '.')] : [word], numbers };
    }),
  );
  return (text: string, value?: unknown) =>
    alternatives.length === 0 ||
    alternatives.some((words) =>
      words.every(
        ({ texts, numbers }) =>
          texts.some((word) => text.includes(word)) || numbers.some((number) => number === value),
      ),
    );
};
