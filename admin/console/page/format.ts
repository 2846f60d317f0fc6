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

const pad = (value: number) => String(value).padStart(2, '0');

/** In the zone of the browser, in the order of ISO 8601. */
export const formatSecond = (at: number) => {
  const time = new Date(at);
  return `${formatDay(at)} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(pad).join(':')}`;
};
export const formatTime = (at: number) => formatSecond(at).slice(0, 16);
export const formatDay = (at: number) => {
  const time = new Date(at);
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(pad).join('-');
};

export const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
