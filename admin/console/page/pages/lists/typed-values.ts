import { readNumber } from '../../../../lists/values/read-number.ts';
import { decimalSign } from '../../format.ts';

export type Kind = 'text' | 'number';

/** A stored value with the decimal sign of the browser, without spaces between thousands. */
export const toTyped = (stored: string | number | null, kind: Kind) => {
  const text = String(stored ?? '');
  return kind === 'number' ? text.replace('.', decimalSign) : text;
};

const signs = ['.', ','] as const;
export type Sign = (typeof signs)[number];

/** The numbers that a text can mean, with either decimal sign. `1.234` has two readings. Two lines or two cells have none. */
export const readingsOf = (typed: string, possible: readonly Sign[] = signs) => {
  const digits = typed.trim().replaceAll(/[^\S\t\n]/g, '');
  const text = digits.replace('−', '-');
  const results = possible.map((decimal) => readNumber(text, { decimal, isChosen: true }));
  return [...new Set(results.flatMap((result) => ('digits' in result ? [result.digits] : [])))];
};

/** The signs with which all numbers of a column can be read. All signs if there is none. */
export const signsOf = (texts: readonly string[]) => {
  const fitting = signs.filter((sign) =>
    texts.every((text) => readingsOf(text).length === 0 || readingsOf(text, [sign]).length > 0),
  );
  return fitting.length > 0 ? fitting : signs;
};

/** The text to send. A text without a reading is sent as it is, because the console explains what is wrong. */
export const textOf = (kind: Kind, typed: string, possible?: readonly Sign[]) => {
  // A cell that a spreadsheet copies ends with a new line.
  const text = typed.replace(/\n$/, '');
  if (kind === 'text' || text === '') return text;
  const readings = readingsOf(text, possible);
  return readings.length > 1 ? undefined : (readings[0] ?? text);
};
