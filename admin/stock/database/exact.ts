import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { quote } from '../../text/quote.ts';

/** The value is `mantissa * 10 ** -decimals`. */
type Decimal = { mantissa: bigint; decimals: number };

/** How many decimals a number has in its shortest form. */
export const decimalsOf = (value: number) => toDecimal(value).decimals;

const toDecimal = (value: number): Decimal => {
  const [digits = '', power = ''] = value.toExponential().split('e');
  const [, fraction = ''] = digits.split('.');
  const mantissa = BigInt(digits.replace('.', ''));
  const decimals = fraction.length - Number(power);
  return decimals < 0
    ? { mantissa: mantissa * 10n ** BigInt(-decimals), decimals: 0 }
    : { mantissa, decimals };
};

/**
 * `exact_sum(value)` and `exact_difference(value, subtracted)` are for queries that people write. They return a number if a number
 * holds all digits, because people sort by the result, and texts do not sort as numbers.
 */
export const addExactFunctions = (db: DatabaseSync) => {
  db.aggregate('exact_sum', {
    start: null,
    useBigIntArguments: true,
    // Node loses an error that `step` throws. So from a value that is no number on, the sum is this value in quotation marks, and `result` throws.
    step: (sum, value) => {
      if (value === null || isQuoted(sum)) return sum;
      const decimal = readValue(value);
      return decimal ? formatDecimal(add(fromDigits(String(sum ?? '0')), decimal)) : quote(String(value));
    },
    result: (sum) => {
      if (isQuoted(sum)) throw new Error(`exact_sum needs numbers, not ${sum}`);
      return sum === null ? null : toNumberIfExact(String(sum));
    },
  });
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
  if (typeof value === 'bigint') return { mantissa: value, decimals: 0 };
  if (typeof value === 'number' && Number.isFinite(value)) return toDecimal(value);
  return typeof value === 'string' && DIGITS.test(value) ? fromDigits(value) : undefined;
};

const fromDigits = (text: string): Decimal => {
  const [whole = '', fraction = ''] = text.split('.');
  return { mantissa: BigInt(whole + fraction), decimals: fraction.length };
};

const toNumberIfExact = (digits: string) => {
  const number = Number(digits);
  return Number.isFinite(number) && formatDecimal(toDecimal(number)) === digits ? number : digits;
};

const add = (first: Decimal, second: Decimal): Decimal => {
  const decimals = Math.max(first.decimals, second.decimals);
  const scale = (decimal: Decimal) => decimal.mantissa * 10n ** BigInt(decimals - decimal.decimals);
  return { mantissa: scale(first) + scale(second), decimals };
};

const formatDecimal = ({ mantissa, decimals }: Decimal) => {
  const digits = String(mantissa < 0n ? -mantissa : mantissa).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return `${mantissa < 0n ? '-' : ''}${digits.slice(0, point)}${fraction && `.${fraction}`}`;
};
