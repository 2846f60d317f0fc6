import { readFileSync, writeFileSync } from 'node:fs';

/** Numbers and tables for the pages, and the place of the tables in a page. */

export const count = (number: number, digits = 0) =>
  number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Two decimals. Below ten cents, two significant digits. */
export const dollars = (amount: number) => {
  if (amount === 0) return '0';
  return amount >= 0.1 ? count(amount, 2) : significant(amount);
};

export const significant = (number: number, digits = 2) =>
  number.toLocaleString('en', { maximumSignificantDigits: digits });

export const percent = (share: number) => `${count(share * 100)} %`;

export const formatSpread = ({ min, median, max }: { min: number; median: number; max: number }) =>
  `${count(median, 1)} (${count(min, 1)}–${count(max, 1)})`;

const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

export const textTable = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => '---'), ...rows].map(lineOf).join('\n');

/** The first column is text, the others are numbers. */
export const numbersTable = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map((_, index) => (index === 0 ? '---' : '---:')), ...rows].map(lineOf).join('\n');

type Cell = { name: string; size: number };

export const sizesTable = <TCell extends Cell>(
  title: string,
  cells: readonly TCell[],
  format: (cell: TCell) => string,
) => {
  const names = [...new Set(cells.map(({ name }) => name))];
  const sizes = [...new Set(cells.map(({ size }) => size))];
  const formatCell = (name: string, size: number) => {
    const cell = cells.find((candidate) => candidate.name === name && candidate.size === size);
    return cell ? format(cell) : '–';
  };
  return numbersTable(
    [title, ...sizes.map((size) => count(size))],
    names.map((name) => [name, ...sizes.map((size) => formatCell(name, size))]),
  );
};

/** Replaces what is between `<!-- name -->` and `<!-- /name -->` in a page. */
const replaceBlock = (page: string, name: string, text: string) => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`The page has no ${start} with a ${end} behind it.`);
  return `${before}${start}\n${text}\n${end}${after}`;
};

export const writeBlocks = (file: URL, blocks: Record<string, string>) => {
  const page = Object.entries(blocks).reduce(
    (text, [name, block]) => replaceBlock(text, name, block),
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, page);
};
