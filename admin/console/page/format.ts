import { readerHere } from '../../text/reader.ts';
import { formatTime as formatInstant, formatMoment as momentOf } from '../../text/time.ts';
import { formatNumber } from '../../text/words.ts';

export { countOf, formatNumber } from '../../text/words.ts';

/** The time zone of the browser, and the decimal sign of its language. */
export const { timeZone, decimal: decimalSign } = readerHere();

/** `+3.2`. */
export const formatDifference = (difference: number | string) =>
  `${Number(difference) > 0 ? '+' : ''}${formatNumber(difference)}`;

export const formatSecond = (at: number) => formatInstant(new Date(at));
export const formatTime = (at: number) => formatSecond(at).slice(0, 16);
export const formatDay = (at: number) => formatSecond(at).slice(0, 10);
/** `5 Dec`. */
export const formatDate = (at: number) => formatMoment(at, 0).replace(/ [\d:]+$/, '');
/** `20:18` of today, and otherwise `20 Nov 08:40`. */
export const formatMoment = (at: number, now: number) => momentOf(new Date(at), new Date(now));
