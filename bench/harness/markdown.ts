/** Numbers as people read them, and tables of them. */

export const count = (number: number, digits = 0) =>
  number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Cents from a dollar on; below that two digits that mean something. */
export const dollars = (amount: number) => {
  if (amount === 0) return '0';
  if (amount >= 0.1) return count(amount, 2);
  return amount.toLocaleString('en', { maximumSignificantDigits: 2 });
};

export const significant = (number: number, digits = 2) =>
  number.toLocaleString('en', { maximumSignificantDigits: digits });

export const percent = (share: number) => `${count(share * 100)} %`;

/** The first column is text, the others are numbers. */
export const numbersTable = (heads: string[], rows: string[][]) =>
  table(heads, ['---', ...heads.slice(1).map(() => '---:')], rows);

export const textTable = (heads: string[], rows: string[][]) =>
  table(
    heads,
    heads.map(() => '---'),
    rows,
  );

const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
const table = (heads: string[], rule: string[], rows: string[][]) =>
  [heads, rule, ...rows].map(line).join('\n');
