import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.ts';

const SECOND_MS = 1_000;

/** Formats an instant in UTC, for people. Programs get the instant as it is stored. */
export const formatTime = (instant: Date) => instant.toISOString().slice(0, 19).replace('T', ' ');

export const formatLocalTime = (instant: Date) => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const utc = `${formatTime(instant)} UTC`;
  return timeZone === 'UTC' ? utc : `${instant.toLocaleString('sv-SE')} ${timeZone} (${utc})`;
};

/** Formats an age in the largest unit that gives 2 or more. */
export const formatAge = (instant: Date, now: Date) => {
  const ms = Math.max(0, now.getTime() - instant.getTime());
  if (ms < 2 * MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s`;
  if (ms < 2 * HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`;
  return `${Math.floor(ms / DAY_MS)} d`;
};
