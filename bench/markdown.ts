import { readFileSync, writeFileSync } from 'node:fs';

export const formatNumber = (number: number, digits = 0) =>
  number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

export const medianOf = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** A table whose first column is text. The other columns are numbers. */
export const numbersTable = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map((_, index) => (index === 0 ? '---' : '---:')), ...rows].map(lineOf).join('\n');

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a page. */
const replaceSection = (page: string, name: string, text: string) => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, afterStart] = page.split(start);
  const [, after] = afterStart?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`The page has no ${start} before ${end}.`);
  return `${before}${start}\n${text}\n${end}${after}`;
};

export const writeSections = (file: URL, sections: Record<string, string>) => {
  const page = Object.entries(sections).reduce(
    (text, [name, section]) => replaceSection(text, name, section),
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, page);
};
