import { formatTime as formatInstant } from '../../cli/time.ts';

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
/** A smaller number has more zeros than a reader can count. */
const SMALL = 1e-6;
const MAX_DECIMALS = 100;

/** To the last digit, with a minus that is as wide as a digit. */
export const formatAmount = (value: number) => {
  const size = Math.abs(value);
  const text = size !== 0 && size < SMALL ? String(size) : exact.format(size);
  return value < 0 ? `−${text}` : text;
};

const decimalsOf = (value: number) => {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
};

/** Rounded to the decimals of the two numbers, as a subtraction of doubles adds others. */
export const difference = (one: number, other: number) => {
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  return decimals > MAX_DECIMALS ? one - other : Number((one - other).toFixed(decimals));
};

export const formatTime = (at: number) => formatSecond(at).slice(0, 16);
export const formatSecond = (at: number) => formatInstant(new Date(at));
export const formatDay = (at: number) => formatSecond(at).slice(0, 10);

const HASH = '#material=';

/** The address of a material's history within the page. */
export const hashOf = (code: string) => `${HASH}${encodeURIComponent(code)}`;

export const codeIn = (hash: string): string | undefined => {
  if (!hash.startsWith(HASH)) return undefined;
  try {
    return decodeURIComponent(hash.slice(HASH.length));
  } catch {
    return undefined;
  }
};
