import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import { reader } from './reader.ts';

const SECOND_MS = 1_000;

const formats = new Map<string, Intl.DateTimeFormat>();
/** Makes a format once for each zone, because a workbook may have a million times. */
const formatOf = (timeZone: string) => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  formats.set(timeZone, format);
  return format;
};

/** The milliseconds of a clock of the zone, as if it were in UTC. */
export const onClockOf = (timeZone: string, instant: Date) => {
  const seconds = Date.parse(`${formatOf(timeZone).format(instant).replace(' ', 'T')}Z`);
  return seconds + (instant.getTime() - Math.floor(instant.getTime() / SECOND_MS) * SECOND_MS);
};

/** `+01:00`, or `UTC`. */
const nameZone = (timeZone: string, instant: Date) => {
  const minutes = Math.round((onClockOf(timeZone, instant) - instant.getTime()) / MINUTE_MS);
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':');
  return `${minutes < 0 ? '-' : '+'}${digits}`;
};

/** `2026-11-20 13:00:00` on the reader's clock. A reader to whom nothing else names the zone gets `2026-11-20 13:00:00 +01:00`. */
export const formatTime = (instant: Date) => {
  const { timeZone, namesZone } = reader();
  const time = formatOf(timeZone).format(instant);
  return namesZone ? `${time} ${nameZone(timeZone, instant)}` : time;
};

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `20:18` of today, and otherwise `20 Nov 08:40`. */
export const formatMoment = (instant: Date, now: Date) => {
  const [day = '', minutes = ''] = formatTime(instant).split(' ');
  const [, month, date] = day.split('-').map(Number);
  const ofDay = day === formatTime(now).slice(0, 10) ? '' : `${date} ${MONTHS[(month ?? 0) - 1]} `;
  return `${ofDay}${minutes.slice(0, 5)}`;
};

/** The title of a column of times in a file. */
export const withZone = (title: string) => `${title} (${reader().timeZone})`;

/** Formats an age in the largest unit that gives 2 or more. */
export const formatAge = (instant: Date, now: Date) => {
  const ms = Math.max(0, now.getTime() - instant.getTime());
  if (ms < 2 * MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < 2 * HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
};
