const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });
/** A reader cannot count the zeros of smaller numbers. */
const SMALL = 1e-6;
const MAX_DECIMALS = 100;

/** Shows every digit, with a minus sign as wide as a digit. */
export const formatAmount = (value: number) => {
  const size = Math.abs(value);
  const text = size !== 0 && size < SMALL ? String(size) : exact.format(size);
  return value < 0 ? `−${text}` : text;
};

const decimalsOf = (value: number) => {
  const [, fraction = '', exponent = '0'] = /^[^.e]*(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
};

/** Rounds to the decimals of the numbers, because a sum of doubles can have more. */
export const sumExactly = (values: readonly number[]) => {
  const sum = values.reduce((total, value) => total + value, 0);
  const decimals = values.reduce((most, value) => Math.max(most, decimalsOf(value)), 0);
  return decimals > MAX_DECIMALS ? sum : Number(sum.toFixed(decimals)) + 0;
};
export const difference = (one: number, other: number) => sumExactly([one, -other]);

/** With a sign, as `+3.2`. */
export const formatChange = (by: number) => (by > 0 ? `+${formatAmount(by)}` : formatAmount(by));

/** In the browser's time zone. The Swedish locale writes times like ISO 8601. */
export const formatSecond = (at: number) => new Date(at).toLocaleString('sv');
export const formatTime = (at: number) => formatSecond(at).slice(0, 16);
export const formatDay = (at: number) => formatSecond(at).slice(0, 10);

export const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
