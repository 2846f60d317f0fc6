import { reader } from './reader.ts';

const NARROW_SPACE = '\u202f';
const NUMBER = /^(-?)(\d+)(.*)$/;

/** A number holds so many digits of a sum. */
const MAX_DIGITS = 15;

/** `1 234,5` in the reader's signs. The minus sign is as wide as a digit. A sum of more digits than a number holds is about so much. */
export const formatNumber = (value: number | string): string => {
  const { decimal, isProgram } = reader();
  if (isProgram) return String(value);
  const [, sign, whole = '', fraction = ''] = NUMBER.exec(String(value)) ?? [];
  const digits = `${whole}${fraction}`.replace('.', '').replace(/^0+/, '');
  if (digits.length > MAX_DIGITS && typeof value === 'number') return `≈ ${formatNumber(String(value))}`;
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE);
  return `${sign ? '−' : ''}${thousands}${fraction.replace('.', decimal)}`;
};

/** `1 snapshot`, `1 200 snapshots`. */
export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

export const formatDollars = (dollars: number) =>
  dollars < 0.01 ? 'less than $0.01' : `$${formatNumber(dollars.toFixed(2))}`;

const listFormat = new Intl.ListFormat('en-GB');

/** `A, B and C`. */
export const joinNames = (names: Iterable<string>) => listFormat.format(names);

export const MAX_NAMES = 5;

/** `A, B, C, D, E and 7 more`. If `count` is given, `names` needs only the first `MAX_NAMES + 1` names. */
export const joinFirstNames = (names: readonly string[], count = names.length) => {
  const left = count - MAX_NAMES;
  if (left <= 1) return joinNames(names);
  return joinNames([...names.slice(0, MAX_NAMES), `${formatNumber(left)} more`]);
};

/** Compares texts character by character, which is the order of the API and of the tables' keys. */
export const compareBy =
  <T>(textOf: (item: T) => string) =>
  (first: T, second: T) => {
    const [a, b] = [textOf(first), textOf(second)];
    return a === b ? 0 : a < b ? -1 : 1;
  };
