import { type Message, message, step } from '../../text/message.ts';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const LEADING_ZERO = /^-?0\d/;

/** No number that DynamoDB can store needs this many characters. */
const MAX_CHARACTERS = 400;
const MAX_DIGITS = 38;
const LOWEST_EXPONENT = -130;
const HIGHEST_EXPONENT = 125;

type NumberResult = { digits: string } | { issue: Message };

/** `isChosen`: a person chose the decimal sign. The other sign may then group thousands. */
export type NumberStyle = { decimal: '.' | ','; isChosen?: boolean };

/**
 * Reads a number without loss, and writes it like DynamoDB: 7.850 becomes 7.85, and 1e3 becomes 1000. With a
 * decimal comma that nobody chose, a decimal point is read, too.
 */
export const readNumber = (text: string, style: NumberStyle = { decimal: '.' }): NumberResult => {
  if (style.isChosen && hasOtherSign(text, style)) return { issue: otherSignIssue(text, style) };
  const withDecimalPoint = replaceDecimalSign(text, style);
  const [, minus = '', whole = '', fraction = '', exponent = '0'] =
    text.length > MAX_CHARACTERS || LEADING_ZERO.test(text) ? [] : (NUMBER.exec(withDecimalPoint) ?? []);
  if (!whole) return { issue: adviceFor(text, style) };
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { digits: '0' };
  if (digits.length > MAX_DIGITS) {
    return { issue: `a number of ${digits.length} digits; DynamoDB keeps ${MAX_DIGITS}` };
  }
  const point = significant.length - fraction.length + Number(exponent);
  if (point - 1 > HIGHEST_EXPONENT || point - 1 < LOWEST_EXPONENT) {
    return {
      issue:
        'a number out of range; DynamoDB keeps 0 and numbers from 1e-130 to 9.99e125, positive or negative',
    };
  }
  return { digits: minus + withoutExponent(digits, point) };
};

const GROUPED = {
  '.': /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/,
  ',': /^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/,
};
const OTHER_SIGN = { '.': ',', ',': '.' } as const;

const replaceDecimalSign = (text: string, { decimal, isChosen }: NumberStyle) => {
  const ungrouped = isChosen && GROUPED[decimal].test(text) ? text.replaceAll(OTHER_SIGN[decimal], '') : text;
  return decimal === ',' && !ungrouped.includes('.') ? ungrouped.replace(',', '.') : ungrouped;
};

const hasOtherSign = (text: string, { decimal }: NumberStyle) =>
  ONE_SIGN.test(text) && text.includes(OTHER_SIGN[decimal]) && !GROUPED[decimal].test(text);

const otherSignIssue = (text: string, { decimal }: NumberStyle) =>
  `not written with the decimal sign "${decimal}"; write ${text.replace(OTHER_SIGN[decimal], decimal)}`;

/** True for 1.234 and 1,234: the sign may group thousands, or begin the decimals. */
export const isAmbiguous = (text: string) => /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text);

export const describeReadings = (text: string) => {
  const [found, other] = text.includes('.') ? ['.', ','] : [',', '.'];
  return message`may be ${text.replace(found, '')} or ${text.replace(found, '.')}; ${step('chooseSign', other)} for the first, or ${step('sign', found)} for the second`;
};

const withoutExponent = (digits: string, point: number) => {
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, '0');
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
};

const ONE_SIGN = /^-?\d+[.,]\d+$/;
const THOUSANDS = /^-?\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/;

const adviceFor = (text: string, { decimal }: NumberStyle): Message => {
  const noNumber = `not a number; write digits only, such as 7${decimal}85`;
  if (text.length > MAX_CHARACTERS) return noNumber;
  if (LEADING_ZERO.test(text)) {
    return 'a number that begins with 0; remove the zero, or remove :number from the title to keep it as a text';
  }
  if (isAmbiguous(text)) return message`a number that ${describeReadings(text)}`;
  if (ONE_SIGN.test(text)) return `a comma within a number; write ${text.replace(',', '.')}`;
  if (THOUSANDS.test(text)) {
    const sign = (['.', ','] as const).find((candidate) => GROUPED[candidate].test(text));
    return message`a number with grouped thousands; write it without groups, as in 1234${decimal}5${sign ? message`, or ${step('chooseSign', sign)}` : ''}`;
  }
  return text.trim() === text ? noNumber : 'a number with spaces around it; remove them';
};
