const parts = new Intl.NumberFormat().formatToParts(0.5);

/** In the language of the browser. */
export const decimalSign = parts.some(({ value }) => value === ',') ? ',' : '.';

const NARROW_SPACE = '\u202f';
const NUMBER = /^(-?)(\d+)(.*)$/;

/** Shows every digit, with a minus sign as wide as a digit. Takes a text, too, because a sum may need more digits than a number has. */
export const formatNumber = (value: number | string) => {
  const [, sign, whole = '', rest = ''] = NUMBER.exec(String(value)) ?? [];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE);
  return `${sign ? '−' : ''}${grouped}${rest.replace('.', decimalSign)}`;
};

/** With a sign, as `+3.2`. */
export const formatDifference = (by: number | string) => `${Number(by) > 0 ? '+' : ''}${formatNumber(by)}`;

/** 1 batch, 1 200 batches. */
export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** In the browser's time zone. The Swedish locale writes times like ISO 8601. */
export const formatSecond = (at: number) => new Date(at).toLocaleString('sv');
export const formatTime = (at: number) => formatSecond(at).slice(0, 16);
export const formatDay = (at: number) => formatSecond(at).slice(0, 10);

export const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
