import { formatTime } from '../../cli/time.ts';
import { grouped } from '../../cli/words.ts';

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
/** Below this, a number has more zeros than a reader can count. */
const SMALL = 1e-6;

/** As in `every day`, `every 4 days`. */
export const days = (number: number) => (number === 1 ? 'day' : `${grouped(number)} days`);

/** To the last digit, with a minus that is as wide as a digit. */
export const amount = (value: number) => {
  const size = Math.abs(value);
  const text = size !== 0 && size < SMALL ? String(size) : exact.format(size);
  return value < 0 ? `−${text}` : text;
};

export const change = (value: number) => (value > 0 ? `+${amount(value)}` : amount(value));

const decimalsOf = (value: number) => {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
};

const MOST_DECIMALS = 100;

/** With the decimals that the two have, and not those that a subtraction of doubles brings. */
export const difference = (one: number, other: number) => {
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  return decimals > MOST_DECIMALS ? one - other : Number((one - other).toFixed(decimals));
};

export const time = (at: number) => formatTime(new Date(at)).slice(0, 16);
export const timeToSecond = (at: number) => formatTime(new Date(at));
export const day = (at: number) => new Date(at).toISOString().slice(0, 10);

/** In one form whatever the case, and whether accents are signs of their own. */
export const folded = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC');
