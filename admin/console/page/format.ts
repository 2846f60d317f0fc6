const parts = new Intl.NumberFormat().formatToParts(0.5);

/** The decimal sign in the language of the browser. */
export const decimalSign = parts.some(({ value }) => value === ',') ? ',' : '.';

const NARROW_SPACE = '\u202f';
const NUMBER = /^(-?)(\d+)(.*)$/;

/** A number holds so many digits of a sum. */
const MAX_DIGITS = 15;

/** The minus sign is as wide as a digit. A sum of more digits than a number holds is about so much. */
export const formatNumber = (value: number | string): string => {
  const [, sign, whole = '', fraction = ''] = NUMBER.exec(String(value)) ?? [];
  const digits = `${whole}${fraction}`.replace('.', '').replace(/^0+/, '');
  if (digits.length > MAX_DIGITS && typeof value === 'number') return `≈ ${formatNumber(String(value))}`;
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE);
  return `${sign ? '−' : ''}${thousands}${fraction.replace('.', decimalSign)}`;
};

/** `+3.2`. */
export const formatDifference = (difference: number | string) =>
  `${Number(difference) > 0 ? '+' : ''}${formatNumber(difference)}`;

/** 1 batch, 1 200 batches. */
export const countOf = (count: number, singular: string, plural = `${singular}s`) =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;

/** The time in the zone of the browser. The Swedish locale writes times like ISO 8601. */
export const formatSecond = (at: number) => new Date(at).toLocaleString('sv');
export const formatTime = (at: number) => formatSecond(at).slice(0, 16);
export const formatDay = (at: number) => formatSecond(at).slice(0, 10);

const monthDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** `20:18` of today, and otherwise `20 Nov 08:40`. */
export const formatMoment = (at: number, now: number) => {
  const [day = '', minute = ''] = formatTime(at).split(' ');
  return day === formatDay(now) ? minute : `${monthDay.format(at)} ${minute}`;
};

export const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
