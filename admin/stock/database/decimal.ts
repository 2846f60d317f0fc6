import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { quote } from '../../text/quote.ts';

export type Decimal = { mantissa: bigint; exponent: number };

export const ZERO: Decimal = { mantissa: 0n, exponent: 0 };

/** The value is `mantissa * 10 ** exponent`, with the fewest digits that read back as the same number. */
export const toDecimal = (value: number): Decimal => {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const [, fraction = ''] = digits.split('.');
  return { mantissa: BigInt(digits.replace('.', '')), exponent: Number(power) - fraction.length };
};

/**
 * Exact functions in SQL. `exact_total(billions, rest, exponent)`, for mantissas of `billions * 10 ** 9 + rest`, and
 * `exact_add(digits, addend)` return texts with all digits.
 * `exact_sum(value)` and `exact_difference(value, subtracted)` are for queries that people write. They return a
 * number if a number holds all digits, because people sort by the result, and texts do not sort as numbers.
 */
export const addExactFunctions = (db: DatabaseSync) => {
  db.aggregate('exact_total', {
    start: '0 0',
    step: (sum, billions, rest, exponent) => {
      const mantissa = BigInt(Number(billions)) * 1_000_000_000n + BigInt(Number(rest));
      return writeSum(add(readSum(sum), { mantissa, exponent: Number(exponent) }));
    },
    result: (sum) => formatDecimal(readSum(sum)),
  });
  db.aggregate('exact_sum', {
    start: null,
    useBigIntArguments: true,
    // Node loses an error that `step` throws. So from a value that is no number on, the sum is this value in quotation marks, and `result` throws.
    step: (sum, value) => {
      if (value === null || isQuoted(sum)) return sum;
      const decimal = readValue(value);
      return decimal ? writeSum(add(readSum(sum ?? '0 0'), decimal)) : quote(String(value));
    },
    result: (sum) => {
      if (isQuoted(sum)) throw new Error(`exact_sum needs numbers, not ${sum}`);
      return sum === null ? null : toNumberIfExact(formatDecimal(readSum(sum)));
    },
  });
  db.function('exact_add', { deterministic: true }, (digits, addend) =>
    formatDecimal(add(fromDigits(String(digits)), fromDigits(String(addend)))),
  );
  const exact = { deterministic: true, useBigIntArguments: true };
  db.function('exact_difference', exact, (value, subtracted) => {
    if (value === null || subtracted === null) return null;
    const [first, second] = [readValue(value), readValue(subtracted)];
    if (!first || !second)
      throw new Error(`exact_difference needs numbers, not ${quote(String(first ? subtracted : value))}`);
    return toNumberIfExact(formatDecimal(add(first, { ...second, mantissa: -second.mantissa })));
  });
};

const isQuoted = (sum: SQLInputValue) => String(sum).startsWith('"');

const DIGITS = /^-?\d+(\.\d+)?$/;

/** Undefined if the value is no number. A text of digits counts as a number, because these functions return such texts. */
const readValue = (value: SQLOutputValue): Decimal | undefined => {
  if (typeof value === 'bigint') return { mantissa: value, exponent: 0 };
  if (typeof value === 'number' && Number.isFinite(value)) return toDecimal(value);
  return typeof value === 'string' && DIGITS.test(value) ? fromDigits(value) : undefined;
};

const fromDigits = (text: string): Decimal => {
  const [whole = '', fraction = ''] = text.split('.');
  return { mantissa: BigInt(whole + fraction), exponent: -fraction.length };
};

const toNumberIfExact = (digits: string) => {
  const number = Number(digits);
  return Number.isFinite(number) && formatDecimal(add(ZERO, toDecimal(number))) === digits ? number : digits;
};

/** Between two calls of `step`, SQLite keeps a text or a number, but no object. */
const readSum = (sum: SQLInputValue): Decimal => {
  const [mantissa = '', exponent = ''] = String(sum).split(' ');
  return { mantissa: BigInt(mantissa), exponent: Number(exponent) };
};

const writeSum = ({ mantissa, exponent }: Decimal) => `${mantissa} ${exponent}`;

export const add = (first: Decimal, second: Decimal): Decimal => {
  const exponent = Math.min(0, first.exponent, second.exponent);
  const scale = (decimal: Decimal) => decimal.mantissa * 10n ** BigInt(decimal.exponent - exponent);
  return { mantissa: scale(first) + scale(second), exponent };
};

export const formatDecimal = ({ mantissa, exponent }: Decimal) => {
  const decimals = Math.max(0, -exponent);
  const digits = String(mantissa < 0n ? -mantissa : mantissa).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${mantissa < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
};
